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
        Some(folder) => {
            format!("Then: heddle check-design {name} --design-path {}", quoted(&folder.to_string_lossy()))
        }
        None => format!("Build the program anew, then: heddle check-design {name}"),
    };
    print(&format!("{names}{next}\n"))
}

/// A word of a command line, as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=~".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_folder_is_quoted_where_a_shell_would_take_it_apart() {
        assert_eq!(quoted("~/my-design_2"), "~/my-design_2");
        assert_eq!(quoted("ü b/c"), "'ü b/c'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
