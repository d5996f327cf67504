//! Commands, and which write buffer belongs to which warp.

use super::NUM_BUFFERS;
use super::buffer::{Buffer, Change, State};
use heddle_port::{Command, CommandOp, Done};

/// The command unit; see `rtl/hybrid/hybrid_commands.sv`.
#[derive(Debug, Clone, Copy)]
pub struct Commands {
    /// An accepted activation or exit that cannot be carried out yet.
    waiting: Option<(CommandOp, u8)>,
    /// The buffer that was opened last.
    pub youngest: usize,
}

impl Default for Commands {
    fn default() -> Self {
        Self { waiting: None, youngest: 1 }
    }
}

/// What the commands do in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct CommandCycle {
    /// The answer of the next cycle.
    pub done: Done,
    /// By buffer.
    pub changes: [Change; NUM_BUFFERS],
    /// An activation waits.
    pub activation_waits: bool,
    /// An exit waits.
    pub exit_waits: bool,
}

impl Commands {
    /// A command is accepted in this cycle.
    #[inline]
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.waiting.is_none()
    }

    /// One cycle with the accepted command, if there is one. `held` says whether a warp has results
    /// that are not yet written.
    #[inline]
    pub fn step(
        &mut self,
        accepted: Option<(CommandOp, &Command)>,
        buffers: &[Buffer; NUM_BUFFERS],
        held: impl Fn(u8) -> bool,
    ) -> CommandCycle {
        let mut cycle = CommandCycle::default();
        let (op, warp, interval) = match (self.waiting, accepted) {
            (Some((op, warp)), _) => (op, warp, 0),
            (None, Some((op, command))) => (op, command.warp, command.interval),
            (None, None) => return cycle,
        };
        let own = |b: usize| buffers[b].state != State::Free && buffers[b].owner == warp;
        let free = |b: usize| buffers[b].state == State::Free;
        let carried_out = match op {
            CommandOp::Activate => (0..NUM_BUFFERS).any(free) && !(0..NUM_BUFFERS).any(own),
            CommandOp::Exit => !held(warp),
            _ => true,
        };
        if !carried_out {
            self.waiting = Some((op, warp));
            cycle.activation_waits = op == CommandOp::Activate;
            cycle.exit_waits = op == CommandOp::Exit;
            return cycle;
        }
        self.waiting = None;
        cycle.done = Done { valid: true, op: op as u8, warp, interval };
        match op {
            CommandOp::Activate => {
                let other = 1 - self.youngest;
                self.youngest = if free(other) { other } else { self.youngest };
                cycle.changes[self.youngest] = Change::Open(warp);
            }
            CommandOp::Deactivate => {
                for b in (0..NUM_BUFFERS).filter(|&b| own(b) && buffers[b].state == State::Fill) {
                    cycle.changes[b] = Change::Close;
                }
            }
            CommandOp::Exit => {
                for b in (0..NUM_BUFFERS).filter(|&b| own(b)) {
                    cycle.changes[b] = Change::Drop;
                }
            }
            _ => {}
        }
        cycle
    }
}
