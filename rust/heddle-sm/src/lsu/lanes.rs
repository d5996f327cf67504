//! What the lanes of one memory instruction access.

use heddle_isa::{
    AccessSpaces, ExecError, Instr, Lanes, Op, Space, Texels, TracedAccess, TracedKind, WarpContext,
    addresses, plan_texels, resolve_spaces, store_data,
};
use heddle_mem::kind;
use heddle_port::{LaneData, LaneMask, NUM_LANES, NUM_SOURCES};

use crate::coalescer::{Transaction, coalesce, coalesce_texels};

/// Addresses and stored values by lane. The load-store unit alone changes them.
#[derive(Debug, Clone)]
pub struct LaneAccess {
    pub spaces: AccessSpaces,
    /// Byte address of each lane, in its space; of a texture fetch that of the first texel.
    pub addresses: [u64; NUM_LANES],
    /// The texels of a texture fetch.
    pub texels: Option<Box<Texels>>,
    /// Stored values by element and lane; of an atomic its operands.
    pub stored: [[u64; NUM_LANES]; 4],
    /// Elements that each lane stores, or operands of an atomic.
    pub elements: usize,
}

impl LaneAccess {
    /// Of no lane.
    pub fn new() -> Self {
        Self {
            spaces: AccessSpaces::default(),
            addresses: [0; NUM_LANES],
            texels: None,
            stored: [[0; NUM_LANES]; 4],
            elements: 0,
        }
    }

    /// The addresses of a recorded instruction.
    pub(super) fn replay(&mut self, space: Space, exec: LaneMask, recorded: &Lanes) {
        recorded.expand(exec, &mut self.addresses);
        self.spaces = resolve_spaces(space, exec, &mut self.addresses);
        self.elements = 0;
    }

    /// The operands of `instr` are there: what it accesses, and its requests.
    pub(super) fn prepare(
        &mut self,
        instr: &Instr,
        sources: &[LaneData; NUM_SOURCES],
        context: &WarpContext,
        exec: LaneMask,
        requests: &mut Vec<Transaction>,
    ) -> Result<(), ExecError> {
        requests.clear();
        self.texels = None;
        if matches!(instr.op, Op::Tex { .. }) {
            let mut texels = Box::<Texels>::default();
            plan_texels(instr, sources, context, exec, &mut texels)?;
            self.spaces = AccessSpaces { global: exec, ..AccessSpaces::default() };
            self.addresses = texels.addresses[0];
            self.elements = 0;
            coalesce_texels(&texels, exec, requests);
            self.texels = Some(texels);
            return Ok(());
        }
        if !matches!(instr.op, Op::Traced(_)) {
            self.spaces = addresses(instr, sources, context, exec, &mut self.addresses);
            self.elements = store_data(instr, sources, context, &mut self.stored);
        }
        coalesce(&self.spaces, &self.addresses, 1 << self.size_log2(&instr.op), requests);
        Ok(())
    }

    /// log2 of the bytes that a lane accesses, all elements together; of a texture fetch those of the largest
    /// texel.
    pub fn size_log2(&self, op: &Op) -> u8 {
        let bytes = match *op {
            Op::Ld { ty, vector, .. } | Op::St { ty, vector, .. } => ty.bytes() * u32::from(vector),
            Op::Atom { ty, .. } => ty.bytes(),
            Op::Tex { .. } => {
                let lanes = self.spaces.global.lanes();
                self.texels.as_ref().and_then(|t| lanes.map(|l| t.bytes[l].into()).max()).unwrap_or(1)
            }
            Op::Traced(ref traced) => traced.access().map_or(1, |(_, _, bytes)| u32::from(bytes)),
            _ => 1,
        };
        bytes.max(1).ilog2() as u8
    }
}

/// The kind of access of an instruction, as requests have it.
pub fn kind_of(op: &Op) -> u8 {
    match *op {
        Op::St { .. } => kind::WRITE,
        Op::Atom { .. } => kind::ATOMIC,
        Op::Traced(ref traced) => match traced.kind {
            TracedKind::Memory { access: TracedAccess::Store, .. } => kind::WRITE,
            TracedKind::Memory { access: TracedAccess::Atomic, .. } => kind::ATOMIC,
            _ => kind::READ,
        },
        _ => kind::READ,
    }
}
