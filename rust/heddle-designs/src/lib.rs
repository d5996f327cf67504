//! The Rust cycle models of the register-file designs.
//!
//! A model carries no data; every output of its register port equals the RTL's in every cycle. Each
//! design is one module that submits one [`Entry`]; [`create`] finds it by name.
//!
//! ```
//! use heddle_port::{PortConfig, PortWidths, RegIn, RegOut};
//!
//! let widths = PortWidths { issue: 2, result: 2 };
//! let mut design = heddle_designs::create("baseline", widths).expect("the baseline is there");
//! let config = PortConfig { bank_cycles: 1, rows_per_bank: 128, ..PortConfig::default() };
//! let mut out: RegOut = design.reset(&config)?;
//! assert!(out.issue_ready[0]);
//! design.step(&RegIn::default(), &mut out)?;
//! # Ok::<(), heddle_port::DesignError>(())
//! ```

pub mod baseline;
pub mod cerf;
pub mod common;
pub mod hybrid;
pub mod ltrf;
pub mod osm;
pub mod racetrack;
pub mod sttram;

use heddle_port::{PortWidths, RegisterFile};

/// A design's line in the registry, submitted by the design's own module with `inventory::submit!`.
#[derive(Debug)]
pub struct Entry {
    /// Name that users type.
    pub name: &'static str,
    /// Makes a model with the given number of port slots; it needs a reset before its first step.
    pub make: fn(PortWidths) -> Box<dyn RegisterFile + Send>,
}

inventory::collect!(Entry);

/// The model of design `name`, if there is one.
#[must_use]
pub fn create(name: &str, widths: PortWidths) -> Option<Box<dyn RegisterFile + Send>> {
    inventory::iter::<Entry>.into_iter().find(|entry| entry.name == name).map(|entry| (entry.make)(widths))
}

/// Names of all designs that have a model, in alphabetical order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = inventory::iter::<Entry>.into_iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::{create, names};
    use heddle_port::PortWidths;

    const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

    #[test]
    fn every_listed_design_can_be_made_and_the_names_are_unique() {
        let names = names();
        assert!(names.contains(&"baseline"));
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(names.iter().all(|name| create(name, WIDTHS).is_some()));
    }

    #[test]
    fn unknown_design_is_none() {
        assert!(create("base-line", WIDTHS).is_none());
    }
}
