//! Commands, and which write buffer belongs to which warp.

use super::NUM_BUFFERS;
use super::buffer::{Buffer, Change, State};
use heddle_port::CommandOp;

/// What commands do to the write buffers; see `rtl/hybrid/hybrid_commands.sv`.
#[derive(Debug, Clone, Copy)]
pub struct Commands {
    /// The buffer that was opened last.
    pub youngest: usize,
}

impl Default for Commands {
    fn default() -> Self {
        Self { youngest: 1 }
    }
}

/// What the command of a cycle does.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changes {
    /// By buffer.
    pub buffers: [Change; NUM_BUFFERS],
    /// The command, if it cannot be carried out yet.
    pub waits: Option<CommandOp>,
}

impl Commands {
    /// The command that is there, about a warp; `held` says whether the warp has results that are not yet
    /// written.
    #[inline]
    pub fn step(&mut self, op: CommandOp, warp: u8, buffers: &[Buffer; NUM_BUFFERS], held: bool) -> Changes {
        let mut changes = Changes::default();
        let own = |b: usize| buffers[b].state != State::Free && buffers[b].owner == warp;
        let free = |b: usize| buffers[b].state == State::Free;
        let carried_out = match op {
            CommandOp::Activate => (0..NUM_BUFFERS).any(free) && !(0..NUM_BUFFERS).any(own),
            CommandOp::Exit => !held,
            _ => true,
        };
        if !carried_out {
            changes.waits = Some(op);
            return changes;
        }
        match op {
            CommandOp::Activate => {
                let other = 1 - self.youngest;
                self.youngest = if free(other) { other } else { self.youngest };
                changes.buffers[self.youngest] = Change::Open(warp);
            }
            CommandOp::Deactivate => {
                for b in (0..NUM_BUFFERS).filter(|&b| own(b) && buffers[b].state == State::Fill) {
                    changes.buffers[b] = Change::Close;
                }
            }
            CommandOp::Exit => {
                for b in (0..NUM_BUFFERS).filter(|&b| own(b)) {
                    changes.buffers[b] = Change::Drop;
                }
            }
            _ => {}
        }
        changes
    }
}
