//! The golden machine stepped by the SM's events.

use heddle_functional::{Golden, GoldenError};
use heddle_port::{Cycle, LaneMask, Tag};
use heddle_sm::{
    CtaEvent, IssueEvent, Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent, Stop,
};

/// Compares every operand, result, predicate, address and loaded word.
pub struct Lockstep {
    pub golden: Golden,
    pub failure: Option<String>,
    /// Operand lanes compared.
    pub compared: u64,
}

impl Lockstep {
    pub fn new(golden: Golden) -> Self {
        Self { golden, failure: None, compared: 0 }
    }

    fn fail(&mut self, what: String) -> Result<(), Stop> {
        self.failure = Some(what);
        Err(Stop)
    }

    fn take<T>(&mut self, cycle: Cycle, result: Result<T, GoldenError>) -> Result<T, Stop> {
        result.map_err(|error| {
            self.failure = Some(format!("cycle {cycle}: golden machine: {error}"));
            Stop
        })
    }
}

fn differ(a: &[u32; 32], b: &[u32; 32], lanes: LaneMask) -> bool {
    lanes.lanes().any(|l| a[l] != b[l])
}

impl Observer for Lockstep {
    fn cta_started(&mut self, e: &CtaEvent) -> Result<(), Stop> {
        let result = self.golden.start_cta(e.cta);
        self.take(e.cycle, result)
    }

    fn warp_issued(&mut self, e: &IssueEvent) -> Result<(), Stop> {
        let result = self.golden.issue(e.cta, e.warp_in_cta, e.tag).map(|x| (x.pc, x.active, x.exec));
        let expected = self.take(e.cycle, result)?;
        if expected != (e.pc, e.active, e.exec) {
            return self.fail(format!("issue {e:?}, expected {expected:?}"));
        }
        Ok(())
    }

    fn operands(&mut self, e: &OperandsEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(e.tag) else {
            return self.fail(format!("operands of unknown {}", e.tag));
        };
        let slots = (0..6).filter(|s| e.source_valid >> s & 1 != 0);
        for slot in slots {
            if differ(&expected.sources[slot], &e.sources[slot], e.exec) {
                return self.fail(format!("cycle {}: operand {slot} of {} at pc {}", e.cycle, e.tag, e.pc));
            }
            self.compared += u64::from(e.exec.count());
        }
        Ok(())
    }

    fn predicates(&mut self, e: &PredicateEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(e.tag) else {
            return self.fail(format!("predicates of unknown {}", e.tag));
        };
        let same = e.values.iter().zip(&expected.results.preds).all(|(a, b)| (a ^ b) & e.exec.0 == 0);
        if same { Ok(()) } else { self.fail(format!("cycle {}: predicates at pc {}", e.cycle, e.pc)) }
    }

    fn results(&mut self, e: &ResultEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(e.tag) else {
            return self.fail(format!("result of unknown {}", e.tag));
        };
        if differ(&expected.results.values[e.destination], e.data, e.mask) {
            return self.fail(format!("cycle {}: result {} of pc {}", e.cycle, e.destination, e.pc));
        }
        Ok(())
    }

    fn performed(&mut self, e: &PerformedEvent<'_>) -> Result<(), Stop> {
        let result = self.golden.performed(e.tag, e.lanes);
        let access = self.take(e.cycle, result)?;
        let spaces = (access.spaces.shared & e.lanes, access.spaces.local & e.lanes) == (e.shared, e.local);
        let addresses = e.lanes.lanes().all(|l| access.addresses[l] == e.addresses[l]);
        let loaded = (0..4)
            .filter(|s| access.loaded_valid >> s & 1 != 0)
            .all(|s| !differ(&access.loaded[s], &e.loaded[s], e.lanes));
        let stored =
            (0..e.stored_elements).all(|k| e.lanes.lanes().all(|l| access.stored[k][l] == e.stored[k][l]));
        if spaces && addresses && loaded && stored {
            Ok(())
        } else {
            self.fail(format!(
                "cycle {}: access at pc {} ({spaces} {addresses} {loaded} {stored})",
                e.cycle, e.pc
            ))
        }
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        let result = self.golden.retire(tag);
        self.take(cycle, result)
    }

    fn cta_finished(&mut self, e: &CtaEvent) -> Result<(), Stop> {
        let result = self.golden.finish_cta(e.cta);
        self.take(e.cycle, result)
    }
}
