//! The command unit, as in `ltrf_command_unit.sv`.

use super::control_block::ControlBlocks;
use super::engine::{Engine, SlotState};
use super::results::Results;
use super::vector::RegVector;
use heddle_port::{Command, CommandOp, Done};

/// A command that the prefetch engine takes over.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// Slot.
    pub slot: usize,
    /// What the slot does next.
    pub state: SlotState,
    /// Warp.
    pub warp: u8,
    /// Register-interval of the command.
    pub interval: u16,
    /// First warp register of the warp.
    pub base: u16,
    /// Registers that stay in the cache, of a prefetch.
    pub stay: RegVector,
    /// Registers that arrive in the cache.
    pub arrive: RegVector,
    /// Live registers of the warp: only these are written back and fetched.
    pub live: RegVector,
}

/// What the command unit does in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct CommandCycle {
    /// Done event of the next cycle.
    pub done: Done,
    /// Slot whose end is reported.
    pub reported: Option<usize>,
    /// Command that the engine takes over.
    pub start: Option<Start>,
    /// The command that is carried out or handed over, if any.
    pub carried_out: Option<(CommandOp, Command)>,
    /// A command waits.
    pub waits: bool,
}

/// The command buffer.
#[derive(Debug, Clone, Default)]
pub struct CommandUnit {
    waiting: Option<(CommandOp, Command)>,
}

impl CommandUnit {
    /// Whether a command can be taken.
    #[inline]
    #[must_use]
    pub fn ready(&self) -> bool {
        self.waiting.is_none()
    }

    /// Takes a command, after [`Self::tick`].
    pub fn accept(&mut self, op: CommandOp, command: Command) {
        self.waiting = Some((op, command));
    }

    /// The cycle's decision.
    ///
    /// # Errors
    /// What the SM did wrong, if the waiting command can never start.
    pub fn tick(
        &mut self,
        engine: &Engine,
        results: &Results,
        blocks: &ControlBlocks,
        base: impl Fn(u8) -> u16,
        cache_banks: u8,
    ) -> Result<CommandCycle, String> {
        let mut cycle = CommandCycle::default();
        if let Some(slot) = engine.finished() {
            let s = engine.slot(slot);
            let op = match s.state {
                SlotState::Evict => CommandOp::Deactivate,
                SlotState::Release => CommandOp::Exit,
                SlotState::Fill => CommandOp::Activate,
                SlotState::Swap | SlotState::Idle | SlotState::Ready => CommandOp::Prefetch,
            };
            cycle.reported = Some(slot);
            cycle.done = Done { valid: true, op: op as u8, warp: s.warp, interval: s.interval };
        }
        let Some((op, command)) = self.waiting else { return Ok(cycle) };
        let warp = command.warp;
        let slot = engine.slot_of(warp);
        let state = slot.map(|slot| engine.slot(slot).state);
        let start = |slot, state, stay, arrive| Start {
            slot,
            state,
            warp,
            interval: command.interval,
            base: base(warp),
            stay,
            arrive,
            live: blocks.live(warp),
        };
        let none = RegVector::default();
        let immediate = match op {
            CommandOp::KernelStart | CommandOp::WarpBase | CommandOp::MapEntry => true,
            CommandOp::Activate => {
                if state == Some(SlotState::Ready) {
                    return Err(format!("activation of warp slot {warp}, which is active"));
                }
                if let (None, false, Some(offset)) = (slot, engine.leaves(warp), engine.next_offset()) {
                    cycle.start = Some(start(offset.into(), SlotState::Fill, none, blocks.set(warp)));
                }
                false
            }
            CommandOp::Deactivate | CommandOp::Prefetch => {
                let Some(slot) = slot else {
                    return Err(format!("{op:?} of warp slot {warp}, which is inactive"));
                };
                let vector = RegVector::from_words(&command.vector);
                if op == CommandOp::Prefetch && vector.count() > cache_banks.into() {
                    return Err(format!(
                        "working set of {} registers for warp slot {warp}, expected at most {cache_banks}",
                        vector.count()
                    ));
                }
                if state == Some(SlotState::Ready) {
                    cycle.start = Some(if op == CommandOp::Prefetch {
                        start(slot, SlotState::Swap, vector, vector.without(&blocks.valid(warp)))
                    } else {
                        start(slot, SlotState::Evict, none, none)
                    });
                }
                false
            }
            CommandOp::Exit => {
                let queued = results.holds_warp(warp);
                if let (Some(slot), Some(SlotState::Ready), false) = (slot, state, queued) {
                    cycle.start = Some(start(slot, SlotState::Release, none, none));
                }
                // Only what a sampled run passes over ends a warp without a slot.
                slot.is_none() && !engine.leaves(warp) && !queued
            }
        };
        let alone = immediate && cycle.reported.is_none();
        if alone {
            cycle.done = Done { valid: true, op: op as u8, warp, interval: command.interval };
        }
        if alone || cycle.start.is_some() {
            cycle.carried_out = Some((op, command));
            self.waiting = None;
        } else {
            cycle.waits = true;
        }
        Ok(cycle)
    }
}
