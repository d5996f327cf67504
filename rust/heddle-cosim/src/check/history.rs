//! The last transactions of each warp's registers and of the port, for reports.

use heddle_isa::Pc;
use heddle_port::{LaneMask, NUM_WARPS, Tag, WarpSlot};

use heddle_sm::PerformedEvent;

use super::accesses::Accesses;
use crate::mismatch::Transaction;

/// Transactions kept of each warp.
const PER_WARP: usize = 256;
/// Transactions kept of the command port.
const COMMANDS: usize = 64;

/// What happened to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// An instruction that reads it was issued.
    ReadIssued,
    /// Its value came out of the design.
    ReadCollected,
    /// A result was accepted.
    Write,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    cycle: u64,
    access: Access,
    register: u32,
    tag: u16,
    pc: u32,
    mask: u32,
    lane: u8,
    value: u32,
}

/// Rings of recent transactions.
#[derive(Debug)]
pub struct History {
    warps: Vec<Ring<Entry>>,
    commands: Ring<(u64, String)>,
    memory: Accesses,
}

#[derive(Debug)]
pub(super) struct Ring<T> {
    entries: Vec<T>,
    next: usize,
    capacity: usize,
}

impl<T> Ring<T> {
    pub(super) fn new(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), next: 0, capacity }
    }

    pub(super) fn push(&mut self, entry: T) {
        if self.entries.len() < self.capacity {
            self.entries.push(entry);
        } else {
            self.entries[self.next] = entry;
        }
        self.next = (self.next + 1) % self.capacity;
    }

    pub(super) fn oldest_first(&self) -> impl Iterator<Item = &T> {
        let split = if self.entries.len() < self.capacity { 0 } else { self.next };
        self.entries[split..].iter().chain(&self.entries[..split])
    }
}

impl Default for History {
    fn default() -> Self {
        Self {
            warps: (0..NUM_WARPS).map(|_| Ring::new(PER_WARP)).collect(),
            commands: Ring::new(COMMANDS),
            memory: Accesses::default(),
        }
    }
}

/// Where and when a register transaction was.
#[derive(Debug, Clone, Copy)]
pub struct At {
    /// Cycle of the run.
    pub cycle: u64,
    /// Hardware warp slot.
    pub warp: u8,
    /// Tag of the instruction.
    pub tag: u16,
    /// Its program counter.
    pub pc: u32,
    /// Lanes concerned.
    pub mask: u32,
}

impl At {
    /// At cycle `cycle` of the run, of an instruction in hardware warp slot `slot`.
    #[inline]
    #[must_use]
    pub fn new(cycle: u64, slot: WarpSlot, tag: Tag, pc: Pc, mask: LaneMask) -> Self {
        Self { cycle, warp: slot.0, tag: tag.0, pc: pc.0, mask: mask.0 }
    }
}

impl History {
    /// A register transaction; the value of its lowest lane is kept.
    #[inline]
    pub fn register(&mut self, at: At, access: Access, register: u32, data: Option<&[u32; 32]>) {
        let lane = (at.mask.trailing_zeros() & 31) as u8;
        let value = data.map_or(0, |d| d[usize::from(lane)]);
        let entry =
            Entry { cycle: at.cycle, access, register, tag: at.tag, pc: at.pc, mask: at.mask, lane, value };
        self.warps[usize::from(at.warp)].push(entry);
    }

    /// A command or its done event.
    pub fn command(&mut self, cycle: u64, what: String) {
        self.commands.push((cycle, what));
    }

    /// The last `limit` transactions of a warp's register and the commands among them; the last one
    /// of the failing instruction is marked.
    #[must_use]
    pub fn of_register(&self, warp: u8, register: u32, tag: u16, limit: usize) -> Vec<Transaction> {
        let mut all: Vec<Transaction> = self.warps[usize::from(warp)]
            .oldest_first()
            .filter(|e| e.register == register)
            .map(|e| Transaction {
                cycle: e.cycle,
                what: describe(e),
                failing: e.tag == tag && e.access == Access::ReadCollected,
            })
            .collect();
        all.extend(self.commands_of(warp));
        all.sort_by_key(|t| t.cycle);
        all.split_off(all.len().saturating_sub(limit))
    }

