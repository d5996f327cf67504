//! `heddle new-design`.

use crate::args::NewDesignArgs;
use crate::root::root;
use crate::{Failure, Outcome, print};

/// Writes the files of a new design and names them.
pub fn new_design(args: &NewDesignArgs) -> Outcome {
    let files = heddle_author::new_design(&root()?, &args.name, &args.from).map_err(Failure::usage)?;
    let names: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
    print(&format!("{names}Build the program anew, then: heddle check-design {}\n", args.name))
}
