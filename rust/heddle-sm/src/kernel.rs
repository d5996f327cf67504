//! What an SM runs: a program as it was prepared for the design, and the launch. Nothing of it changes in a
//! run.

use std::sync::Arc;

use heddle_config::Preset;
use heddle_isa::{Executable, Instr, IntervalId, KernelLaunch, Op, Pc, Program, WarpContext};
use heddle_port::NUM_REGS;

use crate::decode::{Decoded, decode};
use crate::error::{LaunchError, Place};
use crate::launch::Occupancy;

/// Words of the bit-vector of a working set, one bit a register.
type RegisterSet = [u32; NUM_REGS / 32];

/// The kernel of a launch.
#[derive(Debug, Clone)]
pub struct Kernel {
    executable: Arc<Executable>,
    program: Arc<Program>,
    launch: KernelLaunch,
    params: Arc<[u8]>,
    constants: Arc<[u8]>,
    decoded: Vec<Decoded>,
    occupancy: Occupancy,
    /// The program comes from a trace.
    recorded: bool,
}

impl Kernel {
    /// A program and its launch on an SM of `preset`.
    ///
    /// # Errors
    /// A program that the SM cannot take, or a launch without its constants.
    pub fn new(
        preset: &Preset,
        executable: Arc<Executable>,
        launch: &KernelLaunch,
        occupancy: Occupancy,
    ) -> Result<Self, LaunchError> {
        let decoded = decode(&executable, preset)?;
        let program = Arc::clone(&executable.program);
        Ok(Self {
            params: Arc::from(launch.params.as_slice()),
            constants: Arc::from(program.constant_bank(&launch.constants)?),
            recorded: program.instrs.iter().any(|i| matches!(i.op, Op::Traced(_))),
            launch: launch.clone(),
            executable,
            program,
            decoded,
            occupancy,
        })
    }

    /// The program with what the design's passes made of it.
    pub fn executable(&self) -> &Executable {
        &self.executable
    }

    #[inline]
    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn launch(&self) -> &KernelLaunch {
        &self.launch
    }

    /// The constant bank that every thread reads.
    pub fn constants(&self) -> &[u8] {
        &self.constants
    }

    pub fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// CTAs start when their records are supplied, and memory has no contents.
    #[inline]
    pub fn is_recorded(&self) -> bool {
        self.recorded
    }

    /// Its warps prefetch working sets.
    #[inline]
    pub fn has_intervals(&self) -> bool {
        self.executable.intervals.is_some()
    }

    /// The registers of an interval; none where there are no intervals.
    pub fn working_set(&self, interval: IntervalId) -> RegisterSet {
        let intervals = self.executable.intervals.as_ref();
        intervals.map_or_else(Default::default, |all| all.intervals[usize::from(interval.0)].working_set.data)
    }

    /// An instruction that has issued.
    #[inline]
    pub fn instr(&self, pc: Pc) -> &Instr {
        &self.program.instrs[pc.index()]
    }

    /// The same, prepared.
    #[inline]
    pub fn issued(&self, pc: Pc) -> &Decoded {
        &self.decoded[pc.index()]
    }

    /// The instruction at `pc`, prepared; `None` past the end of the program.
    #[inline]
    pub fn next(&self, pc: Pc) -> Option<&Decoded> {
        self.decoded.get(pc.index())
    }

    /// What a warp knows of itself when it starts.
    pub fn context(&self, cta: u64, warp_in_cta: u32) -> WarpContext {
        let (params, constants) = (Arc::clone(&self.params), Arc::clone(&self.constants));
        WarpContext::with_banks(&self.program, &self.launch, cta, warp_in_cta, params, constants)
    }

    /// The place of an instruction of a warp, for messages.
    #[cold]
    pub fn place(&self, cta: u64, warp_in_cta: u32, pc: Pc) -> Box<Place> {
        let loc = self.program.instrs.get(pc.index()).map(|i| i.loc).unwrap_or_default();
        Box::new(Place {
            cta,
            warp_in_cta,
            pc,
            location: self.program.source.spelt(loc),
            source: self.program.source_line(pc).to_owned(),
        })
    }
}
