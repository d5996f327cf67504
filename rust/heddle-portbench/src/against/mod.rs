//! The RTL of this tree against the RTL of another one, such as that of an earlier commit: the same random
//! traffic, and in every cycle equal outputs and equal events by name.
//!
//! A rewrite that changes RTL and cycle model together could be wrong in both; this holds the new RTL against
//! the old one, which nobody has touched. The other tree needs `rtl/`, `testbench/` and `constraints/` only.
//! Its sources are copied with their port package under another name, and a generated top gives them this
//! tree's ports: every field of its `config_t` and `status_t` and every event is joined to its namesake here.
//! So the place of an event in the vector may change, and so may the width of the vector; an event that the
//! other tree has must be here.

mod corners;
mod pair;
mod tree;
mod wrapper;

pub use corners::{Corner, Word, corners};
pub use pair::{Pair, PairSummary};
pub use tree::OtherDesign;

use std::path::PathBuf;

use heddle_rtl::RtlError;

/// Why two trees cannot be compared, or in what they differ.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgainstError {
    /// A file of the other tree cannot be read, or its copy cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of the other tree is not as expected.
    #[error("{path}: {what}")]
    Form {
        /// The file.
        path: PathBuf,
        /// What was found and what was expected.
        what: String,
    },
    /// Something of the other tree has no namesake in this one.
    #[error("{design}: the other tree has {what}, this one has not")]
    Missing {
        /// The design.
        design: String,
        /// What is missing, with its width.
        what: String,
    },
    /// The other tree has no such elaboration.
    #[error("{design} has no elaboration '{name}' in the other tree")]
    Elaboration {
        /// The design.
        design: String,
        /// The name asked for.
        name: String,
    },
    /// The RTL of one tree does not build.
    #[error(transparent)]
    Build(#[from] RtlError),
    /// Only one of the two takes a configuration.
    #[error("{corner}: only {side} refuses it: {message}")]
    Refused {
        /// The configuration.
        corner: String,
        /// Which tree refuses.
        side: &'static str,
        /// What it says.
        message: String,
    },
    /// Both refuse all configurations.
    #[error("{design}: both trees refuse every configuration, nothing was compared: {message}")]
    Nothing {
        /// The design.
        design: String,
        /// What this tree says of the last one.
        message: String,
    },
    /// A difference, or a wrong value; what the failure calls the model is the other tree's RTL.
    #[error("{corner}: {failure}")]
    Differs {
        /// The configuration.
        corner: String,
        /// Where and how; "model" is the other tree.
        failure: Box<crate::Failure>,
    },
}

/// The manifest's name of a parameter of the RTL: `some_name` for `SomeName`.
fn in_manifest(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && at > 0 {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::in_manifest;

    #[test]
    fn a_parameter_of_the_rtl_has_its_name_of_the_manifest() {
        assert_eq!(["RowsPerBank", "Sets"].map(in_manifest), ["rows_per_bank", "sets"]);
    }
}
