//! What all warps of a launch share: the program, the launch and which checks are on.

use std::sync::Arc;

use heddle_isa::exec::WarpContext;
use heddle_isa::{BarrierKind, KernelLaunch, MAX_BLOCK_THREADS, Op, Pc, Program, Space, threads_of};

use crate::decode::{Decoded, decode};
use crate::error::GoldenError;
use crate::race::RaceRule;
use crate::site::Site;

/// Most shared memory of a CTA in bytes: more than any GPU has.
const MAX_SHARED: u32 = 1 << 20;
/// Most local memory of a thread in bytes (CUDA programming guide, technical specifications).
const MAX_LOCAL: u32 = 512 << 10;

/// Checks that a caller may switch off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// Reads of global memory that nobody wrote are errors.
    pub uninitialised_global: bool,
    /// Reads of shared memory that nobody wrote are errors.
    pub uninitialised_shared: bool,
    /// Reads of local memory that the thread did not write are errors.
    pub uninitialised_local: bool,
    /// Which races on shared memory are errors. None is judged in programs whose barriers order only some of the
    /// CTA's warps: with `bar.arrive` or a count of threads.
    pub races: RaceRule,
    /// Reads of registers that were never written are errors; else registers begin as zero.
    pub undefined_registers: bool,
}

impl Checks {
    /// The default for a program: all, but for local memory (copies of structs with padding read it),
    /// and for registers only where the program is allocated, since allocation sets to zero what may
    /// be read before it is written.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        Self {
            uninitialised_global: true,
            uninitialised_shared: true,
            uninitialised_local: false,
            races: RaceRule::default(),
            undefined_registers: program.allocated,
        }
    }
}

/// Program, launch, checks.
#[derive(Debug, Clone)]
pub(crate) struct Env {
    pub program: Arc<Program>,
    pub decoded: Vec<Decoded>,
    pub launch: KernelLaunch,
    pub params: Arc<[u8]>,
    pub constants: Arc<[u8]>,
    pub shared_bytes: u32,
    pub checks: Checks,
    /// By instruction: source slots whose value is dead afterwards; may be empty.
    pub dead_sources: Vec<u8>,
    /// Bytes a cell of the race detector covers: 4 unless the program accesses less.
    pub race_granule: u32,
    /// Barriers order only some of the warps.
    pub partial_barriers: bool,
}

impl Env {
    pub fn new(program: Arc<Program>, launch: &KernelLaunch) -> Result<Self, GoldenError> {
        let threads = threads_of(launch.block);
        let fail = |what: String| Err(GoldenError::Launch { what });
        if launch.num_ctas() == 0 || threads == 0 {
            return fail(format!("grid {:?} of blocks {:?} has no threads", launch.grid, launch.block));
        }
        if threads > MAX_BLOCK_THREADS {
            return fail(format!("a CTA of {threads} threads; at most {MAX_BLOCK_THREADS} are possible"));
        }
        if let Some(expected) = program.declared.expected_block(launch.block) {
            return fail(format!("blocks {:?} of {}; expected {expected}", launch.block, program.name));
        }
        if launch.params.len() < program.param_bytes as usize {
            return fail(format!(
                "{} parameter bytes given; {} takes {}",
                launch.params.len(),
                program.name,
                program.param_bytes
            ));
        }
        let small = program.instrs.iter().any(|i| match i.op {
            Op::Ld { space, ty, .. } | Op::St { space, ty, .. } | Op::Atom { space, ty, .. } => {
                matches!(space, Space::Shared | Space::Generic) && ty.bytes() < 4
            }
            _ => false,
        });
        let partial_barriers = program.instrs.iter().any(|i| match i.op {
            Op::Bar { kind } => kind == BarrierKind::Arrive || i.srcs.len() > 1,
            _ => false,
        });
        let params: Arc<[u8]> = Arc::from(launch.params.as_slice());
        let constants: Arc<[u8]> = match program.constant_bank(&launch.constants) {
            Ok(bank) => Arc::from(bank),
            Err(error) => return fail(error.to_string()),
        };
        let context =
            WarpContext::with_banks(&program, launch, 0, 0, Arc::clone(&params), Arc::clone(&constants));
        for (what, bytes, most) in [
            ("shared memory of a CTA", context.total_shared_bytes, MAX_SHARED),
            ("local memory of a thread", program.local_bytes, MAX_LOCAL),
        ] {
            if bytes > most {
                return fail(format!("{bytes} bytes of {what}; at most {most} are possible"));
            }
        }
        Ok(Self {
            decoded: decode(&program)?,
            checks: Checks::of(&program),
            program,
            launch: launch.clone(),
            params,
            constants,
            shared_bytes: context.total_shared_bytes,
            dead_sources: Vec::new(),
            race_granule: if small { 1 } else { 4 },
            partial_barriers,
        })
    }

    /// The place of an instruction of a warp, or of one of its lanes.
    #[cold]
    pub fn site(&self, cta: u64, warp: u32, lane: Option<usize>, pc: Pc) -> Box<Site> {
        let [nx, ny, _] = self.launch.block.map(|d| d.max(1));
        let lane = lane.map(|l| l as u32);
        let thread = warp * 32 + lane.unwrap_or(0);
        let loc = self.program.instrs.get(pc.index()).map(|i| i.loc).unwrap_or_default();
        let (file, loc) = self.program.source.place(loc);
        Box::new(Site {
            cta,
            warp,
            lane,
            thread: [thread % nx, thread / nx % ny, thread / nx / ny],
            pc,
            file: file.to_owned(),
            line: loc.line,
            column: loc.column,
            text: self.program.source_line(pc).to_owned(),
        })
    }
}
