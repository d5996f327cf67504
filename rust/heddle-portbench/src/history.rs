//! The last transactions, kept cheaply and written out only for a report.

use heddle_port::{Command, CommandOp, Done, Issue, NUM_REGS, ResultWrite, Tag, WarpSlot};

const LENGTH: usize = 4096;
/// Lines in a report.
const SHOWN: usize = 24;

/// One transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Entry {
    Issue(Issue),
    Operands(u8, u16),
    Result(ResultWrite),
    Command(Command),
    Done(Done),
}

/// A ring of the last transactions.
#[derive(Debug, Default)]
pub(crate) struct History {
    entries: Vec<(u64, Entry)>,
    next: usize,
}

impl History {
    pub(crate) fn push(&mut self, cycle: u64, entry: Entry) {
        if self.entries.len() < LENGTH {
            self.entries.push((cycle, entry));
        } else {
            self.entries[self.next] = (cycle, entry);
            self.next = (self.next + 1) % LENGTH;
        }
    }

    /// The last transactions of a warp (and, except for commands, of a register), or of all.
    pub(crate) fn lines(&self, warp: Option<u8>, register: Option<u8>) -> Vec<String> {
        let (new, old) = self.entries.split_at(self.next);
        let mut lines: Vec<String> = old
            .iter()
            .chain(new)
            .rev()
            .filter(|(_, e)| warp.is_none_or(|w| e.warp() == w))
            .filter(|(_, e)| register.is_none_or(|r| e.touches(r)))
            .take(SHOWN)
            .map(|(cycle, e)| format!("cycle {cycle}: {}", e.text()))
            .collect();
        lines.reverse();
        lines
    }
}

fn op_name(op: u8) -> String {
    CommandOp::from_code(op).map_or_else(|| format!("command {op}"), |op| format!("{op:?}"))
}

fn command_text(c: &Command) -> String {
    let name = format!("{} {} accepted", WarpSlot(c.warp), op_name(c.op));
    match CommandOp::from_code(c.op) {
        Some(CommandOp::Prefetch) => {
            let set: Vec<String> = (0..NUM_REGS)
                .filter(|r| c.vector[r / 32] >> (r % 32) & 1 != 0)
                .map(|r| format!("R{r}"))
                .collect();
            format!("{name}, interval {}: {}", c.interval, set.join(" "))
        }
        Some(CommandOp::WarpBase) => format!("{name}, first warp register {}", c.value),
        Some(CommandOp::KernelStart) => {
            format!("KernelStart accepted, {} registers a thread", c.value)
        }
        _ => name,
    }
}

impl Entry {
    fn warp(&self) -> u8 {
        match self {
            Self::Issue(i) => i.warp,
            Self::Operands(warp, _) => *warp,
            Self::Result(r) => r.warp,
            Self::Command(c) => c.warp,
            Self::Done(d) => d.warp,
        }
    }

    fn touches(&self, register: u8) -> bool {
        match self {
            Self::Issue(i) => {
                let in_use = |valid: u8, slot: usize| valid >> slot & 1 != 0;
                (i.source.iter().enumerate()).any(|(s, &r)| r == register && in_use(i.source_valid, s))
                    || (i.destination.iter().enumerate())
                        .any(|(s, &r)| r == register && in_use(i.destination_valid, s))
            }
            Self::Result(r) => r.register == register,
            Self::Operands(..) => false,
            Self::Command(_) | Self::Done(_) => true,
        }
    }

    fn text(&self) -> String {
        let list = |registers: &[u8], valid: u8| {
            let names: Vec<String> = registers
                .iter()
                .enumerate()
                .filter(|(slot, _)| valid >> slot & 1 != 0)
                .map(|(_, r)| format!("R{r}"))
                .collect();
            names.join(" ")
        };
        match self {
            Self::Issue(i) => format!(
                "{} {} issued, lanes {:#010x}, reads [{}], writes [{}]",
                Tag(i.tag),
                WarpSlot(i.warp),
                i.mask,
                list(&i.source, i.source_valid),
                list(&i.destination, i.destination_valid)
            ),
            Self::Operands(warp, tag) => {
                format!("{} {} operands taken", Tag(*tag), WarpSlot(*warp))
            }
            Self::Result(r) => format!(
                "{} {} result R{}, lanes {:#010x}{}",
                Tag(r.tag),
                WarpSlot(r.warp),
                r.register,
                r.mask,
                if r.last { ", last" } else { "" }
            ),
            Self::Command(c) => command_text(c),
            Self::Done(d) => format!("{} {} done, interval {}", WarpSlot(d.warp), op_name(d.op), d.interval),
        }
    }
}
