//! Barriers in traces before version 5, which do not have the number of a barrier.

use std::fmt;

use crate::error::Spot;
use crate::header::Header;
use crate::instruction::Instruction;
use crate::line::Line;

/// Barriers that are taken to be barrier 0 with all warps of the CTA, because the trace does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssumedBarriers {
    /// The kernel.
    pub kernel: String,
    /// Version of the trace.
    pub version: u32,
    /// The first of them.
    pub opcode: String,
    /// Where it is.
    pub first: Spot,
    /// Where a warp comes to another barrier than a warp of the CTA before it did, as with several barriers.
    pub apart: Option<Spot>,
}

impl fmt::Display for AssumedBarriers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, version, opcode, first, apart } = self;
        write!(
            f,
            "{first}: kernel {kernel}: {opcode} has no number in a trace of version {version}; every barrier is \
             taken to be barrier 0, for all warps of the block"
        )?;
        match apart {
            None => Ok(()),
            Some(at) => write!(
                f,
                ", which is doubtful here: {at}: this warp comes to another barrier than an earlier one of its block"
            ),
        }
    }
}

/// The barriers without a number that were seen.
#[derive(Debug, Default)]
pub struct Barriers {
    first: Option<(Spot, String)>,
    apart: Option<Spot>,
    /// Program counters of the barriers to which the warps of the CTA come, one after the other.
    order: Vec<u32>,
    /// How many of them the warp has passed.
    passed: usize,
}

impl Barriers {
    /// A CTA begins.
    pub fn begin_cta(&mut self) {
        self.order.clear();
        self.passed = 0;
    }

    /// The next warp of the CTA begins.
    pub fn begin_warp(&mut self) {
        self.passed = 0;
    }

    /// The warp comes to a barrier.
    pub fn take(&mut self, line: Line<'_>, instruction: &Instruction<'_>) {
        let at = || line.spot(instruction.column);
        if self.first.is_none() {
            self.first = Some((at(), instruction.opcode.to_owned()));
        }
        match self.order.get(self.passed) {
            None => self.order.push(instruction.pc),
            Some(&pc) if pc != instruction.pc && self.apart.is_none() => self.apart = Some(at()),
            Some(_) => {}
        }
        self.passed += 1;
    }

    /// What was assumed, of the kernel with this header.
    pub fn assumed(&self, header: &Header) -> Option<AssumedBarriers> {
        let (first, opcode) = self.first.clone()?;
        let (kernel, version) = (header.kernel.clone(), header.version);
        Some(AssumedBarriers { kernel, version, opcode, first, apart: self.apart.clone() })
    }
}
