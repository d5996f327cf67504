//! The order checker: which accesses may be performed now.
//!
//! Independent of values. Per thread, an access is performed after every earlier access to the same
//! address, and after everything before a fence that lies between. A barrier opens, and the
//! lanes of a warp meet, only when all that they accessed before is performed.

use heddle_isa::Pc;
use heddle_port::{LaneMask, NUM_DESTINATIONS, Tag};

use crate::error::OrderRule;
use crate::expected::Expected;

/// An access that is issued and not (wholly) performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenAccess {
    pub tag: Tag,
    pub warp: u32,
    pub pc: Pc,
    /// Place in the warp's program order.
    pub sequence: u64,
    /// Fences of the warp before it.
    pub fences: u64,
    /// Lanes not performed.
    pub remaining: LaneMask,
    /// Registers that it loads, one a slot.
    pub dsts: [u32; NUM_DESTINATIONS],
    /// By slot: lanes in which it is still the newest version of the register.
    pub newest: [LaneMask; NUM_DESTINATIONS],
}

/// Address and size of what a lane accesses: the texels of a texture fetch, else one place.
fn spans(e: &Expected, bytes: u64, lane: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
    let texels = e.texels.iter().flat_map(move |texels| texels.of_lane(lane));
    texels.chain(e.texels.is_none().then_some((e.addresses[lane], bytes)))
}

/// Whether the two accesses of a lane touch a common byte.
fn overlap(a: &Expected, b: &Expected, bytes: impl Fn(&Expected) -> u64, lane: usize) -> bool {
    let (bytes_a, bytes_b) = (bytes(a), bytes(b));
    a.spaces.of_lane(lane) == b.spaces.of_lane(lane)
        && spans(a, bytes_a, lane).any(|(x, m)| {
            spans(b, bytes_b, lane).any(|(y, n)| x < y.saturating_add(n) && y < x.saturating_add(m))
        })
}

/// Finds an open access that must be performed before `lanes` of `tag`, with the lane and the rule.
pub(crate) fn violation<'a>(
    open: &'a [OpenAccess],
    this: &OpenAccess,
    lanes: LaneMask,
    expected: impl Fn(Tag) -> Option<&'a Expected>,
    bytes: impl Fn(&Expected) -> u64 + Copy,
) -> Option<(&'a OpenAccess, Option<usize>, OrderRule)> {
    for earlier in open {
        if earlier.remaining.is_empty() || earlier.tag == this.tag {
            continue;
        }
        if earlier.warp != this.warp || earlier.sequence > this.sequence {
            continue;
        }
        let both = earlier.remaining & lanes;
        if let Some(lane) = both.lanes().next()
            && earlier.fences < this.fences
        {
            return Some((earlier, Some(lane), OrderRule::Fence));
        }
        if let (Some(a), Some(b)) = (expected(earlier.tag), expected(this.tag)) {
            let same = both.lanes().find(|&lane| overlap(a, b, bytes, lane));
            if let Some(lane) = same {
                return Some((earlier, Some(lane), OrderRule::SameAddress));
            }
        }
    }
    None
}
