//! A write-through register cache before the conventional register file.
//!
//! Cycle model of `rtl/regcache`, without data: [`cache`] (warp_cache) before the model of the baseline, and
//! the register in which the operands of both come together.

mod cache;

use cache::{Cache, Write};
use heddle_port::{
    CommandOp, DesignError, EventField, Instance, MAX_PORT_WIDTH, NUM_SOURCES, Operands, PortConfig, RegIn,
    RegOut, RegisterFile,
};

/// Name of the design, in messages.
pub const NAME: &str = "regcache";

/// The cycle model; it needs a reset before its first step.
///
/// # Errors
/// The instance lacks a parameter or event that the model needs.
pub fn make(instance: &Instance) -> Result<Box<dyn RegisterFile + Send>, DesignError> {
    let field = |name| instance.events.require(NAME, name);
    let entries = instance.parameters.size(NAME, "entries")?;
    Ok(Box::new(CachedFile {
        events: [
            field("cache_hit")?,
            field("cache_miss")?,
            field("cache_update")?,
            field("cache_allocate")?,
            field("hits_kept")?,
        ],
        entries,
        cache: Cache::new(entries),
        file: heddle_designs::base(NAME, "baseline", instance)?,
        behind: RegOut::default(),
        operands: Default::default(),
        kept: 0,
    }))
}

/// The cached register file without its data.
struct CachedFile {
    /// Hits, misses, updates, allocations, and instructions kept.
    events: [EventField; 5],
    entries: usize,
    cache: Cache,
    file: Box<dyn RegisterFile + Send>,
    /// Outputs of the file in the current cycle.
    behind: RegOut,
    /// The output register.
    operands: [Operands; MAX_PORT_WIDTH],
    /// Instructions between issue and the output register.
    kept: u64,
}

impl CachedFile {
    /// Takes what the cache has out of `rest`, the inputs of the file; hits and misses of accepted instructions.
    fn look_up(&mut self, rest: &mut RegIn) -> (u64, u64) {
        let (mut hits, mut misses) = (0, 0);
        for (slot, issue) in rest.issue.iter_mut().enumerate().filter(|(_, issue)| issue.valid) {
            let hit = self.cache.hits(issue);
            issue.source_valid &= !hit;
            if self.behind.issue_ready[slot] {
                hits |= u64::from(hit) << (slot * NUM_SOURCES);
                misses |= u64::from(issue.source_valid) << (slot * NUM_SOURCES);
                self.kept += 1;
            }
        }
        (hits, misses)
    }

    /// The output register takes operands of the file where it has room.
    fn hand_over(&mut self, rest: &mut RegIn) {
        for (slot, offered) in self.behind.operands.iter().enumerate() {
            rest.operands_ready[slot] |= !self.operands[slot].valid;
            if rest.operands_ready[slot] {
                self.operands[slot] = *offered;
                self.kept -= u64::from(offered.valid);
            }
        }
    }

    /// Accepted results; those that change an entry, and those that make one.
    fn write(&mut self, input: &RegIn) -> (u64, u64) {
        let (mut updates, mut allocations) = (0, 0);
        for (port, result) in input.result.iter().enumerate() {
            if result.valid && self.behind.result_ready[port] {
                match self.cache.write(result) {
                    Write::Past => {}
                    Write::Update => updates |= 1 << port,
                    Write::Allocate => allocations |= 1 << port,
                }
            }
        }
        (updates, allocations)
    }
}

impl RegisterFile for CachedFile {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.cache = Cache::new(self.entries);
        self.behind = self.file.reset(config)?;
        (self.operands, self.kept) = Default::default();
        Ok(self.behind)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let (mut rest, kept) = (input.clone(), self.kept);
        let (hits, misses) = self.look_up(&mut rest);
        self.hand_over(&mut rest);
        let (updates, allocations) = self.write(input);
        if input.command.valid && self.behind.command_ready {
            match CommandOp::from_code(input.command.op) {
                Some(CommandOp::KernelStart) => self.cache.clear(None),
                Some(CommandOp::WarpBase) => self.cache.clear(Some(input.command.warp)),
                _ => {}
            }
        }
        self.file.step(&rest, &mut self.behind)?;
        *out = RegOut { operands: self.operands, ..self.behind };
        for (event, value) in self.events.iter().zip([hits, misses, updates, allocations, kept]) {
            event.set(&mut out.events, value);
        }
        Ok(())
    }
}
