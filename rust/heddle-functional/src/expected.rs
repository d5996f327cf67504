//! What the golden machine expects of an instruction.

use heddle_isa::exec::{AccessSpaces, MAX_ELEMENTS};
use heddle_isa::{Outputs, Pc, Texels};
use heddle_port::{LaneData, LaneMask, NUM_DESTINATIONS, NUM_LANES, NUM_SOURCES};

use crate::site::AccessKind;

/// One warp instruction as the golden machine stepped it.
///
/// Lane data means something only in lanes of `exec`, slots only where the instruction has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// CTA number in the grid.
    pub cta: u64,
    /// Warp number in the CTA.
    pub warp_in_cta: u32,
    /// Instruction.
    pub pc: Pc,
    /// Lanes that are at the instruction.
    pub active: LaneMask,
    /// Lanes that execute it: active where the guard holds.
    pub exec: LaneMask,
    /// Operands by source slot.
    pub sources: [LaneData; NUM_SOURCES],
    /// Source slots in use, one bit a slot.
    pub source_valid: u8,
    /// Results by destination slot and destination predicate; of a load or atomic only the lanes of
    /// `performed`.
    pub results: Outputs,
    /// Destination slots in use, one bit a slot.
    pub destination_valid: u8,
    /// Destination predicates in use, one bit a predicate.
    pub pred_valid: u8,
    /// What it does to memory.
    pub kind: AccessKind,
    /// The space that each lane accesses.
    pub spaces: AccessSpaces,
    /// Byte address by lane, in the lane's space; of a texture fetch that of the first texel.
    pub addresses: [u64; NUM_LANES],
    /// The texels of a texture fetch.
    pub texels: Option<Box<Texels>>,
    /// Values that a store writes, by element and lane; of an atomic, operand and new value.
    pub stored: [[u64; NUM_LANES]; MAX_ELEMENTS],
    /// Lanes whose access has been performed.
    pub performed: LaneMask,
    /// Of these, lanes that loaded what their L1 holds, while memory holds something else.
    pub stale: LaneMask,
    /// Barrier phase of the CTA in which it was issued.
    pub(crate) phase: u64,
}

impl Default for Expected {
    fn default() -> Self {
        Self {
            cta: 0,
            warp_in_cta: 0,
            pc: Pc(0),
            active: LaneMask::NONE,
            exec: LaneMask::NONE,
            sources: [[0; NUM_LANES]; NUM_SOURCES],
            source_valid: 0,
            results: Outputs::default(),
            destination_valid: 0,
            pred_valid: 0,
            kind: AccessKind::None,
            spaces: AccessSpaces::default(),
            addresses: [0; NUM_LANES],
            texels: None,
            stored: [[0; NUM_LANES]; MAX_ELEMENTS],
            performed: LaneMask::NONE,
            stale: LaneMask::NONE,
            phase: 0,
        }
    }
}

impl Expected {
    /// Lanes whose access other warps can see: of global or shared memory.
    #[must_use]
    pub(crate) fn seen_by_others(&self) -> LaneMask {
        self.exec & (self.spaces.global | self.spaces.shared)
    }

    /// The access of `lanes`, which are performed.
    #[must_use]
    pub(crate) fn access(&self, lanes: LaneMask) -> ExpectedAccess {
        ExpectedAccess {
            cta: self.cta,
            warp_in_cta: self.warp_in_cta,
            pc: self.pc,
            kind: self.kind,
            lanes,
            stale: self.stale & lanes,
            spaces: self.spaces,
            addresses: self.addresses,
            texels: self.texels.clone(),
            loaded: self.results.values,
            loaded_valid: self.destination_valid,
            stored: self.stored,
        }
    }
}

/// The lanes of an access that were performed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedAccess {
    /// CTA number in the grid.
    pub cta: u64,
    /// Warp number in the CTA.
    pub warp_in_cta: u32,
    /// Instruction.
    pub pc: Pc,
    /// What it does.
    pub kind: AccessKind,
    /// Lanes performed.
    pub lanes: LaneMask,
    /// Of these, lanes that loaded what their L1 holds, while memory holds something else.
    pub stale: LaneMask,
    /// The space that each of these lanes accesses.
    pub spaces: AccessSpaces,
    /// Byte address by lane, in the lane's space; of a texture fetch that of the first texel.
    pub addresses: [u64; NUM_LANES],
    /// The texels of a texture fetch.
    pub texels: Option<Box<Texels>>,
    /// Loaded words by destination slot; of an atomic the old values.
    pub loaded: [LaneData; NUM_DESTINATIONS],
    /// Destination slots in use, one bit a slot.
    pub loaded_valid: u8,
    /// Values written, by element and lane; of an atomic, operand and new value.
    pub stored: [[u64; NUM_LANES]; MAX_ELEMENTS],
}
