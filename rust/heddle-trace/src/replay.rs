//! The second pass: the records of the CTAs, one CTA in memory at a time.

use std::sync::Arc;

use heddle_isa::{Lanes, Op, RecordedCta, RecordedWarp, Step};
use heddle_port::LaneMask;

use crate::error::TraceError;
use crate::instruction::Instruction;
use crate::kernel::TracedKernel;
use crate::lines::Line;
use crate::reader::Reader;

/// A trace that is replayed.
#[derive(Debug)]
pub struct Replay {
    kernel: TracedKernel,
    reader: Reader,
}

impl Replay {
    pub(crate) fn new(kernel: TracedKernel) -> Result<Self, TraceError> {
        let reader = Reader::open(&kernel.source)?;
        if reader.header != kernel.header {
            let at = reader.spot();
            let (expected, found) = ("the header as it was".to_owned(), "another one".to_owned());
            return Err(TraceError::Expected { at, expected, found });
        }
        Ok(Self { kernel, reader })
    }

    /// The record of CTA `number`; those before it are passed over. CTAs are asked for by rising number.
    ///
    /// # Errors
    /// As the first pass, and [`TraceError::Expected`] where the file is no longer what it was.
    pub fn cta(&mut self, number: u64) -> Result<RecordedCta, TraceError> {
        loop {
            let mut warps: Vec<RecordedWarp> = Vec::new();
            let kernel = &self.kernel;
            let found = self.reader.next_cta(|warp, line, instruction| {
                warps.resize_with(warps.len().max(warp as usize + 1), RecordedWarp::default);
                add(kernel, &mut warps[warp as usize], line, instruction)
            })?;
            match found {
                Some(found) if found == number => {
                    return Ok(RecordedCta { number, warps: warps.into_iter().map(Arc::new).collect() });
                }
                Some(_) => {}
                None => {
                    let (at, expected) = (self.reader.spot(), format!("block number {number}"));
                    let found = "the end of the file".to_owned();
                    return Err(TraceError::Expected { at, expected, found });
                }
            }
        }
    }
}

fn add(
    kernel: &TracedKernel,
    warp: &mut RecordedWarp,
    line: Line<'_>,
    instruction: &Instruction<'_>,
) -> Result<(), TraceError> {
    let changed = || line.expected(1, "the file as it was when it was first read", line.text);
    let pc = kernel.index.get(&instruction.pc).copied().ok_or_else(changed)?;
    let Op::Traced(traced) = &kernel.program.instrs[pc.index()].op else { return Err(changed()) };
    let mask = LaneMask(instruction.mask);
    let mut lanes = None;
    if let Some((_, space, _)) = traced.access() {
        let place = |&address: &u64| kernel.addresses.place(&kernel.header, space, address);
        let places: Option<Vec<u32>> = instruction.addresses.iter().map(place).collect();
        let places = places.filter(|p| p.len() as u32 == mask.count()).ok_or_else(changed)?;
        lanes = u32::try_from(warp.lanes.len()).ok();
        warp.lanes.push(Lanes::new(&places));
    }
    warp.steps.push(Step { pc, mask, lanes });
    Ok(())
}
