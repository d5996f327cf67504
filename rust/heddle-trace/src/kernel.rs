//! The first pass: from a kernel's trace to a program that passes and the SM can take.

use std::sync::Arc;

use heddle_isa::{KernelLaunch, Pc, Program};

use crate::address_map::AddressMap;
use crate::barriers::AssumedBarriers;
use crate::collector::Collector;
use crate::error::TraceError;
use crate::header::Header;
use crate::more_registers::MoreRegisters;
use crate::places::Places;
use crate::program::build_program;
use crate::reader::Reader;
use crate::replay::Replay;
use crate::source::Source;
use crate::twins::Twins;

/// A kernel as its trace shows it.
#[derive(Debug, Clone)]
pub struct TracedKernel {
    /// The header.
    pub header: Header,
    /// The instructions that were executed, by rising program counter.
    pub program: Arc<Program>,
    /// Grid, block and shared memory.
    pub launch: KernelLaunch,
    /// Warp instructions in the trace.
    pub instructions: u64,
    /// The barriers whose number the trace lacks, where there are such.
    pub assumed_barriers: Option<AssumedBarriers>,
    /// The registers that the header lacks, where there are such.
    pub more_registers: Option<MoreRegisters>,
    pub(crate) source: Source,
    /// That instructions share program counters, where it is so.
    pub twins: Option<Twins>,
    /// By instruction of the trace: first instruction of the program, and how many stand for it.
    pub(crate) index: Arc<Places<(Pc, u32)>>,
    pub(crate) addresses: Arc<AddressMap>,
}

impl TracedKernel {
    /// Reads a whole trace once. Memory is needed for the distinct instructions, for some lines as they stand and for the pages
    /// touched, not for the trace. `goes_on` is asked after each CTA whether to read on.
    ///
    /// # Errors
    /// Everything that is wrong with the trace, with its place.
    pub fn read(
        source: impl Into<Source>,
        addresses: &mut Arc<AddressMap>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Self, TraceError> {
        let source = source.into();
        let mut reader = Reader::open(&source)?;
        let header = reader.header.clone();
        let map = Arc::make_mut(addresses);
        map.begin_kernel();
        let mut collector = Collector::new(&header, map);
        loop {
            collector.begin_cta();
            let cta = reader.next_cta(|warp, line, instruction| collector.take(warp, line, instruction))?;
            collector.end_warp(|| reader.spot())?;
            if cta.is_none() {
                break;
            }
            if !goes_on() {
                return Err(TraceError::Stopped { file: reader.spot().file });
            }
        }
        let (instructions, assumed_barriers) = (collector.instructions, collector.assumed_barriers());
        let (more_registers, registers, twins) =
            (collector.more_registers(), collector.registers, collector.twins());
        let found = collector.found;
        let (program, index) = build_program(&header, source.name(), found, registers, addresses);
        let launch = KernelLaunch {
            grid: header.grid,
            block: header.block,
            dynamic_shared_bytes: 0,
            params: Vec::new(),
            constants: Vec::new(),
            textures: Arc::default(),
            cooperative: false,
        };
        Ok(Self {
            launch,
            program: Arc::new(program),
            instructions,
            assumed_barriers,
            more_registers,
            twins,
            source,
            index: Arc::new(index),
            addresses: Arc::clone(addresses),
            header,
        })
    }

    /// Opens the trace again, to replay it.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn replay(&self) -> Result<Replay, TraceError> {
        Replay::new(self.clone())
    }
}
