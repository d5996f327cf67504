//! Registers and lines in one memory of four tag banks.

use heddle_port::{
    CommandOp, DesignError, Done, Events, Instance, Issue, LineEvents, MemIn, MemOut, MemPerformed,
    MemResponse, MemorySide, PortConfig, RegOut, ResultWrite,
};

use super::collectors::CerfCollectors;
use super::exits::Exits;
use super::fills::{FillUnit, Responses};
use super::lower::LowerQueue;
use super::memory::MemoryUnit;
use super::mshrs::{Mshrs, NUM_MSHRS};
use super::order::Order;
use super::tags::TagBank;
use super::{NAME, NUM_REGISTERS, NUM_TAG_BANKS};
use crate::common::{Rotating, event_fields};
use crate::front::{Answer, Front, Limit, Machine, Mechanism, MemoryInputs, Present, SourceRef, WriteBuffer};

/// The cache-emulated register file without its data.
pub type Cerf = Machine<Integrated>;

event_fields! {
    /// Places of the events.
    pub(super) struct Fields {
        row_read,
        row_write,
        tag_lookup,
        evict_for_register,
        evict_for_line,
        evict_for_bypass,
        bank_conflict,
        read_behind_write,
        inactive_to_reg,
        cache_to_reg,
        reg_dead,
        reg_ended,
        inactive_to_cache,
        cache_to_cache,
        cache_to_dirty,
        register_miss,
        load_hit,
        load_miss,
        load_merged,
        bypassed,
        store_hit,
        store_through,
        fill_refused,
        memory_stall,
        cache_dropped,
        granted_collector,
        granted_source,
        write_level,
        lower_level,
        collectors_in_use,
        mshrs_in_use,
        flushed_line,
        register_entries,
        spill_for_register,
        spill_for_line,
        refill_started,
        register_refilled,
        write_merged,
        line_entries,
        register_away,
        entry,
    }
}

/// What an instance is made with.
#[derive(Debug, Clone, Copy)]
struct Made {
    fields: Fields,
    result_width: usize,
    interleaved: usize,
}

/// The integrated memory.
#[derive(Debug, Clone)]
pub struct Integrated {
    pub(super) fields: Fields,
    result_width: usize,
    /// Word of the configuration that says whether registers are interleaved.
    interleaved: usize,
    pub(super) order: Order,
    /// Registers give way as lines do.
    fair: bool,
    pub(super) cycle: u64,
    pub(super) banks: [TagBank; NUM_TAG_BANKS],
    pub(super) arbiters: [Rotating; NUM_TAG_BANKS],
    pub(super) collectors: CerfCollectors,
    /// Of each result its warp register, and whether it writes all lanes.
    pub(super) writes: WriteBuffer<(u16, bool)>,
    pub(super) exits: Exits,
    pub(super) memory: MemoryUnit,
    pub(super) mshrs: Mshrs,
    pub(super) fills: FillUnit,
    pub(super) responses: Responses,
    pub(super) lower: LowerQueue,
    /// The entry, {way, set, tag bank}, that the walk at the end of a kernel visits next.
    pub(super) flush: Option<u16>,
    /// Operand reads whose row is being accessed, and those whose data are there, by tag bank.
    reading: [Option<SourceRef>; NUM_TAG_BANKS],
    read: [Option<SourceRef>; NUM_TAG_BANKS],
    /// Tag banks whose data banks are accessed in the cycle that comes, and in the one that ends.
    accessing: u32,
    busy: u32,
    pub(super) memory_in: MemoryInputs,
    memory_out: MemOut,
    /// Response and performed event of the cycle that comes.
    coming: (MemResponse, MemPerformed),
    /// What the last clock edge did to lines of global memory.
    pub(super) lines: LineEvents,
}

impl Integrated {
    fn configured(made: Made, ways: usize, fair: bool, order: Order) -> Self {
        let Made { fields, result_width, interleaved } = made;
        Self {
            fields,
            result_width,
            interleaved,
            order,
            fair,
            cycle: 0,
            banks: std::array::from_fn(|_| TagBank::new(ways, fair)),
            arbiters: [Rotating::default(); NUM_TAG_BANKS],
            collectors: CerfCollectors::default(),
            writes: WriteBuffer::new(result_width),
            exits: Exits::new(order),
            memory: MemoryUnit::new(),
            mshrs: Mshrs::new(),
            fills: FillUnit::new(),
            responses: Responses::default(),
            lower: LowerQueue::new(),
            flush: None,
            reading: [None; NUM_TAG_BANKS],
            read: [None; NUM_TAG_BANKS],
            accessing: 0,
            busy: 0,
            memory_in: MemoryInputs::default(),
            memory_out: MemOut { request_ready: true, idle: true, ..MemOut::default() },
            coming: (MemResponse::default(), MemPerformed::default()),
            lines: LineEvents::default(),
        }
    }

    /// The numbers of the start of a cycle that are reported as events.
    #[inline]
    fn put_levels(&self, events: &mut Events) {
        let sum = |of: fn(&TagBank) -> u16| self.banks.iter().map(|b| u64::from(of(b))).sum::<u64>();
        let fields = &self.fields;
        fields.write_level.set(events, self.writes.len() as u64);
        fields.lower_level.set(events, self.lower.len() as u64);
        fields.collectors_in_use.set(events, self.collectors.in_use().count_ones().into());
        fields.mshrs_in_use.set(events, self.mshrs.used().into());
        fields.register_entries.set(events, sum(TagBank::registers));
        fields.line_entries.set(events, sum(TagBank::lines));
    }