    /// The commands of a warp.
    fn commands_of(&self, warp: u8) -> impl Iterator<Item = Transaction> {
        let needle = format!("warp {warp}");
        let own =
            self.commands.oldest_first().filter(move |(_, what)| what.split(", ").any(|part| part == needle));
        own.map(|(cycle, what)| Transaction { cycle: *cycle, what: what.clone(), failing: false })
    }

    /// The last `limit` register transactions and commands of some warps.
    #[must_use]
    pub fn of_warps(&self, warps: &[u8], limit: usize) -> Vec<Transaction> {
        let mut all: Vec<Transaction> = Vec::new();
        for &warp in warps {
            all.extend(self.registers_of(usize::from(warp)));
            all.extend(self.commands_of(warp));
        }
        all.sort_by_key(|t| t.cycle);
        all.split_off(all.len().saturating_sub(limit))
    }

    /// The register transactions of a warp.
    fn registers_of(&self, warp: usize) -> impl Iterator<Item = Transaction> {
        let entries = self.warps.get(warp).into_iter().flat_map(Ring::oldest_first);
        entries.map(move |e| Transaction {
            cycle: e.cycle,
            what: format!("warp {warp}: {}", describe(e)),
            failing: false,
        })
    }

    /// The memory accesses so far.
    #[must_use]
    pub fn memory(&self) -> &Accesses {
        &self.memory
    }

    /// An access to memory was performed at cycle `cycle` of the run.
    pub fn performed(&mut self, cycle: u64, event: &PerformedEvent<'_>) {
        self.memory.note(cycle, event);
    }

    /// The last `limit` transactions of all warps and of the command port.
    #[must_use]
    pub fn recent(&self, limit: usize) -> Vec<Transaction> {
        let mut all: Vec<Transaction> = Vec::new();
        all.extend((0..self.warps.len()).flat_map(|warp| self.registers_of(warp)));
        all.extend(self.commands.oldest_first().map(|(cycle, what)| Transaction {
            cycle: *cycle,
            what: what.clone(),
            failing: false,
        }));
        all.sort_by_key(|t| t.cycle);
        all.split_off(all.len().saturating_sub(limit))
    }
}

fn describe(e: &Entry) -> String {
    let Entry { register, tag, pc, mask, lane, value, .. } = e;
    match e.access {
        Access::ReadIssued => format!("read of R{register} issued, T{tag}, pc {pc}, lanes {mask:#010x}"),
        Access::ReadCollected => {
            format!(
                "read of R{register} collected, T{tag}, pc {pc}, lanes {mask:#010x}, lane {lane} = {value:#010x}"
            )
        }
        Access::Write => {
            format!(
                "write of R{register} accepted, T{tag}, pc {pc}, lanes {mask:#010x}, lane {lane} = {value:#010x}"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_the_last_transactions_in_order_with_the_failing_one_marked() {
        let mut history = History::default();
        for i in 0..1000u64 {
            let tag = u16::try_from(i).unwrap_or(0);
            let at = At { cycle: i, warp: 3, tag, pc: 7, mask: 0xF0 };
            let access = if i % 2 == 0 { Access::Write } else { Access::ReadCollected };
            history.register(at, access, u32::from(i % 3 == 0), Some(&[5; 32]));
        }
        history.command(995, "prefetch, warp 3, interval 2".to_owned());
        history.command(996, "prefetch, warp 30, interval 2".to_owned());
        let list = history.of_register(3, 1, 999, 4);
        let cycles: Vec<u64> = list.iter().map(|t| t.cycle).collect();
        assert_eq!(cycles, [993, 995, 996, 999]);
        assert!(list[3].failing && list[3].what.contains("R1") && list[3].what.contains("lane 4"));
        assert_eq!(list.iter().filter(|t| t.failing).count(), 1);
        assert_eq!(history.recent(1)[0].cycle, 999);
        let other = At { cycle: 2000, warp: 4, tag: 0, pc: 7, mask: 1 };
        history.register(other, Access::Write, 9, Some(&[6; 32]));
        let own = history.of_warps(&[3], 3);
        assert!(own.iter().all(|t| t.what.contains("warp 3")), "{own:?}");
        assert_eq!(own.iter().map(|t| t.cycle).collect::<Vec<_>>(), [997, 998, 999]);
        assert_eq!(history.of_warps(&[3, 4], 1)[0].what.split(':').next(), Some("warp 4"));
    }
}
