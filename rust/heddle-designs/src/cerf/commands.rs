//! Control commands, warp bases, and the walk over the registers of a warp that has ended.

use heddle_port::{Command, CommandOp, Done, NUM_WARPS};

/// The command unit.
#[derive(Debug, Clone)]
pub struct Commands {
    base: [u16; NUM_WARPS],
    registers_per_thread: u8,
    /// Registers that the walk has still to free; the unit takes no command while there are any.
    left: u8,
    register: u16,
    warp: u8,
}

impl Commands {
    /// No command under way.
    #[must_use]
    pub fn new() -> Self {
        Self { base: [0; NUM_WARPS], registers_per_thread: 0, left: 0, register: 0, warp: 0 }
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
        self.left == 0
    }

    /// Warp register of a warp's register, without regard to how many there are.
    #[inline]
    #[must_use]
    pub fn index(&self, warp: u8, register: u8) -> u16 {
        self.base[usize::from(warp)].wrapping_add(u16::from(register))
    }

    /// The warp register that the walk frees next.
    #[inline]
    #[must_use]
    pub fn kill(&self) -> Option<u16> {
        (self.left > 0).then_some(self.register % super::NUM_REGISTERS)
    }

    /// The walk's register has been looked up; the done event after the last one.
    #[inline]
    pub fn killed(&mut self) -> Done {
        self.left -= 1;
        self.register = self.register.wrapping_add(1);
        if self.left > 0 {
            return Done::default();
        }
        Done { valid: true, op: CommandOp::Exit as u8, warp: self.warp, interval: 0 }
    }

    /// Carries out an accepted command; `None` if there is no such command.
    #[inline]
    pub fn accept(&mut self, command: &Command) -> Option<Done> {
        match CommandOp::from_code(command.op)? {
            CommandOp::KernelStart => self.registers_per_thread = command.value as u8,
            CommandOp::WarpBase => self.base[usize::from(command.warp)] = command.value,
            CommandOp::Exit if self.registers_per_thread > 0 => {
                self.left = self.registers_per_thread;
                self.register = self.base[usize::from(command.warp)];
                self.warp = command.warp;
                return Some(Done::default());
            }
            CommandOp::Exit
            | CommandOp::MapEntry
            | CommandOp::Activate
            | CommandOp::Deactivate
            | CommandOp::Prefetch => {}
        }
        Some(Done { valid: true, op: command.op, warp: command.warp, interval: command.interval })
    }
}

impl Default for Commands {
    fn default() -> Self {
        Self::new()
    }
}
