//! The tagging stage: one operation a tag bank and cycle.

use heddle_port::{Events, LowerKind, MemOutcome, MemPerformed, MemRequest, MemResponse};

use super::entry::{Op, State};
use super::exits::EXIT_ROWS;
use super::machine::{Fields, Integrated};
use super::memory::{Access, byte_mask};
use super::mshrs::response;
use super::tags::{Away, Lookup};
use super::{FIRST_REGISTER_LINE, NUM_REGISTERS, NUM_TAG_BANKS, register_line};
use crate::front::SourceRef;

/// What happened in the tagging stage of a cycle.
#[derive(Debug, Default)]
pub(super) struct Tagging {
    /// Banks that wrote a result.
    pub written: u32,
    pub filled: bool,
    /// Banks that access their data banks.
    pub rows: u32,
    pub reading: [Option<SourceRef>; NUM_TAG_BANKS],
    /// Response of a hit or store.
    pub hit: MemResponse,
    /// The load or store was looked up and lacked an MSHR or room.
    pub lacks: bool,
    pub performed: MemPerformed,
}

/// The oldest load or store, as it is looked up in a cycle.
#[derive(Clone, Copy)]
struct Head {
    request: MemRequest,
    access: Access,
    /// MSHR that it joins.
    joins: Option<u8>,
}

/// What the tag banks share; each takes one operation a cycle, and the lowest bank goes first.
struct Shared {
    /// The queue to L2 had room when the cycle began.
    had_room: bool,
    /// A request can be put into the queue to L2.
    place: bool,
    /// A result can be put beside its register that is on its way.
    deposit: bool,
    first_free: Option<u8>,
}

/// An operation of one tag bank and what its look-up found.
#[derive(Clone, Copy)]
struct Operation {
    bank: usize,
    op: Op,
    found: Lookup,
}

/// Whether a committed operation uses the data banks.
#[inline]
fn accesses_row(op: Op, found: &Lookup) -> bool {
    found.evict
        || match op {
            Op::ReadReg { .. } | Op::WriteReg { .. } => found.away == Away::No,
            Op::Fill | Op::Refill => found.placed,
            Op::Load | Op::Store => found.hit,
            Op::Bypass | Op::Flush => false,
        }
}

/// The events of a committed operation.
#[inline]
fn note(fields: &Fields, operation: &Operation, events: &mut Events) {
    let Operation { bank, op, found } = *operation;
    let bit = 1 << bank;
    if found.evict {
        fields.row_read.set(events, bit);
        let (field, value) = match (found.before, op) {
            (State::Reg, Op::Fill) => (fields.spill_for_line, 1),
            (State::Reg, _) => (fields.spill_for_register, 1),
            (_, Op::WriteReg { .. } | Op::Refill) => (fields.evict_for_register, bit),
            (_, Op::Fill) => (fields.evict_for_line, bit),
            (_, Op::Flush) => (fields.flushed_line, 1),
            _ => (fields.evict_for_bypass, bit),
        };
        field.set(events, value);
    } else {
        if accesses_row(op, &found) {
            let reads = matches!(op, Op::ReadReg { .. } | Op::Load);
            if reads { fields.row_read } else { fields.row_write }.set(events, bit);
        }
        let happened = match (op, found.placed, found.before) {
            (Op::ReadReg { .. }, ..) if found.away != Away::No => Some((fields.register_away, bit)),
            (Op::WriteReg { .. }, ..) if found.away != Away::No => Some((fields.write_merged, 1)),
            (Op::ReadReg { .. }, false, _) => Some((fields.register_miss, bit)),
            (Op::ReadReg { dead: true }, true, _) => Some((fields.reg_dead, bit)),
            (Op::WriteReg { .. } | Op::Refill, true, State::Inactive) => Some((fields.inactive_to_reg, bit)),
            (Op::WriteReg { .. } | Op::Refill, true, State::Cache) => Some((fields.cache_to_reg, bit)),
            (Op::Fill, false, _) => Some((fields.fill_refused, 1)),
            (Op::Fill, true, State::Inactive) => Some((fields.inactive_to_cache, bit)),
            (Op::Fill, true, State::Cache) => Some((fields.cache_to_cache, bit)),
            (Op::Store, true, State::Cache) => Some((fields.cache_to_dirty, bit)),
            (Op::Bypass, true, State::Cache) => Some((fields.cache_dropped, bit)),
            _ => None,
        };
        if let Some((field, value)) = happened {
            field.set(events, value);
        }
        if op == Op::Refill {
            fields.register_refilled.set(events, 1);
        }
        if found.away == Away::Spilled {
            fields.refill_started.set(events, 1);
        }
    }
    if found.placed {
        fields.entry.set(events, u64::from(found.row) << (8 * bank));
    }
}

