//! The second pass: the records of the CTAs, which are in memory for as long as somebody holds them.

use heddle_isa::{Lanes, Op, Pc, RecordedCta, RecordedWarp, Step};
use heddle_port::LaneMask;

use crate::error::TraceError;
use crate::instruction::Instruction;
use crate::kernel::TracedKernel;
use crate::line::Line;
use crate::places::Numbered;
use crate::reader::Reader;
use crate::resident::Resident;

/// A trace that is replayed.
#[derive(Debug)]
pub struct Replay {
    kernel: TracedKernel,
    reader: Reader,
    /// By the number of the reader's parser: first instruction of the program, and how many stand for it.
    numbered: Numbered<(Pc, u32)>,
    pub(crate) resident: Resident,
}

impl Replay {
    pub(crate) fn new(kernel: TracedKernel) -> Result<Self, TraceError> {
        let reader = Reader::open(&kernel.source)?;
        if reader.header != kernel.header {
            let at = reader.spot();
            let (expected, found) = ("the header as it was".to_owned(), "another one".to_owned());
            return Err(TraceError::Expected { at, expected, found });
        }
        Ok(Self { kernel, reader, numbered: Numbered::default(), resident: Resident::default() })
    }

    /// The record of CTA `number`; those before it are passed over. CTAs are asked for by rising number.
    ///
    /// # Errors
    /// As the first pass; [`TraceError::Expected`] where the file is no longer what it was, and
    /// [`TraceError::Limit`] where the records that are still held leave no room for this one.
    pub fn cta(&mut self, number: u64) -> Result<RecordedCta, TraceError> {
        loop {
            let mut warps: Vec<RecordedWarp> = Vec::new();
            let kernel = &self.kernel;
            let mut room = self.resident.room();
            let (numbered, resident) = (&mut self.numbered, &self.resident);
            let found = self.reader.next_cta(|warp, line, instruction| {
                warps.resize_with(warps.len().max(warp as usize + 1), RecordedWarp::default);
                let bytes = add(kernel, numbered, &mut warps[warp as usize], line, instruction)?;
                room = room.checked_sub(bytes).ok_or_else(|| resident.full(line))?;
                Ok(())
            })?;
            match found {
                Some(found) if found == number => {
                    let warps = warps.into_iter().map(|warp| self.resident.hold(warp)).collect();
                    return Ok(RecordedCta { number, warps });
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

/// Adds an instruction to the record of its warp and returns the bytes that it takes there.
fn add(
    kernel: &TracedKernel,
    numbered: &mut Numbered<(Pc, u32)>,
    warp: &mut RecordedWarp,
    line: Line<'_>,
    instruction: &Instruction<'_>,
) -> Result<u64, TraceError> {
    let changed = || line.expected(1, "the file as it was when it was first read", line.text);
    let (pc, parts) = numbered.get(instruction, || kernel.index.get(instruction).ok_or_else(changed))?;
    let Op::Traced(traced) = &kernel.program.instrs[pc.index()].op else { return Err(changed()) };
    let mask = LaneMask(instruction.mask);
    let mut step = Step { pc, mask, lanes: None };
    let mut bytes = parts as usize * size_of::<Step>();
    if let Some((_, space, _)) = traced.access() {
        let places = kernel.addresses.places(&kernel.header, space, &instruction.addresses);
        let places = places.filter(|p| p.len() as u32 == mask.count()).ok_or_else(changed)?;
        step.lanes = u32::try_from(warp.lanes.len()).ok();
        let lanes = Lanes::new(&places);
        bytes += lanes.bytes();
        warp.lanes.push(lanes);
    }
    // What accesses memory has one part.
    warp.steps.extend((0..parts).map(|part| Step { pc: Pc(pc.0 + part), ..step }));
    Ok(bytes as u64)
}
