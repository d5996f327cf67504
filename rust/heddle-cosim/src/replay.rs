//! Stimulus recorded from a run and given to the RTL alone, to measure what the RTL itself costs.

use heddle_isa::DeviceMemory;
use heddle_port::{MemIn, MemorySide, PortConfig, RegIn, RegOut, RegisterFile};
use heddle_sm::{ArchitecturalRegisters, Below, Sm};

use crate::control::Control;
use crate::design::{PreparedDesign, refused};
use crate::error::RunError;
use crate::kernel::Entry;
use crate::library::RtlLibrary;
use crate::memory_port::{collect, drive};
use crate::spec::RunSpec;

/// What the SM and L2 drove into the ports of a design, cycle by cycle.
#[derive(Debug, Clone)]
pub struct Stimulus {
    config: PortConfig,
    inputs: Vec<RegIn>,
    /// Of the memory port; empty for a design without it.
    memory: Vec<MemIn>,
}

impl Stimulus {
    pub(crate) fn new(config: PortConfig) -> Self {
        Self { config, inputs: Vec::new(), memory: Vec::new() }
    }

    /// Cycles recorded.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.inputs.len() as u64
    }
}

/// Runs the first `limit` cycles of a launch with the cycle model and records its inputs.
pub(crate) fn record(
    design: &PreparedDesign,
    entry: &Entry,
    sm: &mut Sm,
    model: &mut dyn RegisterFile,
    limit: usize,
) -> Result<Stimulus, RunError> {
    let mut stimulus = Stimulus::new(design.config);
    let mut registers = ArchitecturalRegisters::new(entry.executable.program.num_regs);
    let mut out = model.reset(&design.config).map_err(refused)?;
    let mut input = RegIn::default();
    let failed = |e: &dyn std::fmt::Display| RunError::Kernel { message: e.to_string() };
    while !sm.is_done() && stimulus.inputs.len() < limit {
        sm.tick(&out, &registers, &mut input, &mut ()).map_err(|e| failed(&e))?;
        drive(sm, model);
        stimulus.memory.extend(sm.to_design_memory().cloned());
        model.step(&input, &mut out).map_err(|e| failed(&e))?;
        collect(sm, model);
        registers.step(&input, &out);
        stimulus.inputs.push(input.clone());
    }
    Ok(stimulus)
}

/// The RTL alone.
pub struct BareRtl {
    rtl: heddle_rtl::RtlRegisterFile,
}

impl BareRtl {
    /// Builds the RTL of a run, or finds it built, and makes an instance.
    ///
    /// # Errors
    /// As a run.
    pub fn new(spec: &RunSpec, control: &mut dyn Control) -> Result<Self, RunError> {
        let design = PreparedDesign::new(spec)?;
        let rtl = RtlLibrary::build(spec, &design, false, control)?.instance(spec.seed, 0)?;
        Ok(Self { rtl })
    }

    /// Steps the RTL through a stimulus from reset and returns a number made of its outputs.
    ///
    /// # Errors
    /// [`RunError::Build`] when the RTL stops.
    pub fn replay(&mut self, stimulus: &Stimulus) -> Result<u64, RunError> {
        let failed = |e: heddle_port::DesignError| RunError::Build {
            design: "replay".to_owned(),
            message: e.to_string(),
        };
        let mut out: RegOut = self.rtl.reset(&stimulus.config).map_err(failed)?;
        let mut below = Below::new(DeviceMemory::new());
        let mut sum = 0;
        for (cycle, input) in stimulus.inputs.iter().enumerate() {
            if let (Some(side), Some(memory)) = (self.rtl.memory_side(), stimulus.memory.get(cycle)) {
                drive_with_data(side, memory, &mut below);
            }
            self.rtl.step(input, &mut out).map_err(failed)?;
            sum += u64::from(out.operands[0].valid);
        }
        Ok(sum)
    }
}

/// Drives the memory port. The stimulus comes from a model without data: L2 answers with what the RTL wrote.
fn drive_with_data(side: &mut dyn MemorySide, memory: &MemIn, below: &mut Below) {
    let request = &side.memory_out().lower_request;
    if request.valid
        && memory.lower_ready
        && let Some(data) = side.memory_data()
    {
        below.take(request, &data.lower_request);
    }
    if memory.lower_response.valid {
        let lower_response_data = below.answer(memory.lower_response.id);
        side.drive_memory(&MemIn { lower_response_data, ..memory.clone() });
    } else {
        side.drive_memory(memory);
    }
}
