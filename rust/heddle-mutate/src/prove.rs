//! What lint and proofs know of mutants that no run found: a message, a property that one breaks, or that its netlist is
//! the design's.

use std::path::Path;

use heddle_cosim::{Control, PreparedDesign, RunError};
use heddle_rtl::netlist::{self, NetlistError};
use heddle_rtl::{RtlError, mutants};

use crate::equivalent::Equivalents;
use crate::error::MutateError;
use crate::kept::Kept;
use crate::lint;
use crate::proof;
use crate::same::same;
use crate::site::Site;
use crate::verdict::Verdict;

/// One elaboration of the design, with its own netlist once it was needed.
struct Elaborated<'a> {
    root: &'a Path,
    design: &'a PreparedDesign,
    own: Option<String>,
}

impl Elaborated<'_> {
    fn netlist(&self, mutant: Option<&mutants::Mutant>) -> Result<String, RtlError> {
        netlist::reduced(self.root, &self.design.manifest, &self.design.elaboration, mutant)
    }

    /// Whether the netlist with the mutant is the design's.
    fn is_same(&mut self, mutant: &mutants::Mutant) -> Result<bool, RtlError> {
        if self.own.is_none() {
            self.own = Some(self.netlist(None)?);
        }
        match self.netlist(Some(mutant)) {
            Ok(text) => Ok(self.own.as_ref().is_some_and(|own| same(own, &text))),
            // One that is refused, such as an index that is always outside, is not the design.
            Err(RtlError::Netlist(NetlistError::Refused { .. })) => Ok(false),
            Err(source) => Err(source),
        }
    }
}

/// Asks, of each mutant that nothing found, that no list names and that was not asked about before, whether lint reports
/// it or it breaks a proved property, and if not, whether its netlist is that of the design in each of its elaborations.
///
/// # Errors
/// [`MutateError::Start`], [`MutateError::Program`], [`MutateError::Rtl`], [`MutateError::Write`], or that it was
/// interrupted.
pub(crate) fn prove(
    kept: &mut Kept,
    equivalents: &Equivalents,
    root: &Path,
    designs: &[PreparedDesign],
    control: &mut dyn Control,
) -> Result<(), MutateError> {
    let mut all: Vec<Elaborated<'_>> =
        designs.iter().map(|design| Elaborated { root, design, own: None }).collect();
    for at in 0..kept.judged().len() {
        let one = &kept.judged()[at];
        if one.proved || !one.verdict.is_unfound() || equivalents.lists(&one.site) {
            continue;
        }
        control.stage(&format!("proofs about mutant {}: {}", at + 1, one.site));
        let verdict = known(root, &one.site, &mut all);
        // A tool that was interrupted with this process has failed.
        if control.interrupted() {
            return Err(RunError::Interrupted { cycles: 0 }.into());
        }
        kept.proved(at, verdict?)?;
    }
    Ok(())
}

/// What they know of one mutant.
fn known(root: &Path, site: &Site, all: &mut [Elaborated<'_>]) -> Result<Option<Verdict>, MutateError> {
    let killed = |check: &str, run| Ok(Some(Verdict::Killed { check: check.to_owned(), run, cycle: 0 }));
    if let Some(first) = all.first()
        && let Some(message) = lint::says(root, &first.design.manifest.name, site)?
    {
        return killed("lint", message);
    }
    if let Some(property) = proof::broken_by(root, site)? {
        return killed("proof", property);
    }
    for elaborated in all {
        let design = elaborated.design.manifest.called();
        let same = elaborated.is_same(&site.mutant());
        if !same.map_err(|source| MutateError::Rtl { design, source })? {
            return Ok(None);
        }
    }
    Ok(Some(Verdict::SameNetlist))
}
