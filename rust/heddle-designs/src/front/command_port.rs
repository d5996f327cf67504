//! Commands of the SM, the warp bases and the registers per thread.

use heddle_port::{Command, CommandOp, Done, NUM_WARPS};

/// What a design says of the command that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It is carried out; the done event follows.
    Done,
    /// It is there in the next cycle too, and no other one is taken until then.
    Waits,
    /// The design has taken it over, and gives the done event itself.
    Taken,
}

/// The command that is there.
#[derive(Debug, Clone, Copy)]
pub struct Present<'c> {
    /// What it asks for.
    pub op: CommandOp,
    /// Warp, interval and values.
    pub command: &'c Command,
    /// It was accepted in this cycle; else it waits since an earlier one.
    pub accepted: bool,
}

/// The command unit.
///
/// A command is there from its handshake until the design has answered it, which may be at once; the done
/// event follows in the next cycle. Base and registers per thread change with the handshake.
#[derive(Debug, Clone)]
pub struct CommandPort {
    base: [u16; NUM_WARPS],
    registers_per_thread: u8,
    waiting: Option<(CommandOp, Command)>,
}

impl Default for CommandPort {
    fn default() -> Self {
        Self { base: [0; NUM_WARPS], registers_per_thread: 0, waiting: None }
    }
}

impl CommandPort {
    /// First register of a warp.
    #[inline]
    #[must_use]
    pub fn base(&self, warp: u8) -> u16 {
        self.base[usize::from(warp)]
    }

    /// Registers per thread of the kernel.
    #[inline]
    #[must_use]
    pub fn registers_per_thread(&self) -> u8 {
        self.registers_per_thread
    }

    /// A command can be taken.
    #[inline]
    #[must_use]
    pub fn ready(&self) -> bool {
        self.waiting.is_none()
    }

    /// The command that waits since an earlier cycle.
    #[inline]
    #[must_use]
    pub(super) fn waiting(&self) -> Option<&(CommandOp, Command)> {
        self.waiting.as_ref()
    }

    /// The handshake of a command.
    #[inline]
    pub(super) fn accept(&mut self, op: CommandOp, command: &Command) {
        match op {
            CommandOp::KernelStart => self.registers_per_thread = command.value as u8,
            CommandOp::WarpBase => self.base[usize::from(command.warp)] = command.value,
            _ => {}
        }
        self.waiting = Some((op, *command));
    }

    /// Ends the cycle of the command that was there; its done event, if it is carried out.
    #[inline]
    pub(super) fn answer(&mut self, answer: Answer) -> Done {
        if answer == Answer::Waits {
            return Done::default();
        }
        match (self.waiting.take(), answer) {
            (Some((op, command)), Answer::Done) => {
                Done { valid: true, op: op as u8, warp: command.warp, interval: command.interval }
            }
            _ => Done::default(),
        }
    }
}
