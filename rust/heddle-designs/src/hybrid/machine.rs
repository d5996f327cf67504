//! STT-RAM behind the write buffers.

use super::NAME;
use super::buffer::{Gating, State};
use super::commands::{Changes, Commands};
use super::reader::{Obstacles, Reader, Reads};
use super::stt_file::SttFile;
use super::write_buffers::{BufferCycle, BufferFields, WriteBuffers};
use crate::common::event_fields;
use crate::front::{Answer, Front, Limit, Machine, Mechanism, Present};
use heddle_port::{
    CommandOp, DesignError, EventField, Events, Instance, Issue, NUM_SOURCES, PortConfig, RegOut, ResultWrite,
};

/// The hybrid register file without its data.
pub type Hybrid = Machine<Buffered>;

event_fields! {
    /// Places of the events, those of the write buffers aside.
    struct Fields {
        sttram_read,
        buffer_read,
        rcm_read,
        read_behind_result,
        read_conflict,
        read_behind_write,
        activation_wait,
        exit_wait,
        staged_results,
    }
}

/// Events of an active period that ends, by the class of the entries used in it.
const PERIODS: [&str; 8] = [
    "period_entries_0",
    "period_entries_1_to_4",
    "period_entries_5_to_8",
    "period_entries_9_to_12",
    "period_entries_13_to_16",
    "period_entries_17_to_32",
    "period_entries_33_to_48",
    "period_entries_49_to_64",
];

/// The file with its write buffers and what commands do to them.
#[derive(Debug, Clone)]
pub struct Buffered {
    fields: Fields,
    buffer_fields: BufferFields,
    periods: [EventField; PERIODS.len()],
    result_width: usize,
    file: SttFile,
    commands: Commands,
    buffers: WriteBuffers,
    /// Of the cycle that ends: the oldest result and entries, what the command does to the buffers, the power
    /// gating that a kernel start brings, and the banks that were occupied.
    cycle: BufferCycle,
    changes: Changes,
    gating: Option<bool>,
    busy: u32,
}

impl Buffered {
    /// The reads that begin in this cycle, and the entries of the sources that lie in the write buffer.
    #[inline]
    fn choose_reads(&self) -> (Reads, [Option<u8>; NUM_SOURCES]) {
        let file = &self.file;
        let Some(current) = file.reader.current() else { return (Reads::default(), [None; NUM_SOURCES]) };
        let obstacles = Obstacles {
            stop: !file.is_ready(file.reader_bank()),
            pending: file.queue.pending(current.warp, &current.numbers),
            slots: current.numbers.map(|number| self.buffers.find(number)),
        };
        (file.reader.choose(&obstacles), obstacles.slots)
    }

    /// The buffer that fills belongs to the active warp.
    #[inline]
    fn is_active(&self, warp: Option<u8>) -> bool {
        let buffers = self.buffers.buffers();
        buffers.iter().any(|b| b.state == State::Fill && warp.is_none_or(|warp| b.owner == warp))
    }
}