impl Integrated {
    /// One operation in each tag bank.
    #[inline]
    pub(super) fn tagging(&mut self, events: &mut Events) -> Tagging {
        let mut tagging = Tagging::default();
        let fill = self.fills.places().map(|id| self.mshrs.line(id));
        let writes = self.writes.oldest::<NUM_TAG_BANKS>();
        let flush = self.flush;
        let head = self.head();
        let requests = self.collectors.requests();
        let had_room = self.lower.has_room();
        let mut shared = Shared {
            had_room,
            place: had_room,
            deposit: !self.memory_in.get().lower_response.valid,
            first_free: self.mshrs.first_free(),
        };
        for bank in 0..NUM_TAG_BANKS {
            let bit = 1_u64 << bank;
            let here = |line: u32| line as usize % NUM_TAG_BANKS == bank;
            let fill = fill.filter(|&line| here(line));
            let head = head.filter(|h| here(h.access.line));
            let flush = flush.filter(|&entry| here(entry.into()));
            if fill.is_none() && writes[bank].is_none() {
                self.free_registers(bank, events);
            }
            let others = fill.is_some() || head.is_some() || flush.is_some();
            let busy = others || writes[bank].is_some();
            if requests[bank] != 0 {
                if writes[bank].is_some() {
                    self.fields.read_behind_write.set(events, bit);
                } else if busy || requests[bank] & (requests[bank] - 1) != 0 {
                    self.fields.bank_conflict.set(events, bit);
                }
            }
            let (op, line) = if let Some(line) = fill {
                (if line >= FIRST_REGISTER_LINE { Op::Refill } else { Op::Fill }, line)
            } else if let Some((register, full)) = writes[bank] {
                (Op::WriteReg { full }, register_line(register))
            } else if let Some(head) = head {
                (head.access.op, head.access.line)
            } else if let Some(entry) = flush {
                (Op::Flush, entry.into())
            } else if let Some(collector) = self.arbiters[bank].grant(requests[bank]) {
                self.fields.tag_lookup.set(events, bit);
                self.read_register(bank, collector as usize, &mut shared, &mut tagging, events);
                continue;
            } else {
                continue;
            };
            self.fields.tag_lookup.set(events, bit);
            let found = self.banks[bank].look_up(op, line);
            let lookup = Operation { bank, op, found };
            let head = head.filter(|_| op.is_access());
            if !self.supplied(&lookup, line, head.as_ref(), &mut shared, &mut tagging) {
                continue;
            }
            self.banks[bank].commit(op, line, &found);
            note(&self.fields, &lookup, events);
            self.follow_line(op, &found, line);
            if accesses_row(op, &found) {
                tagging.rows |= 1 << bank;
            }
            if found.evict {
                continue;
            }
            match op {
                Op::Fill => tagging.filled = true,
                Op::Refill => {
                    tagging.filled = true;
                    self.collectors.wake((line - FIRST_REGISTER_LINE) as u16);
                }
                Op::WriteReg { .. } => tagging.written |= 1 << bank,
                Op::Flush => {
                    self.flush = self.flush.map(|entry| entry + 1).filter(|&entry| entry < NUM_REGISTERS)
                }
                _ => {
                    if let Some(head) = &head {
                        self.carry_out(head, found.hit, shared.first_free, &mut tagging, events);
                    }
                }
            }
        }
        tagging
    }

    /// Frees registers of a warp that has ended in a bank that sets up no entry. A group with a register that is
    /// on its way waits until it has come.
    #[inline]
    fn free_registers(&mut self, bank: usize, events: &mut Events) {
        let Some((group, rows)) = self.exits.of_bank(bank) else { return };
        let Some(ended) = self.banks[bank].free(group, rows) else { return };
        self.exits.freed(bank);
        self.fields.reg_ended.set(events, u64::from(ended) << (EXIT_ROWS * bank));
    }

    /// The oldest load or store, if it is to be looked up.
    #[inline]
    fn head(&self) -> Option<Head> {
        let (request, access) = self.memory.head()?;
        let pending = self.mshrs.pending(access.line);
        let joins = pending.filter(|&id| access.op == Op::Load && self.mshrs.joinable(id));
        let open = pending.is_none() || joins.is_some();
        (open && !self.memory.parked()).then_some(Head { request: *request, access: *access, joins })
    }

