//! What lint and proofs know of mutants that no run found: a message, a property that one breaks, or that its netlist is
//! the design's.

use std::path::{Path, PathBuf};

use heddle_cosim::{Control, PreparedDesign, RunError};
use heddle_rtl::netlist::{self, NetlistError};
use heddle_rtl::{RtlError, mutants};
use sha2::{Digest as _, Sha256};

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

/// What is known of a mutant.
struct Known {
    verdict: Option<Verdict>,
    /// No tool has left a question open.
    complete: bool,
}

/// Asks, of each mutant that nothing found, that no list names and that was not asked about before: whether its netlist is
/// that of the design in each of its elaborations, and if not, whether it breaks a proved property or lint reports it.
///
/// # Errors
/// [`MutateError::Start`]; [`MutateError::Program`], also where lint reports the design itself; [`MutateError::Read`],
/// [`MutateError::Rtl`], [`MutateError::Write`], or that it was interrupted.
pub(crate) fn prove(
    kept: &mut Kept,
    equivalents: &Equivalents,
    root: &Path,
    designs: &[PreparedDesign],
    control: &mut dyn Control,
) -> Result<(), MutateError> {
    let rules = rules(root)?;
    let mut all: Vec<Elaborated<'_>> =
        designs.iter().map(|design| Elaborated { root, design, own: None }).collect();
    let mut begun = false;
    for at in 0..kept.judged().len() {
        let one = &kept.judged()[at];
        if one.proved == rules || !one.verdict.is_unfound() || equivalents.lists(&one.site) {
            continue;
        }
        if !begun {
            lint::holds(root, &designs[0].manifest.name)?;
            begun = true;
        }
        control.stage(&format!("proofs about mutant {}: {}", at + 1, one.site));
        let known = known(root, &one.site, &mut all);
        // A tool that was interrupted with this process has failed.
        if control.interrupted() {
            return Err(RunError::Interrupted { cycles: 0 }.into());
        }
        let Known { verdict, complete } = known?;
        if complete || verdict.is_some() {
            kept.proved(at, &rules, verdict)?;
        }
    }
    Ok(())
}

/// What they know of one mutant.
fn known(root: &Path, site: &Site, all: &mut [Elaborated<'_>]) -> Result<Known, MutateError> {
    let mut same = true;
    for elaborated in &mut *all {
        let design = elaborated.design.manifest.called();
        let its = elaborated.is_same(&site.mutant());
        same = its.map_err(|source| MutateError::Rtl { design, source })?;
        if !same {
            break;
        }
    }
    if same {
        return Ok(Known { verdict: Some(Verdict::SameNetlist), complete: true });
    }
    let killed = |check: &str, run| Some(Verdict::Killed { check: check.to_owned(), run, cycle: 0 });
    let proof = proof::of(root, site)?;
    if let Some(property) = proof.broken {
        return Ok(Known { verdict: killed("proof", property), complete: true });
    }
    let name = all.first().map(|first| first.design.manifest.name.as_str());
    let message = name.map(|name| lint::says(root, name, Some(site))).transpose()?.flatten();
    Ok(Known { verdict: message.and_then(|message| killed("lint", message)), complete: proof.complete })
}

/// A hash of what the answers depend on beside the design: proofs, rules of lint, and how netlists are compared.
fn rules(root: &Path) -> Result<String, MutateError> {
    let mut hash = Sha256::new_with_prefix(include_str!("same.rs"));
    let scripts = ["formal.py", "formal_solver.py", "formal-tools.txt", "lint-rtl.py", "lint-tools.txt"];
    let mut files: Vec<PathBuf> = scripts.iter().map(|name| root.join("scripts").join(name)).collect();
    let mut folders = vec![root.join("constraints"), root.join("testbench")];
    while let Some(folder) = folders.pop() {
        let failed = |source| MutateError::Read { path: folder.clone(), source };
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for path in files {
        let text = std::fs::read(&path).map_err(|source| MutateError::Read { path, source })?;
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use heddle_cosim::{Engine, Kernel, RunSpec};
    use heddle_workloads::Size;

    use super::*;

    fn site(root: &Path, file: &str, original: &str, replacement: &str) -> Site {
        let text = std::fs::read_to_string(root.join(file)).expect("a source");
        let start = text.find(original).expect("it is there");
        assert_eq!(text.matches(original).count(), 1, "{original}");
        Site {
            file: file.into(),
            line: 1,
            column: 1,
            operator: "any".into(),
            start,
            end: start + original.len(),
            at: start,
            token: original.into(),
            mutant: replacement.into(),
            original: original.into(),
            replacement: replacement.into(),
        }
    }

    #[test]
    #[ignore = "a minute: yosys makes five netlists; needs the tools of `make lint` and `make formal`"]
    fn netlist_proof_and_lint_know_their_mutants() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
        let kernel = Kernel::Workload { name: "vectoradd".into(), size: Size::Smoke };
        let spec = RunSpec::new(root.to_owned(), "sttram", kernel, Engine::Cosim);
        let design = PreparedDesign::new(&spec).expect("a design");
        let mut all = [Elaborated { root, design: &design, own: None }];
        let mut knows = |file: &str, original: &str, replacement: &str| {
            let known =
                known(root, &site(root, file, original, replacement), &mut all).expect("the tools run");
            assert!(known.complete);
            known.verdict
        };
        // Only hybrid reads which places hold a result.
        let queue = "rtl/hybrid/result_queue.sv";
        let unread = knows(queue, "place_t'(e) - head_q", "place_t'(e) + head_q");
        assert_eq!(unread, Some(Verdict::SameNetlist));
        // As the simulator has it: the operand of the surrounding `&` stays whole.
        let killed =
            |check: &str, run: &str| Some(Verdict::Killed { check: check.into(), run: run.into(), cycle: 0 });
        let picks = "rtl/common/rotating_picks.sv";
        let property = knows(picks, "request_i & ~rest", "request_i | ~rest");
        assert_eq!(property, killed("proof", "rotating_picks: OnlyRequested"));
        let outside = knows("rtl/common/collector_array.sv", "missing_q[c] == '0", "missing_q[c+1] == '0");
        assert!(matches!(&outside, Some(Verdict::Killed { check, .. }) if check == "lint"), "{outside:?}");
        lint::holds(root, "sttram").expect("lint has nothing to say of the design itself");
        // A result at a wrong place: no tool here knows it.
        let place = knows(queue, "head_q + place_t'(count_d)", "head_q - place_t'(count_d)");
        assert_eq!(place, None);
    }
}
