//! What became of a mutant.

use serde::{Deserialize, Serialize};

use crate::site::Site;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "kebab-case")]
pub enum Verdict {
    /// A check found it.
    Killed {
        /// The check.
        check: String,
        /// What ran: a kernel, or the port bench with its seed; the property of a proof, the message of lint.
        run: String,
        /// The cycle of that run, all launches of a kernel together.
        cycle: u64,
    },
    /// Its value was another one, and what ran passed.
    Survived {
        /// Kernels, and seeds of the port bench, that ran with it and passed.
        passed: usize,
        /// Those in which its value was another one.
        active: usize,
    },
    /// Its expression was evaluated and its value was the same each time.
    NotActivated {
        /// Evaluations in all runs.
        evaluations: u64,
    },
    /// Nothing that ran evaluated its expression.
    Dead,
    /// It does what the design does.
    Equivalent {
        /// Why, from the design's list.
        reason: String,
    },
    /// Nothing that ran found it, and yosys makes the netlist of the design of it, so nothing could.
    SameNetlist,
    /// Verilator refuses it.
    NotInjectable {
        /// What it says.
        message: String,
    },
}

/// A mutant and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The mutant.
    #[serde(flatten)]
    pub site: Site,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Elaborations that it ran in, until it was found.
    pub elaborations: usize,
    /// Hash of the proofs, rules of lint and comparison of netlists that were asked about it; empty where none was.
    #[serde(default)]
    pub proved: String,
}

impl Verdict {
    /// What is known after a run in a further elaboration.
    pub(crate) fn and(self, further: Self) -> Self {
        match (self, further) {
            (_, killed @ Self::Killed { .. }) => killed,
            (Self::Survived { passed, active }, Self::Survived { passed: more, active: of }) => {
                Self::Survived { passed: passed + more, active: active + of }
            }
            (Self::NotActivated { evaluations }, Self::NotActivated { evaluations: more }) => {
                Self::NotActivated { evaluations: evaluations + more }
            }
            (Self::Dead | Self::NotActivated { .. }, survived @ Self::Survived { .. }) => survived,
            (Self::Dead, further @ Self::NotActivated { .. }) => further,
            (known, _) => known,
        }
    }

    /// A check could have found it, and none did.
    pub(crate) fn is_unfound(&self) -> bool {
        matches!(self, Self::Survived { .. } | Self::NotActivated { .. })
    }
}

/// How many mutants became what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Mutants.
    pub mutants: usize,
    /// Of these, found by a check.
    pub killed: usize,
    /// Active and not found.
    pub survived: usize,
    /// Evaluated and never active.
    pub not_activated: usize,
    /// Never evaluated.
    pub dead: usize,
    /// Equivalent, by a reason in the design's list.
    pub equivalent: usize,
    /// Equivalent, because the netlist is the design's.
    pub same_netlist: usize,
    /// Refused by Verilator.
    pub not_injectable: usize,
}

impl Score {
    /// Counts mutants.
    #[must_use]
    pub fn of(judged: &[Judged]) -> Self {
        let mut score = Self { mutants: judged.len(), ..Self::default() };
        for one in judged {
            *match one.verdict {
                Verdict::Killed { .. } => &mut score.killed,
                Verdict::Survived { .. } => &mut score.survived,
                Verdict::NotActivated { .. } => &mut score.not_activated,
                Verdict::Dead => &mut score.dead,
                Verdict::Equivalent { .. } => &mut score.equivalent,
                Verdict::SameNetlist => &mut score.same_netlist,
                Verdict::NotInjectable { .. } => &mut score.not_injectable,
            } += 1;
        }
        score
    }

    /// Mutants that a check could find: neither dead nor equivalent, and injected.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.killed + self.survived + self.not_activated
    }

    /// Share of these that were killed, 0 to 1; none where there are none.
    #[must_use]
    pub fn killed_share(&self) -> Option<f64> {
        (self.judged() > 0).then(|| self.killed as f64 / self.judged() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn a_further_elaboration_adds_what_it_knows() {
        let killed = || Verdict::Killed { check: "operand".into(), run: "port bench".into(), cycle: 3 };
        let survived = |passed, active| Verdict::Survived { passed, active };
        let idle = |evaluations| Verdict::NotActivated { evaluations };
        for (before, further, known) in [
            (Verdict::Dead, Verdict::Dead, Verdict::Dead),
            (Verdict::Dead, idle(4), idle(4)),
            (idle(4), Verdict::Dead, idle(4)),
            (idle(4), idle(5), idle(9)),
            (idle(4), survived(1, 2), survived(1, 2)),
            (survived(1, 2), idle(4), survived(1, 2)),
            (survived(1, 2), survived(3, 3), survived(4, 5)),
            (survived(1, 2), killed(), killed()),
            (Verdict::Dead, killed(), killed()),
        ] {
            assert_eq!(before.and(further), known);
        }
    }
}