    /// Whether an operation has what it needs of MSHRs, of the queue to L2 and of the buffer of the lines
    /// that are on their way; puts its request to L2 in.
    #[inline]
    fn supplied(
        &mut self,
        lookup: &Operation,
        line: u32,
        head: Option<&Head>,
        shared: &mut Shared,
        tagging: &mut Tagging,
    ) -> bool {
        let Operation { op, found, .. } = *lookup;
        let refills = found.away == Away::Spilled;
        let misses = match (op, head) {
            (Op::Load, Some(head)) => !found.hit && head.joins.is_none(),
            (Op::Store, _) => !found.hit,
            (Op::Bypass, _) => true,
            _ => refills,
        };
        let deposits = matches!(op, Op::WriteReg { .. }) && found.away != Away::No;
        if deposits && !self.deposit(line, refills, shared) {
            return false;
        }
        if !found.evict && !misses {
            return true;
        }
        let needs_mshr = !found.evict && (refills || head.is_some_and(|h| !h.access.write));
        let lacks_mshr = needs_mshr && shared.first_free.is_none();
        tagging.lacks |= head.is_some() && (lacks_mshr || !shared.had_room);
        if lacks_mshr || !shared.place {
            return false;
        }
        shared.place = false;
        let id = shared.first_free.unwrap_or(0);
        if found.evict {
            let line = self.order.memory_line(found.holds);
            self.lower.push(self.cycle, LowerKind::WriteBack, 0, line, [u32::MAX; 4]);
        } else if refills {
            self.lower.push(self.cycle, LowerKind::Fill, id, self.order.memory_line(line), [u32::MAX; 4]);
            self.mshrs.allocate(id, line, true, MemResponse::default());
        } else if let Some(head) = head {
            let (kind, line) = (head.access.lower, head.access.line);
            if kind == LowerKind::BypassWrite {
                self.lower.push(self.cycle, kind, 0, line, byte_mask(&head.request));
            } else {
                self.lower.push(self.cycle, kind, id, line, [u32::MAX; 4]);
            }
        }
        true
    }

    /// Whether a result can be put beside its register that is on its way, or will be if it `refills`. The
    /// lowest bank that asks has the turn.
    #[inline]
    fn deposit(&self, line: u32, refills: bool, shared: &mut Shared) -> bool {
        let turn = std::mem::take(&mut shared.deposit);
        turn && (refills || self.mshrs.open(line).is_some_and(|id| self.fills.starting() != Some(id)))
    }

    /// The load or store takes its place in the memory order.
    #[inline]
    fn carry_out(
        &mut self,
        head: &Head,
        hit: bool,
        first_free: Option<u8>,
        tagging: &mut Tagging,
        events: &mut Events,
    ) {
        let Head { request, access, joins } = head;
        tagging.performed = MemPerformed { valid: true, tag: request.tag, mask: request.mask };
        self.follow_access(request, access, hit, joins.is_some());
        let event = match (access.op, hit, joins) {
            (Op::Load, true, _) => self.fields.load_hit,
            (Op::Load, false, Some(_)) => self.fields.load_merged,
            (Op::Load, false, None) => self.fields.load_miss,
            (Op::Store, true, _) => self.fields.store_hit,
            (Op::Store, false, _) => self.fields.store_through,
            _ => self.fields.bypassed,
        };
        event.set(events, 1);
        if access.write || (access.op == Op::Load && hit) {
            tagging.hit = response(request, MemOutcome::Hit, access.write);
        } else if let Some(id) = joins {
            self.mshrs.join(*id, response(request, MemOutcome::Merged, false));
        } else if let Some(id) = first_free {
            let fetches = access.op == Op::Load;
            let outcome = if fetches { MemOutcome::Miss } else { MemOutcome::Bypassed };
            self.mshrs.allocate(id, access.line, fetches, response(request, outcome, false));
        }
    }

    /// An operand read: its data are on their way, or it waits for a spilled register, or it lacks room.
    #[inline]
    fn read_register(
        &mut self,
        bank: usize,
        collector: usize,
        shared: &mut Shared,
        tagging: &mut Tagging,
        events: &mut Events,
    ) {
        let read = self.collectors.lowest(collector, bank);
        let line = register_line(read.register);
        let op = Op::ReadReg { dead: false };
        let found = self.banks[bank].look_up(op, line);
        let lookup = Operation { bank, op, found };
        if found.away != Away::No {
            if self.supplied(&lookup, line, None, shared, tagging) {
                self.banks[bank].commit(op, line, &found);
                self.collectors.park(&read);
                note(&self.fields, &lookup, events);
            }
            return;
        }
        // What is found does not depend on whether the register dies.
        let op = Op::ReadReg { dead: self.collectors.take(&read) };
        self.banks[bank].commit(op, line, &found);
        note(&self.fields, &Operation { bank, op, found }, events);
        self.fields.granted_collector.set(events, u64::from(read.target.collector) << (4 * bank));
        self.fields.granted_source.set(events, u64::from(read.target.source) << (3 * bank));
        tagging.rows |= 1 << bank;
        tagging.reading[bank] = Some(read.target);
    }
}
