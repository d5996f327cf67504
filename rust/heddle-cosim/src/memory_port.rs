//! The memory port between the SM and a design that holds the L1.

use heddle_port::{MemIn, MemorySide, RegisterFile};
use heddle_sm::Sm;

use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};

/// Within so many cycles after a launch all dirty lines of a design must be in L2: more than a look-up and a
/// line's way to DRAM for each entry of the largest L1.
pub const FLUSH_CYCLES: u64 = 1 << 18;

/// Drives the memory port of a design with what the SM and L2 drive in this cycle; nothing for other designs.
#[inline]
pub fn drive<D: RegisterFile + ?Sized>(sm: &Sm, design: &mut D) {
    drive_with(sm.to_design_memory(), design);
}

/// The same with what is driven.
#[inline]
pub fn drive_with<D: RegisterFile + ?Sized>(input: Option<&MemIn>, design: &mut D) {
    if let Some(input) = input
        && let Some(side) = design.memory_side()
    {
        side.drive_memory(input);
    }
}

/// Hands the outputs of a design's memory port to the SM, after the clock edge.
#[inline]
pub fn collect<D: RegisterFile + ?Sized>(sm: &mut Sm, design: &mut D) {
    if sm.to_design_memory().is_some()
        && let Some(side) = design.memory_side()
    {
        sm.from_design_memory(side.memory_out(), side.memory_data());
    }
}

/// What the cycle model of a cache of shared memory says beside its port, after the clock edge: the line that left.
/// Where lifetimes are known, it is told which lines live.
#[inline]
pub fn follow_lines<D: RegisterFile + ?Sized>(sm: &mut Sm, model: &mut D) {
    if sm.to_design_memory().is_some() {
        follow_lines_of_design(sm, model);
    }
}

fn follow_lines_of_design<D: RegisterFile + ?Sized>(sm: &mut Sm, model: &mut D) {
    let Some(side) = model.memory_side() else { return };
    for (line, live) in sm.live_changes() {
        side.set_live(line, live);
    }
    if let Some(line) = side.line_left() {
        sm.line_left(line);
    }
    follow_held_lines(sm, side);
}

/// What the cycle model of a design that holds the L1 says, after the clock edge: what became of its lines.
#[inline]
pub fn follow_held_lines(sm: &mut Sm, model: &dyn MemorySide) {
    if let Some(events) = model.line_events() {
        sm.design_lines(events);
    }
}

/// After a launch: the design writes its dirty lines back. `step` is a clock edge of the design, between the SM's
/// inputs and outputs of the memory port. Returns the cycles that it took, which are not the launch's.
///
/// # Errors
/// What `step` says, and lines that do not come.
pub fn flush(
    sm: &mut Sm,
    place: impl Fn(u64) -> Place,
    mut step: impl FnMut(&mut Sm, u64) -> Result<(), RunError>,
) -> Result<u64, RunError> {
    if !sm.begin_flush() {
        return Ok(0);
    }
    for cycle in 0..FLUSH_CYCLES {
        sm.flush_tick().map_err(|e| Mismatch::new(Check::Control, place(cycle), e.to_string()))?;
        step(sm, cycle)?;
        if sm.is_done() {
            return Ok(cycle + 1);
        }
    }
    let what = format!("the dirty lines are not in L2 {FLUSH_CYCLES} cycles after the kernel ended");
    Err(Mismatch::new(Check::Completeness, place(FLUSH_CYCLES), what).into())
}
