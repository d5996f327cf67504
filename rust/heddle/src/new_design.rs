//! `heddle new-design`.

use crate::args::NewDesignArgs;
use crate::root::root;
use crate::{Failure, Outcome, print};

/// Writes the files of a new design and names them.
pub fn new_design(args: &NewDesignArgs) -> Outcome {
    let NewDesignArgs { name, from, at } = args;
    let files = heddle_author::new_design(&root()?, name, from, at.as_deref())
        .map_err(|error| Failure { code: error.exit_code(), message: error.to_string() })?;
    let names: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
    let next = match at {
        Some(folder) => format!("Then: heddle check-design {name} --design-path {}", folder.display()),
        None => format!("Build the program anew, then: heddle check-design {name}"),
    };
    print(&format!("{names}{next}\n"))
}
