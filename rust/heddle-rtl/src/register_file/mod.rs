//! The verilated design behind the register port.

mod memory_care;
mod record;
mod trace;

use std::path::{Path, PathBuf};

use heddle_port::{
    Command, DesignError, Done, Instance as MadeWith, Issue, LaneData, MAX_PORT_WIDTH, MemorySide, NUM_LANES,
    NUM_SOURCES, OperandData, Operands, PortConfig, PortStruct, PortWidths, RegIn, RegOut, RegisterData,
    RegisterFile, ResultWrite, Status,
};
use verilated_runtime::{Instance, RunError, Shape};

use self::record::Recorder;
use crate::memory_side::{MemoryLayout, RtlMemory};
use crate::slots::{get_slot, negate, put_slot, words};

/// Clock cycles that reset is held; they are not counted.
pub const RESET_CYCLES: u32 = 4;

/// Where each port begins in the word buffers, as the shim has it.
#[derive(Debug, Clone, Copy)]
struct Layout {
    issue: usize,
    operands_ready: usize,
    result: usize,
    command: usize,
    input: usize,
    result_ready: usize,
    command_ready: usize,
    done: usize,
    status: usize,
    events: usize,
    event_words: usize,
    output: usize,
    /// Where the memory port begins, of a design that has it.
    memory: Option<MemoryLayout>,
}

/// Words of all operand slots.
const OPERAND_WORDS: usize = MAX_PORT_WIDTH * NUM_SOURCES * NUM_LANES;
const RESET: usize = 0;
const CONFIG: usize = 1;
const ISSUE_READY: usize = 0;
const OPERANDS: usize = 1;

/// What a top module has beside the slots of its port.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RtlShape {
    /// The memory port.
    pub memory: bool,
    /// 32-bit words of its events.
    pub event_words: usize,
}

impl Layout {
    const fn new(widths: PortWidths, shape: RtlShape) -> Self {
        let issue = CONFIG + words(PortConfig::BITS);
        let operands_ready = issue + words(widths.issue * Issue::BITS);
        let result = operands_ready + 1;
        let command = result + words(widths.result * ResultWrite::BITS);
        let result_ready = OPERANDS + words(widths.issue * Operands::BITS);
        let command_ready = result_ready + 1;
        let done = command_ready + 1;
        let status = done + words(Done::BITS);
        let events = status + words(Status::BITS);
        let input = command + words(Command::BITS);
        let output = events + shape.event_words;
        let memory = if shape.memory { Some(MemoryLayout::new(input, output)) } else { None };
        Self {
            issue,
            operands_ready,
            result,
            command,
            input,
            result_ready,
            command_ready,
            done,
            status,
            events,
            event_words: shape.event_words,
            output,
            memory,
        }
    }

    const fn shape(&self) -> Shape {
        let register = Shape {
            input: self.input,
            bulk_input: MAX_PORT_WIDTH * NUM_LANES,
            output: self.output,
            bulk_output: OPERAND_WORDS,
        };
        match self.memory {
            Some(memory) => memory.extend(register),
            None => register,
        }
    }
}

/// A verilated design with its data, one clock cycle at a time.
///
/// The configuration inputs hold for the first cycle after reset; from then on they have every bit of it negated, which
/// no design that has taken it sees. Payloads without valid are reported as zero. Cycles are counted from the end of reset, as the port
/// counts them; a waveform has cycle `n` at `n` nanoseconds.
#[derive(Debug)]
pub struct RtlRegisterFile {
    design: String,
    instance: Instance,
    made_with: MadeWith,
    widths: PortWidths,
    layout: Layout,
    input: Vec<u32>,
    output: Vec<u32>,
    operand_data: Box<OperandData>,
    /// The memory port, of a design that has it.
    memory: Option<Box<RtlMemory>>,
    pending_trace: Option<PathBuf>,
    recorder: Option<Box<Recorder>>,
    running: bool,
    /// The configuration inputs are what the design is to take.
    config_holds: bool,
}

