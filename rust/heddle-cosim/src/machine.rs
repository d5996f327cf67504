//! What runs a launch: one SM or many.

use heddle_mem::{Division, LifetimeStatistics};
use heddle_sm::{Gpu, Occupancy, Sm, Statistics};
use serde_json::Value;

/// One SM or many, as a run sees it.
pub trait Machine {
    /// Cycles so far.
    fn cycles(&self) -> u64;
    /// CTAs that have ended.
    fn ctas_done(&self) -> u64;
    /// What every resident warp waits for, a line each.
    fn waits(&self) -> Vec<String>;
    /// How many CTAs an SM holds at once.
    fn occupancy(&self) -> &Occupancy;
    /// How the on-chip memory of an SM is divided.
    fn division(&self) -> Option<Division>;
    /// Lifetimes of shared memory, of each SM.
    fn lifetimes(&self) -> Vec<&LifetimeStatistics>;
    /// Counters, to be summed by name.
    fn counters(&self) -> Vec<Value>;
}

fn value(statistics: &Statistics) -> Value {
    serde_json::to_value(statistics).unwrap_or_default()
}

impl Machine for Sm {
    fn cycles(&self) -> u64 {
        self.cycle().0
    }

    fn ctas_done(&self) -> u64 {
        Sm::ctas_done(self)
    }

    fn waits(&self) -> Vec<String> {
        self.waits().iter().map(ToString::to_string).collect()
    }

    fn occupancy(&self) -> &Occupancy {
        self.occupancy()
    }

    fn division(&self) -> Option<Division> {
        self.division()
    }

    fn lifetimes(&self) -> Vec<&LifetimeStatistics> {
        vec![self.lifetimes()]
    }

    fn counters(&self) -> Vec<Value> {
        vec![value(&self.statistics())]
    }
}

impl Machine for Gpu {
    fn cycles(&self) -> u64 {
        self.cycle()
    }

    fn ctas_done(&self) -> u64 {
        self.ctas_done()
    }

    fn waits(&self) -> Vec<String> {
        let waits = |(number, sm): (usize, &Sm)| -> Vec<String> {
            sm.waits().iter().map(|wait| format!("SM {number}: {wait}")).collect()
        };
        self.sms().iter().enumerate().flat_map(waits).collect()
    }

    fn occupancy(&self) -> &Occupancy {
        self.sms()[0].occupancy()
    }

    fn division(&self) -> Option<Division> {
        self.sms()[0].division()
    }

    fn lifetimes(&self) -> Vec<&LifetimeStatistics> {
        self.sms().iter().map(Sm::lifetimes).collect()
    }

    fn counters(&self) -> Vec<Value> {
        let below = Statistics { memory: self.below(), flush: self.flush(), ..Statistics::default() };
        self.sms().iter().map(|sm| value(&sm.statistics())).chain([value(&below)]).collect()
    }
}
