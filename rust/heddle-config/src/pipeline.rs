//! The execution pipelines of an SM.

use serde::{Deserialize, Serialize};

/// Most core cycles of a latency or an interval.
const MOST_CYCLES: u32 = 1000;
/// Most pipelines of a kind.
const MOST_UNITS: u32 = 32;
/// Most instructions on the way to a unit.
const MOST_QUEUED: u32 = 64;
/// Most core cycles from the operands of the last instruction of a full queue to its result.
const MOST_BEHIND_QUEUE: u32 = 2000;

/// Execution pipelines; latencies and intervals in core cycles.
///
/// The pipelines of a kind are dealt out to the schedulers in turn, so each scheduler has its own where there are as
/// many as schedulers; with fewer, all schedulers share them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// Without shared collectors: instructions that have issued and that a pipeline has not begun, as many as there are operand
    /// collectors for it. With them: instructions of a kind and scheduler that have issued and have no collector;
    /// of branches, which wait for no operands, one.
    pub queue: u32,
    /// Operand collectors that the pipelines of a scheduler share; 0: each has its own.
    pub collectors: u32,
    /// Who gets a collector that is shared.
    pub collector_order: CollectorOrder,
    /// Latency of what lanes of a warp wait for each other with.
    pub control_latency: u32,
    /// Latency of an integer multiplication, alone or with an addition.
    pub int_multiply_latency: u32,
    /// Single and half precision.
    pub fp32: Unit,
    /// Integers, comparisons, conversions and moves.
    pub int: Unit,
    /// Double precision.
    pub fp64: Unit,
    /// Special functions, and division.
    pub sfu: Unit,
    /// Matrix instructions.
    pub tensor: Unit,
    /// What lanes of a warp read of each other's registers.
    pub exchange: Unit,
    /// Branches, calls and what else says where lanes go on.
    pub branch: Unit,
}

/// Which instructions of a kind go into the collectors that the pipelines of a scheduler share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CollectorOrder {
    /// Of each scheduler the one whose operands came first, whatever those of the others wait for.
    SubCore,
    /// The one of the SM whose operands came first: while its scheduler has no collector for it, the others of its kind wait, too.
    Sm,
}

/// Pipelines of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Pipelines of the SM; 0: the instructions take those of single precision.
    pub units: u32,
    /// Core cycles from the operands to the result.
    pub latency: u32,
    /// Core cycles between two instructions of one pipeline.
    pub interval: u32,
}

impl Pipeline {
    /// Whether the values are in range: the key that is not, its value and what is allowed.
    pub(crate) fn validate(&self) -> Result<(), (&'static str, u64, &'static str)> {
        macro_rules! unit {
            ($name:ident, $least:expr) => {
                [
                    (concat!("pipeline.", stringify!($name), ".units"), self.$name.units, $least, MOST_UNITS),
                    (concat!("pipeline.", stringify!($name), ".latency"), self.$name.latency, 1, MOST_CYCLES),
                    (
                        concat!("pipeline.", stringify!($name), ".interval"),
                        self.$name.interval,
                        1,
                        MOST_CYCLES,
                    ),
                ]
            };
        }
        let single = [
            ("pipeline.queue", self.queue, 1, MOST_QUEUED),
            ("pipeline.collectors", self.collectors, 0, MOST_UNITS),
            ("pipeline.control_latency", self.control_latency, 1, MOST_CYCLES),
            ("pipeline.int_multiply_latency", self.int_multiply_latency, 1, MOST_CYCLES),
        ];
        let units = [
            unit!(fp32, 1),
            unit!(int, 0),
            unit!(fp64, 0),
            unit!(sfu, 0),
            unit!(tensor, 0),
            unit!(exchange, 0),
            unit!(branch, 0),
        ];
        for (key, value, least, most) in single.into_iter().chain(units.into_iter().flatten()) {
            if !(least..=most).contains(&value) {
                let allowed = match (least, most) {
                    (0, _) => "0 to 32",
                    (_, MOST_UNITS) => "1 to 32",
                    (_, MOST_QUEUED) => "1 to 64",
                    _ => "1 to 1000",
                };
                return Err((key, u64::from(value), allowed));
            }
        }
        let multiply = Unit { latency: self.int_multiply_latency, ..self.int };
        for (key, unit) in [
            ("pipeline.fp32.interval", self.fp32),
            ("pipeline.int.interval", self.int),
            ("pipeline.int.interval", multiply),
            ("pipeline.fp64.interval", self.fp64),
            ("pipeline.sfu.interval", self.sfu),
            ("pipeline.tensor.interval", self.tensor),
            ("pipeline.exchange.interval", self.exchange),
            ("pipeline.branch.interval", self.branch),
        ] {
            // One without pipelines of its own waits for those of single precision.
            let interval = if unit.units == 0 { self.fp32.interval } else { unit.interval };
            if unit.latency + self.queue * interval > MOST_BEHIND_QUEUE {
                let allowed = "so much that latency + pipeline.queue x interval is at most 2000";
                return Err((key, u64::from(unit.interval), allowed));
            }
        }
        Ok(())
    }
}
