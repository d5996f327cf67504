//! What a manifest says beside sources, parameters and events.

use heddle_port::Parameters;
use serde::Deserialize;

use crate::formula::{Formula, Value};

/// Events of which the hit rate of a register cache is made: hits / (hits + misses).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterCache {
    /// Counted events that are register accesses served by the cache.
    pub hits: Vec<String>,
    /// Counted events that are register accesses of instructions that it did not serve.
    pub misses: Vec<String>,
}

/// Levels of an array that holds warp registers and lines of the L1 together, in the place of both.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntegratedMemory {
    /// Counted events that are levels, whose sum is the entries that hold something; an entry has a warp register or a
    /// line, and there are as many as the register file has warp registers.
    pub entries: Vec<String>,
}

/// How a manifest writes [`MappingTables`]: numbers, or formulas over the design's parameters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MappingRule {
    /// Access ports of a bank.
    pub ports: Formula,
    /// Rows that one port reaches.
    pub offsets: Formula,
    /// Whether registers are interleaved over the banks, as `locate` says; linear where it is left out.
    pub interleaved: Option<Formula>,
}

impl MappingRule {
    /// The tables of an instance with these parameters.
    pub(crate) fn tables(&self, parameters: &Parameters) -> Result<MappingTables, String> {
        let number = |key: &str, formula: &Formula| {
            let value = formula.evaluate(&|name| parameters.get(name).map(Value::Number));
            value.map_err(|what| format!("mapping.{key}: {what}"))
        };
        let size = |key: &str, formula: &Formula| {
            let value = number(key, formula)?;
            let size = usize::try_from(value).ok().filter(|&size| size > 0);
            size.ok_or_else(|| format!("mapping.{key} = {formula} is {value}: 1 or more is expected"))
        };
        let interleaved =
            self.interleaved.as_ref().map_or(Ok(0), |formula| number("interleaved", formula))?;
        let tables = MappingTables {
            ports: size("ports", &self.ports)?,
            offsets: size("offsets", &self.offsets)?,
            interleaved: interleaved != 0,
        };
        tables.check()?;
        Ok(tables)
    }
}

/// One loadable table for each main bank: 8 bits a row, port x offsets + offset. A map command loads 32 rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MappingTables {
    /// Access ports of a bank.
    pub ports: usize,
    /// Rows that one port reaches.
    pub offsets: usize,
    /// Registers are interleaved over the banks.
    pub interleaved: bool,
}

impl MappingTables {
    /// Rows that one map command loads.
    pub const ROWS_PER_COMMAND: usize = 32;
    /// Rows of a bank.
    #[must_use]
    pub fn rows(self) -> usize {
        self.ports * self.offsets
    }

    fn check(self) -> Result<(), String> {
        let Self { ports, offsets, .. } = self;
        let rows = ports.saturating_mul(offsets);
        let whole = (1..=256).contains(&rows) && rows.is_multiple_of(Self::ROWS_PER_COMMAND);
        whole.then_some(()).ok_or_else(|| {
            format!(
                "mapping has {ports} ports and {offsets} offsets, {rows} rows: a multiple of {} up to 256 is expected",
                Self::ROWS_PER_COMMAND
            )
        })
    }
}

/// Rates that `make bench` is to find with a design and its variants, at size `small`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchTargets {
    /// Cycles of the cycle model per CPU second, at least.
    pub model: Option<f64>,
    /// Cycles of the co-simulation per CPU second, at least.
    pub cosim: Option<f64>,
    /// Microseconds a cycle that the co-simulation spends outside the verilated model, at most.
    pub outside: Option<f64>,
}

impl BenchTargets {
    pub(crate) fn check(self) -> Result<(), String> {
        for (key, rate) in [("model", self.model), ("cosim", self.cosim), ("outside", self.outside)] {
            if let Some(rate) = rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
                return Err(format!("bench.{key} is {rate}: a positive number is expected"));
            }
        }
        Ok(())
    }
}

/// What the suites of planted bugs and random kernels do with a design.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestPlan {
    /// The variant on which planted bugs are tried, unless a bug says another; the plain design when left out.
    pub planted: Option<String>,
    /// Classes that the planted bugs must cover, in place of those of every register file.
    pub classes: Option<Vec<String>>,
    /// Variants on which random kernels run, `""` being the plain design; that alone when left out.
    pub random: Option<Vec<String>>,
    /// The only access time of a bank that the design takes, in cycles.
    pub bank_cycles: Option<u32>,
}
