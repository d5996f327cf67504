//! What stands behind the memory port of an SM.

use heddle_config::Preset;
use heddle_port::{DesignError, HeldSpaces, LineEvents, MemIn, MemOut, MemoryPort};

use crate::cache_port::CachePort;
use crate::design_port::DesignPort;
use crate::division::Division;
use crate::l1::L1;
use crate::lower::is_store;
use crate::statistics::L1Statistics;
use crate::system::MemorySystem;

/// What stands behind the memory port of an SM, as the SM sees it beside the port.
pub trait FirstLevelPort: MemoryPort {
    /// What the last clock edge did to the lines of global memory that the L1 holds; none, or none in it, where nobody tells.
    fn line_events(&self) -> Option<&LineEvents> {
        None
    }

    /// At the next clock edge everything of global memory leaves the L1 in Rust. One in the design keeps it.
    fn invalidate(&mut self) {}

    /// Stores that have been performed and that the networks have not taken; of a design that holds the L1 only the one
    /// that it offers.
    fn queued_stores(&self, _out: &MemOut) -> u64 {
        0
    }
}

/// The L1 of an SM: in Rust, or in the design.
#[derive(Debug, Clone)]
pub enum FirstLevel {
    /// Beside a register-file design.
    Rust(Box<L1>),
    /// In a design with both ports, which does not hold shared memory.
    Design(Box<DesignPort>),
    /// Beside, or in, a design with both ports that holds shared memory.
    Cache(Box<CachePort>),
}

impl FirstLevel {
    /// The Rust L1 and shared memory of `preset`, divided so.
    #[must_use]
    pub fn rust(preset: &Preset, division: &Division) -> Self {
        Self::Rust(Box::new(L1::new(&division.l1d(preset), &preset.shared_memory)))
    }

    /// What a design holds behind its memory port, beside what it does not hold.
    #[must_use]
    pub fn design(preset: &Preset, division: &Division, held: HeldSpaces) -> Self {
        if held.shared {
            Self::Cache(Box::new(CachePort::new(&division.l1d(preset), preset, held)))
        } else {
            Self::Design(Box::new(DesignPort::new(&preset.l1d, &preset.shared_memory)))
        }
    }

    /// The L1, if it is the one in Rust.
    fn l1(&self) -> Option<&L1> {
        match self {
            Self::Rust(l1) => Some(l1),
            Self::Cache(port) => port.l1(),
            Self::Design(_) => None,
        }
    }

    /// What the auditor of the Rust L1 found wrong.
    fn audit(&self) -> Result<(), DesignError> {
        match self.l1().and_then(|l1| l1.broken().map(|what| (l1.cycle(), what))) {
            None => Ok(()),
            Some((cycle, what)) => Err(DesignError::Model { cycle, what: format!("L1: {what}") }),
        }
    }

    /// Counters.
    #[must_use]
    pub fn statistics(&self) -> L1Statistics {
        match self {
            Self::Rust(l1) => l1.statistics(),
            Self::Design(port) => *port.statistics(),
            Self::Cache(port) => port.statistics(),
        }
    }
}

impl MemoryPort for FirstLevel {
    fn reset(&mut self) -> MemOut {
        match self {
            Self::Rust(l1) => l1.reset(),
            Self::Design(port) => port.reset(),
            Self::Cache(port) => port.reset(),
        }
    }

    #[inline]
    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        match self {
            Self::Rust(l1) => l1.step(input, out),
            Self::Design(port) => port.step(input, out),
            Self::Cache(port) => port.step(input, out),
        }?;
        self.audit()
    }
}

impl FirstLevelPort for FirstLevel {
    #[inline]
    fn line_events(&self) -> Option<&LineEvents> {
        match self {
            Self::Rust(l1) => Some(l1.line_events()),
            Self::Design(port) => Some(port.line_events()),
            Self::Cache(port) => Some(port.line_events()),
        }
    }

    fn invalidate(&mut self) {
        match self {
            Self::Rust(l1) => l1.invalidate(),
            Self::Cache(port) => port.invalidate(),
            Self::Design(_) => {}
        }
    }

    fn queued_stores(&self, out: &MemOut) -> u64 {
        let offered = || u64::from(out.lower_request.valid && is_store(&out.lower_request));
        self.l1().map_or_else(offered, L1::queued_stores)
    }
}

impl<P: FirstLevelPort> MemorySystem<P> {
    /// What the last clock edge did to the lines of global memory that the L1 holds.
    #[must_use]
    pub fn line_events(&self) -> Option<&LineEvents> {
        self.port.line_events()
    }

    /// At the next clock edge everything of global memory leaves the L1, if it is not in the design.
    pub fn invalidate_l1(&mut self) {
        self.port.invalidate();
    }

    /// Stores past the L1 of this launch that have been performed, as far as [`FirstLevelPort::queued_stores`] knows them.
    #[must_use]
    pub fn stores_performed(&self) -> u64 {
        self.stores_sent + self.port.queued_stores(&self.out)
    }
}

impl MemorySystem<FirstLevel> {
    /// What the clock edge did to the lines that a design with its own L1 holds, as its cycle model tells.
    pub fn design_lines(&mut self, events: &LineEvents) {
        match &mut self.port {
            FirstLevel::Design(port) => port.design_lines(events),
            FirstLevel::Cache(port) => port.design_lines(events),
            FirstLevel::Rust(_) => {}
        }
    }
}
