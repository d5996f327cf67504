//! The two levels before the main register file, of all active warps.

use std::collections::BTreeMap;

use heddle_port::{NUM_LANES, NUM_WARPS};

use crate::common::Value;

/// A register in the operand register file.
#[derive(Debug, Clone, Copy, Default)]
struct Copy {
    value: Value,
    /// Lanes whose value is on its way from the main register file.
    coming: u32,
}

/// What a level has of a register, in the lanes asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// All lanes.
    Here(Value),
    /// All lanes, some once they have come from the main register file.
    Coming,
    /// Not in this lane.
    Without(u32),
}

/// The levels of one warp. The entry of a register in the operand register file is the compiler's affair, which proves
/// that no two values are in one at once; here a register is found by its number.
#[derive(Debug, Clone, Default)]
struct Levels {
    operand: BTreeMap<u8, Copy>,
    /// By lane: the register of the last result file.
    last_register: [u8; NUM_LANES],
    last: Value,
}

/// The operand register file and the last result file.
#[derive(Debug, Clone)]
pub struct Upper {
    /// Warps that may have a place at once, and those that have one.
    places: u32,
    active: u64,
    warps: Vec<Levels>,
}

impl Upper {
    /// Empty levels for `places` active warps.
    #[must_use]
    pub fn new(places: u8) -> Self {
        Self { places: places.into(), active: 0, warps: vec![Levels::default(); NUM_WARPS] }
    }

    /// A warp gets a place, which is empty.
    ///
    /// # Errors
    /// A text: all places are taken.
    pub fn activate(&mut self, warp: u8) -> Result<(), String> {
        self.active |= 1 << warp;
        if self.active.count_ones() > self.places {
            return Err(format!(
                "activation of warp slot {warp}: the operand register file has {} places, scheduler.active_warps, for \
                 warps that the two-level scheduler keeps active, and all are taken",
                self.places
            ));
        }
        Ok(())
    }

    /// A warp has a place no more: what it had there is lost.
    pub fn leave(&mut self, warp: u8) {
        self.active &= !(1 << warp);
        self.warps[usize::from(warp)] = Levels::default();
    }

    /// Whether a warp has a place.
    #[must_use]
    pub fn is_active(&self, warp: u8) -> bool {
        self.active >> warp & 1 != 0
    }

    /// A register in the operand register file.
    #[must_use]
    pub fn operand(&self, warp: u8, register: u8, lanes: u32) -> Found {
        let copy = self.warps[usize::from(warp)].operand.get(&register).copied().unwrap_or_default();
        let missing = lanes & !(copy.value.lanes | copy.coming);
        match missing {
            0 if lanes & copy.coming != 0 => Found::Coming,
            0 => Found::Here(copy.value),
            _ => Found::Without(missing.trailing_zeros()),
        }
    }

    /// A register in the last result file.
    #[must_use]
    pub fn last(&self, warp: u8, register: u8, lanes: u32) -> Found {
        let levels = &self.warps[usize::from(warp)];
        let has = |&lane: &u32| {
            levels.last.lanes >> lane & 1 != 0 && levels.last_register[lane as usize] == register
        };
        match (0..NUM_LANES as u32).filter(|lane| lanes >> lane & 1 != 0).find(|lane| !has(lane)) {
            None => Found::Here(levels.last),
            Some(lane) => Found::Without(lane),
        }
    }

    /// A result goes to the operand register file.
    pub fn write_operand(&mut self, warp: u8, register: u8, value: &Value) {
        let copy = self.warps[usize::from(warp)].operand.entry(register).or_default();
        copy.value.update(value);
        copy.coming &= !value.lanes;
    }

    /// A source that is read in the main register file is to be kept.
    pub fn expect_operand(&mut self, warp: u8, register: u8, lanes: u32) {
        let copy = self.warps[usize::from(warp)].operand.entry(register).or_default();
        copy.coming |= lanes;
    }

    /// A result goes to the last result file, in the place of whatever its lanes had.
    pub fn write_last(&mut self, warp: u8, register: u8, value: &Value) {
        let levels = &mut self.warps[usize::from(warp)];
        levels.last.update(value);
        for lane in (0..NUM_LANES).filter(|lane| value.lanes >> lane & 1 != 0) {
            levels.last_register[lane] = register;
        }
    }
}