impl RtlRegisterFile {
    pub(crate) fn new(
        design: &str,
        instance: Instance,
        made_with: MadeWith,
        shape: RtlShape,
    ) -> Result<Self, RunError> {
        let widths = made_with.widths;
        let layout = Layout::new(widths, shape);
        let shape = layout.shape();
        if shape != instance.shape() {
            return Err(RunError::Model(format!(
                "the ports of {design} have another shape than the port's contract: {:?} instead of {shape:?}",
                instance.shape(),
            )));
        }
        Ok(Self {
            design: design.to_owned(),
            instance,
            made_with,
            widths,
            layout,
            input: vec![0; shape.input],
            output: vec![0; shape.output],
            operand_data: Box::new([[[0; NUM_LANES]; NUM_SOURCES]; MAX_PORT_WIDTH]),
            memory: layout.memory.map(|layout| Box::new(RtlMemory::new(layout, shape))),
            pending_trace: None,
            recorder: None,
            running: false,
            config_holds: false,
        })
    }

    /// Issue and result slots of this elaboration.
    #[must_use]
    pub fn widths(&self) -> PortWidths {
        self.widths
    }

    /// What a cycle model of this elaboration is made with.
    #[must_use]
    pub fn made_with(&self) -> &MadeWith {
        &self.made_with
    }

    /// Number of the current cycle, from the end of reset.
    #[must_use]
    pub fn cycle(&self) -> u64 {
        self.instance.cycles()
    }

    /// Runs the final blocks of the RTL; no cycle may follow.
    ///
    /// # Errors
    /// [`DesignError::Rtl`] if one of them fails.
    pub fn finish(&mut self) -> Result<(), DesignError> {
        let finished = self.instance.finish();
        finished.map_err(|e| self.failure(&e))
    }

    /// What the RTL printed since the last call and no error carried.
    pub fn take_output(&mut self) -> String {
        self.instance.take_output()
    }

    pub(crate) fn plant(&mut self, number: u16) -> Result<(), RunError> {
        self.instance.control(1, u64::from(number)).map(drop)
    }

    /// How often the planted bug gave another value than the right expression, counted by
    /// evaluation of the expression.
    ///
    /// # Errors
    /// [`DesignError::Rtl`] if the model was built without planted bugs.
    pub fn activations(&mut self) -> Result<u64, DesignError> {
        let count = self.instance.control(2, 0);
        count.map_err(|e| self.failure(&e))
    }

    /// How often the expression of a mutant was evaluated since the instance was made, and how often the mutant's
    /// value was another one.
    ///
    /// # Errors
    /// [`DesignError::Rtl`] if the model was built without mutants.
    pub(crate) fn mutant_counts(&mut self, number: u16) -> Result<[u64; 2], DesignError> {
        let mut count = |code| self.instance.control(code, u64::from(number));
        let counts = count(1).and_then(|evaluated| Ok([evaluated, count(2)?]));
        counts.map_err(|e| self.failure(&e))
    }

    /// Writes what was covered since the instance was made, as [`verilated_runtime::Instance::coverage_write`] does.
    ///
    /// # Errors
    /// [`DesignError::Rtl`] if the file cannot be written, or the model is none of [`crate::covered`].
    pub fn coverage_write(&mut self, path: &Path) -> Result<(), DesignError> {
        let written = self.instance.coverage_write(path);
        written.map_err(|e| self.failure(&e))
    }

    fn failure(&self, error: &RunError) -> DesignError {
        DesignError::Rtl { design: self.design.clone(), message: error.to_string() }
    }

