//! Which lines, branches and control signals of a design's RTL the kernels and the port bench reach.
//!
//! The design is built with Verilator's counters ([`heddle_rtl::covered`]). [`measure()`] runs kernels and port bench
//! with the design, its variants and the settings that its rules name, and adds up what they cover over instances, runs
//! and elaborations: a place counts as reached if it was in any. [`Rules`] says which signals are control and why a
//! hole stays one; a rule that says nothing any more is an error. Sources outside `rtl/` do not count, but for the
//! `cover` statements that stand beside the assertions.
//!
//! Nothing here says that a value was checked: that is what lock-step and mutants are for.

pub mod data;
mod error;
mod hole;
pub mod kept;
mod measure;
pub mod page;
mod point;
pub mod ports;
mod rules;
mod share;

use std::collections::BTreeMap;
use std::path::Path;

use heddle_cosim::Control;
use heddle_files::Input;
use heddle_manifest::Manifest;

pub use error::CoverageError;
pub use hole::{Hole, holes};
pub use measure::{Request, Run, measure};
pub use point::{Counts, Kind, Point};
pub use rules::{Rules, RunRule, Whose};
pub use share::{Share, Shares, shares};

/// A source of a design.
const SOURCE: Input = Input { expected: "a SystemVerilog source", most: 1 << 24 };

/// What the runs of a design reach.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// The runs.
    pub runs: Vec<Run>,
    /// Shares of each module.
    pub modules: BTreeMap<String, Shares>,
    /// Shares of all modules together.
    pub all: Shares,
    /// What was not reached, by kind and place.
    pub holes: Vec<Hole>,
}

impl Coverage {
    /// The share of a kind, with holes that have a reason taken as reached.
    #[must_use]
    pub fn with_reasons(&self, kind: Kind) -> Share {
        let explained = self.holes.iter().filter(|hole| hole.kind == kind && hole.reason.is_some());
        let Share { reached, of } = self.all.of(kind);
        Share { reached: reached + explained.map(|hole| hole.missing).sum::<usize>(), of }
    }
}

/// Measures the coverage of a design and keeps what was counted; `control` gets each stage. With `again` nothing runs:
/// what the last runs counted is judged.
///
/// # Errors
/// As [`measure()`] and [`kept::read`], and [`CoverageError::Rules`]: a rule is wrong or says nothing of the design any
/// more.
pub fn coverage(
    request: &Request,
    again: bool,
    control: &mut dyn Control,
) -> Result<Coverage, CoverageError> {
    let manifest = Manifest::load(&request.root, &request.design)?;
    let rules = Rules::load(&request.root, &manifest)?;
    let path = kept::path(&request.results, &manifest.name);
    let (counts, runs) = if again {
        kept::read(&path, &request.root)?
    } else {
        let (counts, runs) = measure(request, &manifest, &rules, control)?;
        kept::write(&path, &request.root, &counts, &runs)?;
        (counts, runs)
    };
    judged(&request.root, &rules, counts, runs)
}

/// Shares and holes of what was counted.
///
/// # Errors
/// [`CoverageError::Rules`], or [`CoverageError::Read`] of a source.
pub fn judged(root: &Path, rules: &Rules, counts: Counts, runs: Vec<Run>) -> Result<Coverage, CoverageError> {
    let counts = rules.counted(counts)?;
    let mut unread = None;
    let mut source = |file: &str| match SOURCE.text(&root.join(file)) {
        Ok(text) => text.lines().map(str::to_owned).collect(),
        Err(error) => {
            unread = Some(error);
            Vec::new()
        }
    };
    let mut holes = holes(&counts, &mut source);
    if let Some(error) = unread {
        return Err(error.into());
    }
    rules.explain(&mut holes)?;
    let (modules, all) = shares(&counts);
    Ok(Coverage { runs, modules, all, holes })
}
