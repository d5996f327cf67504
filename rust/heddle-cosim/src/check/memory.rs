//! Memory accesses in the order in which they are performed.

use heddle_isa::{Op, Space, Texels};
use heddle_sm::{PerformedEvent, Stop};

use super::accesses::Word;
use super::operands::first_difference;
use super::{Checker, HISTORY};
use crate::mismatch::{Check, Mismatch, Place, Transaction};

/// The memory that a lane accesses.
pub(super) fn space_of(event: &PerformedEvent<'_>, lane: usize) -> Space {
    if event.shared.has(lane) {
        Space::Shared
    } else if event.local.has(lane) {
        Space::Local
    } else {
        Space::Global
    }
}

impl Checker<'_> {
    /// The last accesses to what a lane accesses, or of its warp where there is no other.
    fn accesses(&self, event: &PerformedEvent<'_>, lane: usize) -> Vec<Transaction> {
        let memory = self.history.memory();
        let word = Word {
            space: space_of(event, lane),
            address: event.addresses[lane],
            cta: Some(event.cta),
            lane: Some((event.slot.0, lane as u8)),
        };
        let of_word = memory.of_word(word, Some(event.tag.0), HISTORY);
        if of_word.len() > 1 { of_word } else { memory.of_warp(event.slot.0, Some(event.tag.0), HISTORY) }
    }

    /// Performs the access on golden memory and compares addresses, loaded and stored values.
    pub(super) fn check_performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        self.history.performed(self.cycle(event.cycle), event);
        let tag = self.golden_tag(event.tag);
        let access = match self.golden.performed(tag, event.lanes) {
            Ok(access) => access,
            Err(error) => {
                let place = Place {
                    cta: Some(event.cta),
                    ..self.place(event.cycle, Some(event.slot), Some(event.pc))
                };
                return self.refuse_access(error, place, event.cycle, (tag, event.lanes));
            }
        };
        let place = |checker: &Self, lane: usize| Place {
            cta: Some(event.cta),
            lane: u8::try_from(lane).ok(),
            ..checker.place(event.cycle, Some(event.slot), Some(event.pc))
        };
        let count = u64::from(event.lanes.count());
        self.compared.memory += count;
        self.compared.stale_loads += u64::from(access.stale.count());
        let cached = (access.spaces.global | access.spaces.local) & event.lanes;
        if access.texels.is_none() {
            self.compared.loads += u64::from(access.loaded_valid.count_ones()) * u64::from(cached.count());
        }
        for lane in event.lanes.lanes() {
            let space = space_of(event, lane);
            let golden = (access.spaces.of_lane(lane), access.addresses[lane]);
            if golden != (Some(space), event.addresses[lane]) {
                let mut mismatch = Mismatch::new(
                    Check::Memory,
                    place(self, lane),
                    format!("{} accesses another address", event.tag),
                )
                .side("space", format!("{:?}", golden.0), format!("{:?}", Some(space)))
                .side(
                    "address",
                    format!("{:#x}", golden.1),
                    format!("{:#x}", event.addresses[lane]),
                );
                mismatch.history = self.accesses(event, lane);
                return self.stop(mismatch);
            }
        }
        self.check_texels(event, access.texels.as_deref())?;
        let elements = match self.program.instrs.get(access.pc.index()).map(|i| &i.op) {
            Some(Op::St { vector, .. }) => usize::from(*vector),
            Some(Op::Tex { .. }) => {
                self.compared.fetches += count;
                0
            }
            _ => 0,
        };
        if elements != event.stored_elements {
            let what = format!("{} stores another number of elements", event.tag);
            let mut mismatch = Mismatch::new(Check::Memory, place(self, 0), what).side(
                "elements",
                elements.to_string(),
                event.stored_elements.to_string(),
            );
            mismatch.history = self.history.memory().of_warp(event.slot.0, Some(event.tag.0), HISTORY);
            return self.stop(mismatch);
        }
        for element in 0..elements {
            self.compared.memory += count;
            for lane in event.lanes.lanes() {
                let (golden, actual) = (access.stored[element][lane], event.stored[element][lane]);
                if golden != actual {
                    let what = format!("{} stores another value (element {element})", event.tag);
                    let mut mismatch = Mismatch::new(Check::Memory, place(self, lane), what).side(
                        format!("lane {lane}"),
                        format!("{golden:#x}"),
                        format!("{actual:#x}"),
                    );
                    mismatch.history = self.accesses(event, lane);
                    return self.stop(mismatch);
                }
            }
        }
        for slot in (0..access.loaded.len()).filter(|s| access.loaded_valid >> s & 1 != 0) {
            self.compared.memory += count;
            if let Some(lane) = first_difference(&access.loaded[slot], &event.loaded[slot], event.lanes.0) {
                let what = format!("{} loads another value (destination {slot})", event.tag);
                let mut mismatch = Mismatch::new(Check::Memory, place(self, lane), what).side(
                    format!("lane {lane}"),
                    format!("{:#010x}", access.loaded[slot][lane]),
                    format!("{:#010x}", event.loaded[slot][lane]),
                );
                mismatch.history = self.accesses(event, lane);
                return self.stop(mismatch);
            }
        }
        self.note_written(event);
        let result = self.replay.as_mut().map_or(Ok(()), |replay| replay.performed(tag, &access));
        self.replayed(event.cycle, result)
    }

    /// Compares how many texels each lane of a texture fetch reads, their sizes and addresses.
    fn check_texels(&mut self, event: &PerformedEvent<'_>, golden: Option<&Texels>) -> Result<(), Stop> {
        let texels = |texels: Option<&Texels>, lane: usize| -> Vec<(u64, u64)> {
            texels.map_or_else(Vec::new, |t| t.of_lane(lane).collect())
        };
        if golden.is_none() && event.texels.is_none() {
            return Ok(());
        }
        for lane in event.lanes.lanes() {
            let (expected, actual) = (texels(golden, lane), texels(event.texels, lane));
            self.compared.memory += expected.len() as u64;
            self.compared.texels += expected.len() as u64;
            self.compared.fetches_judged += 1;
            if expected == actual {
                continue;
            }
            let text = |texels: &[(u64, u64)]| {
                let list: Vec<String> =
                    texels.iter().map(|(a, bytes)| format!("{bytes} at {a:#x}")).collect();
                list.join(", ")
            };
            let place = Place {
                cta: Some(event.cta),
                lane: u8::try_from(lane).ok(),
                ..self.place(event.cycle, Some(event.slot), Some(event.pc))
            };
            let what = format!("{} reads other texels", event.tag);
            let mut mismatch =
                Mismatch::new(Check::Memory, place, what).side("texels", text(&expected), text(&actual));
            mismatch.history = self.accesses(event, lane);
            return self.stop(mismatch);
        }
        Ok(())
    }
}