    #[inline]
    fn clock(&mut self, result_data: &[LaneData; MAX_PORT_WIDTH]) -> Result<(), DesignError> {
        let operand_data = self.operand_data.as_flattened_mut().as_flattened_mut();
        let result_data = result_data.as_flattened();
        let (bulk_input, bulk_output) = match &mut self.memory {
            None => (result_data, operand_data),
            Some(memory) => memory.bulk(),
        };
        let moved = self.instance.cycle(&self.input, bulk_input, &mut self.output, bulk_output);
        if let (Some(recorder), Ok(())) = (&mut self.recorder, &moved) {
            recorder.edge(&self.input, bulk_input, &self.output, bulk_output);
        }
        moved.map_err(|e| self.failure(&e))?;
        if self.instance.finished() {
            let error = RunError::Model(format!("the RTL called $finish in cycle {}", self.cycle()));
            return Err(self.failure(&error));
        }
        Ok(())
    }

    #[inline]
    fn pack(&mut self, input: &RegIn) {
        let layout = self.layout;
        let mut ready = 0;
        for slot in 0..self.widths.issue {
            put_slot(&input.issue[slot], input.issue[slot].valid, &mut self.input[layout.issue..], slot);
            ready |= u32::from(input.operands_ready[slot]) << slot;
        }
        self.input[layout.operands_ready] = ready;
        for slot in 0..self.widths.result {
            put_slot(&input.result[slot], input.result[slot].valid, &mut self.input[layout.result..], slot);
        }
        put_slot(&input.command, input.command.valid, &mut self.input[layout.command..], 0);
        if let Some(memory) = &mut self.memory {
            let results = input.result.iter().zip(&input.result_data).enumerate();
            for (slot, (_, data)) in results.filter(|(_, (result, _))| result.valid) {
                memory.put_result(slot, data);
            }
            memory.pack(&mut self.input);
        }
    }

    #[inline]
    fn unpack(&self, out: &mut RegOut) {
        let layout = self.layout;
        let words = &self.output;
        for slot in 0..self.widths.issue {
            out.issue_ready[slot] = words[ISSUE_READY] >> slot & 1 != 0;
            out.operands[slot] = get_slot(&words[OPERANDS..], slot);
        }
        for slot in 0..self.widths.result {
            out.result_ready[slot] = words[layout.result_ready] >> slot & 1 != 0;
        }
        out.command_ready = words[layout.command_ready] & 1 != 0;
        out.done = get_slot(&words[layout.done..], 0);
        out.status = Status::get(&words[layout.status..], 0);
        out.events[..layout.event_words].copy_from_slice(&words[layout.events..][..layout.event_words]);
    }

    #[inline]
    fn unpack_memory(&mut self, out: &RegOut) {
        if let Some(memory) = &mut self.memory {
            memory.unpack(&self.output);
            let slots = self.operand_data.iter_mut().zip(memory.operands());
            for ((to, from), _) in slots.zip(&out.operands).filter(|(_, operands)| operands.valid) {
                to.as_flattened_mut().copy_from_slice(from);
            }
        }
    }
}

impl RegisterFile for RtlRegisterFile {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let none = [[0; NUM_LANES]; MAX_PORT_WIDTH];
        self.trace_close()?;
        self.running = false;
        self.input.fill(0);
        config.put(&mut self.input[CONFIG..], 0);
        for _ in 0..RESET_CYCLES {
            self.clock(&none)?;
        }
        self.input[RESET] = 1;
        self.config_holds = true;
        let restarted = self.instance.restart_count();
        restarted.map_err(|e| self.failure(&e))?;
        self.running = true;
        if let Some(path) = self.pending_trace.take() {
            self.trace_open(&path)?;
        }
        let mut out = RegOut::default();
        self.unpack(&mut out);
        self.unpack_memory(&out);
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.pack(input);
        self.clock(&input.result_data)?;
        if self.config_holds {
            self.config_holds = false;
            negate(&mut self.input[CONFIG..], PortConfig::BITS);
        }
        self.unpack(out);
        self.unpack_memory(out);
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        self.memory.as_deref_mut().map(|memory| memory as &mut dyn MemorySide)
    }
}

impl RegisterData for RtlRegisterFile {
    fn operand_data(&self) -> &OperandData {
        &self.operand_data
    }
}