impl Mechanism for Buffered {
    const NAME: &'static str = NAME;
    type Collectors = Reader;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let mut periods = [EventField::default(); PERIODS.len()];
        for (field, name) in periods.iter_mut().zip(PERIODS) {
            *field = instance.events.require(NAME, name)?;
        }
        Ok(Self {
            fields: Fields::new(NAME, &instance.events)?,
            buffer_fields: BufferFields::new(NAME, &instance.events)?,
            periods,
            result_width: instance.widths.result,
            file: SttFile::default(),
            commands: Commands::default(),
            buffers: WriteBuffers::default(),
            cycle: BufferCycle::default(),
            changes: Changes::default(),
            gating: None,
            busy: 0,
        })
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let (active, wakeup) = (config.active_warps, config.wakeup_cycles);
        let mut limits = SttFile::limits(config);
        limits.extend([
            Limit::new(
                "scheduler.active_warps",
                active,
                active == 1,
                "one warp is active at a time, which only scheduler.policy=two-level gives",
            ),
            Limit::new(
                "register_file.wakeup_cycles",
                wakeup,
                wakeup != 0,
                "waking up takes at least 1 cycle",
            ),
        ]);
        limits
    }

    fn reset(&mut self, config: &PortConfig) {
        self.file = SttFile::new(config, self.result_width);
        self.commands = Commands::default();
        self.buffers = WriteBuffers::new(Gating { on: false, wakeup_cycles: config.wakeup_cycles });
        (self.cycle, self.changes) = (BufferCycle::default(), Changes::default());
        (self.gating, self.busy) = (None, 0);
    }

    fn collectors(&mut self) -> &mut Reader {
        &mut self.file.reader
    }

    #[inline]
    fn takes_result(&self, port: usize) -> bool {
        port < self.file.queue.free()
    }

    #[inline]
    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        let (reads, slots) = self.choose_reads();
        let (file, fields) = (&mut self.file, self.fields);
        let bank = file.reader_bank();
        let open = std::array::from_fn(|k| file.is_ready(k) && (reads.granted == 0 || bank != k));
        self.cycle = self.buffers.decide(file.queue.first().copied(), open, self.commands.youngest);
        self.changes = Changes::default();
        let buffered = slots.iter().enumerate().fold(0, |set, (s, slot)| set | u8::from(slot.is_some()) << s);
        fields.staged_results.set(events, file.queue.len() as u64);
        fields.sttram_read.set(events, file.arrays(&reads));
        fields.buffer_read.set(events, (buffered & reads.granted).into());
        fields.rcm_read.set(events, reads.granted.into());
        fields.read_behind_result.set(events, reads.behind_result.into());
        fields.read_conflict.set(events, (reads.conflict && file.is_ready(bank)).into());
        fields.read_behind_write.set(events, (reads.wanted != 0 && file.is_writing(bank)).into());
        self.busy = file.tick(&reads, self.cycle.grants.writes);
        Ok(())
    }

    #[inline]
    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        if !self.is_active(Some(issue.warp)) {
            return Err(format!("warp slot {} issues and is not active", issue.warp));
        }
        self.file.take_issue(front, issue)
    }

    #[inline]
    fn take_result(&mut self, front: &Front, _port: usize, result: &ResultWrite) -> Result<(), String> {
        self.file.take_result(front, result)
    }

    /// The queue has the results that were there when the cycle began, and those that it accepted in this
    /// cycle.
    fn command(&mut self, _front: &Front, present: Present<'_>) -> Result<Answer, String> {
        let Present { op, command, accepted } = present;
        match op {
            CommandOp::KernelStart => {
                SttFile::check_registers(command.value)?;
                self.gating = Some(command.gating);
            }
            CommandOp::Activate if accepted && self.is_active(None) => {
                return Err(format!("warp slot {} becomes active while another warp is", command.warp));
            }
            _ => {}
        }
        let held = self.file.queue.holds(command.warp);
        self.changes = self.commands.step(op, command.warp, self.buffers.buffers(), held);
        Ok(if self.changes.waits.is_some() { Answer::Waits } else { Answer::Done })
    }

    #[inline]
    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        if self.cycle.left {
            self.file.queue.pop();
        }
        let happened = self.buffers.events(&self.cycle, &self.changes.buffers);
        self.buffer_fields.put(&happened.counted, &mut out.events);
        for class in happened.periods.into_iter().flatten() {
            self.periods[class].set(&mut out.events, 1);
        }
        let waits = |op| u64::from(self.changes.waits == Some(op));
        self.fields.activation_wait.set(&mut out.events, waits(CommandOp::Activate));
        self.fields.exit_wait.set(&mut out.events, waits(CommandOp::Exit));
        self.buffers.tick(&self.cycle, &self.changes.buffers);
        if let Some(on) = self.gating.take() {
            self.buffers.gating.on = on;
        }
        out.status.bank_busy[0] = self.busy;
        Ok(())
    }
}
