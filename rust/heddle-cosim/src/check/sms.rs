//! One checker for several SMs: one golden machine, and of each SM what is told apart by its warp slots and tags.
//!
//! The golden machine performs accesses in the order in which the checker sees them, which is that of cycle and SM.

use heddle_functional::GoldenError;
use heddle_port::{TAG_BITS, Tag};

use super::Checker;
use super::compared::Compared;
use super::history::History;
use super::owed::Owed;
use super::spills::SpillCheck;

/// Tags of an SM.
const TAGS: u16 = 1 << TAG_BITS;
/// SMs whose tags the golden machine can tell apart.
pub const MOST_SMS: u32 = (u16::MAX as u32 + 1) >> TAG_BITS;

/// What a checker keeps of an SM whose turn it is not.
#[derive(Debug, Default)]
pub(super) struct OfSm {
    history: History,
    owed: Owed,
    spills: Option<Box<SpillCheck>>,
    pub(super) compared: Compared,
}

impl Checker<'_> {
    /// The same checker for `sms` SMs, at most [`MOST_SMS`], of which the first has its turn. `fences_drop`: a fence of GPU or
    /// system scope drops all lines of the L1 of its SM, and a strong load its line.
    #[must_use]
    pub fn for_sms(mut self, sms: usize, fences_drop: bool) -> Self {
        self.golden = self.golden.with_l1s(sms, fences_drop);
        self.sms.resize_with(sms, || OfSm { spills: self.spills.clone(), ..OfSm::default() });
        if let Some(replay) = &mut self.replay {
            replay.set_sms(sms);
        }
        self
    }

    /// What comes from now on is of SM `sm`.
    pub fn turn_to(&mut self, sm: usize) {
        self.change_places();
        self.sm = sm;
        self.change_places();
    }

    /// Puts what is kept of the SM whose turn it is into its place, or out of it.
    fn change_places(&mut self) {
        if let Some(kept) = self.sms.get_mut(self.sm) {
            std::mem::swap(&mut self.history, &mut kept.history);
            std::mem::swap(&mut self.owed, &mut kept.owed);
            std::mem::swap(&mut self.spills, &mut kept.spills);
            std::mem::swap(&mut self.compared, &mut kept.compared);
        }
    }

    /// The golden machine's tag of an instruction of the SM whose turn it is.
    #[inline]
    pub(super) fn golden_tag(&self, tag: Tag) -> Tag {
        Tag(self.sm as u16 * TAGS + tag.0)
    }
}

/// What the golden machine refuses, with the tag as the SM has it.
pub(super) fn with_own_tag(error: GoldenError) -> GoldenError {
    let own = |tag: Tag| Tag(tag.0 % TAGS);
    match error {
        GoldenError::TagInUse { at, tag, owner } => GoldenError::TagInUse { at, tag: own(tag), owner },
        GoldenError::UnknownTag { event, tag } => GoldenError::UnknownTag { event, tag: own(tag) },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_several_sms_are_told_apart() {
        assert_eq!(MOST_SMS, 64);
        let last = Tag((MOST_SMS - 1) as u16 * TAGS + (TAGS - 1));
        assert_eq!(last, Tag(u16::MAX));
        let error = with_own_tag(GoldenError::UnknownTag { event: "retirement", tag: Tag(2 * TAGS + 7) });
        assert_eq!(error, GoldenError::UnknownTag { event: "retirement", tag: Tag(7) });
    }
}