    /// What the SM's coalescer and L2 drive.
    #[inline]
    fn accept_memory(&mut self) -> Result<(), String> {
        let input = self.memory_in.get();
        if input.flush && (!self.memory_out.idle || input.request.valid) {
            return Err("a flush is asked for while loads or stores are under way".to_owned());
        }
        if input.flush {
            self.flush = Some(0);
        }
        if input.request.valid && self.memory_out.request_ready {
            self.memory.push(&input.request)?;
        }
        if input.lower_response.valid {
            let id = input.lower_response.id;
            if usize::from(id) >= NUM_MSHRS {
                return Err(format!("L2 answers request {id}, which was never sent"));
            }
            self.fills.arrive(id as u8);
        }
        self.memory_in.clear();
        Ok(())
    }

    /// The outputs of the memory port in cycle `next`, which comes.
    #[inline]
    fn put_memory(&mut self, next: u64) {
        let out = &mut self.memory_out;
        (out.response, out.performed) = self.coming;
        out.idle = self.memory.is_empty()
            && self.mshrs.used() == 0
            && self.fills.is_idle()
            && self.responses.is_idle()
            && !out.response.valid
            && self.lower.is_empty()
            && !out.performed.valid
            && self.flush.is_none();
        out.request_ready = self.memory.ready();
        out.lower_request = self.lower.offered(next);
    }
}

impl MemorySide for Integrated {
    fn memory_out(&self) -> &MemOut {
        &self.memory_out
    }

    fn drive_memory(&mut self, input: &MemIn) {
        self.memory_in.drive(input);
    }

    fn line_events(&self) -> Option<&LineEvents> {
        Some(&self.lines)
    }
}

impl Mechanism for Integrated {
    const NAME: &'static str = NAME;
    type Collectors = CerfCollectors;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let made = Made {
            fields: Fields::new(NAME, &instance.events)?,
            result_width: instance.widths.result,
            interleaved: instance.word(NAME, "interleaved")?,
        };
        Ok(Self::configured(made, 4, false, Order::new(false)))
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let PortConfig { bank_cycles, rows_per_bank, ways, .. } = *config;
        vec![
            Limit::new(
                "register_file.bank_cycles",
                bank_cycles,
                bank_cycles == 1,
                "a data bank takes 1 cycle",
            ),
            Limit::new(
                "register_file.rows_per_bank",
                rows_per_bank,
                rows_per_bank == NUM_REGISTERS / 16,
                "64 is the only value, there are 16 x 64 registers",
            ),
            Limit::new("register_file.ways", ways, [2, 4, 8].contains(&ways), "a set has 2, 4 or 8 ways"),
        ]
    }

    fn reset(&mut self, config: &PortConfig) {
        let Self { fields, result_width, interleaved, .. } = *self;
        let order = Order::new(config.own[interleaved] != 0);
        let made = Made { fields, result_width, interleaved };
        *self = Self::configured(made, config.ways.into(), config.fair, order);
    }

    fn collectors(&mut self) -> &mut CerfCollectors {
        &mut self.collectors
    }

    /// Which registers have an entry follows from every result and every last read.
    fn follows_every_instruction(&self) -> bool {
        true
    }

    #[inline]
    fn takes_result(&self, port: usize) -> bool {
        port < self.writes.free()
    }

    #[inline]
    fn access(&mut self, front: &Front, events: &mut Events) -> Result<(), String> {
        self.put_levels(events);
        self.cycle = front.cycle();
        self.lines.begin();
        for target in self.read.into_iter().flatten() {
            self.collectors.deliver(target);
        }
        let popped = self.memory_in.get().lower_ready && self.memory_out.lower_request.valid;
        let waits = !self.memory.is_empty();
        let tagging = self.tagging(events);
        let performed = tagging.performed;
        let (answer, released) = self.fills.step(tagging.filled, self.responses.free(), &mut self.mshrs);
        let hit = self.responses.step(tagging.hit);
        self.writes.grant((!tagging.written).into(), |_, _| {});
        self.memory.park(tagging.lacks, released || popped);
        if performed.valid {
            self.memory.take();
        }
        self.fields.memory_stall.set(events, (waits && !performed.valid).into());
        if popped {
            self.lower.pop();
        }
        (self.busy, self.accessing) = (self.accessing, tagging.rows);
        (self.read, self.reading) = (self.reading, tagging.reading);
        self.coming = (if hit.valid { hit } else { answer }, performed);
        Ok(())
    }

    #[inline]
    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let registers =
            front.sources(issue, |base, register| self.order.place(base, issue.warp, register))?;
        // Only LRU-prioritized looks at dead bits (section III-D).
        let dead = if self.fair { 0 } else { issue.dead };
        Ok(self.collectors.allocate(issue, dead, registers))
    }

    #[inline]
    fn take_result(&mut self, front: &Front, _port: usize, result: &ResultWrite) -> Result<(), String> {
        let register = self.order.place(front.base(result.warp), result.warp, result.register)?;
        self.writes.push(usize::from(register) % NUM_TAG_BANKS, (register, result.mask == u32::MAX));
        Ok(())
    }

    /// An exit is taken over at once, and answered when the registers of its warp are free.
    #[inline]
    fn command(&mut self, _front: &Front, present: Present<'_>) -> Result<Answer, String> {
        if present.op != CommandOp::Exit {
            return Ok(Answer::Done);
        }
        self.exits.take(present.command.warp);
        Ok(Answer::Taken)
    }

    #[inline]
    fn end(&mut self, front: &Front, out: &mut RegOut) -> Result<(), String> {
        let registers_of = |warp| (front.base(warp), front.registers_per_thread());
        if let Some(warp) = self.exits.step(!out.done.valid, registers_of) {
            out.done = Done { valid: true, op: CommandOp::Exit as u8, warp, interval: 0 };
        }
        self.accept_memory()?;
        self.put_memory(front.cycle() + 1);
        out.status.bank_busy[0] = self.busy;
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        Some(self)
    }
}
