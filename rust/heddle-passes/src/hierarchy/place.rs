//! Who gets an entry: greedy, by the accesses of the main register file that are saved for each occupied issue slot.

use std::cmp::Reverse;
use std::ops::Range;

use heddle_port::{ResultLevel, SourceLevel};

use super::values::{Strand, Value};
use super::{Allocation, Hierarchy};

/// The ranges of issue slots in which an entry is taken: from the instruction that writes it to its last read.
#[derive(Debug, Clone, Default)]
struct Entry {
    taken: Vec<Range<usize>>,
}

impl Entry {
    /// A value can be written by the instruction that reads the one before it for the last time.
    fn is_free(&self, range: &Range<usize>) -> bool {
        self.taken.iter().all(|taken| range.start >= taken.end || taken.start >= range.end)
    }
}

/// Accesses of the main register file that an upper level saves, counted once each in the program text.
fn savings(value: &Value) -> usize {
    value.reads.len() + if value.kept { 0 } else { value.writes.len() }
}

/// Issue slots from the write to the last read.
fn range(strand: &Strand<'_>, value: &Value) -> Option<Range<usize>> {
    let last = value.reads.last()?.pc;
    Some(strand.position(value.first()?)..strand.position(last))
}

/// Savings and slots of a value: the more of the one for each of the other, the earlier it is served.
fn comes_before(a: &(usize, usize), b: &(usize, usize)) -> std::cmp::Ordering {
    (Reverse(a.0 * b.1)).cmp(&Reverse(b.0 * a.1))
}

/// Places the values of a strand.
pub(super) fn place(strand: &Strand<'_>, hierarchy: Hierarchy, allocation: &mut Allocation) {
    let mut values: Vec<(usize, usize, Value)> = Vec::new();
    for value in strand.values() {
        if let Some(range) = range(strand, &value) {
            values.push((savings(&value), range.len().max(1), value));
        }
    }
    values.sort_by(|a, b| {
        let by_priority = comes_before(&(a.0, a.1), &(b.0, b.1));
        by_priority.then_with(|| (a.2.first(), a.2.register.0).cmp(&(b.2.first(), b.2.register.0)))
    });
    let mut last = Entry::default();
    let mut operand = vec![Entry::default(); usize::from(hierarchy.operand_entries)];
    for (_, _, mut value) in values {
        if hierarchy.last_result && takes_last_result(strand, &value, &mut last) {
            put(&value, SourceLevel::Last, ResultLevel::Last, 0, allocation);
            continue;
        }
        while let Some(range) = range(strand, &value) {
            let free = operand.iter().position(|entry| entry.is_free(&range));
            if let Some(entry) = free.filter(|_| strand.is_always_read(&value)) {
                operand[entry].taken.push(range);
                let result = if value.kept { ResultLevel::Both } else { ResultLevel::Operand };
                put(&value, SourceLevel::Operand, result, entry as u8, allocation);
                break;
            }
            // What is left out is read in the main register file.
            value.reads.pop();
            value.kept = true;
        }
    }
}

/// The last result file takes what arithmetic units alone write and read and nobody else needs, if it is free.
fn takes_last_result(strand: &Strand<'_>, value: &Value, last: &mut Entry) -> bool {
    let Some(range) = range(strand, value).filter(|range| last.is_free(range)) else { return false };
    let fits = value.fill.is_none() && !value.kept && value.is_arithmetic(strand.program);
    let takes = fits && strand.is_always_read(value);
    if takes {
        last.taken.push(range);
    }
    takes
}

fn put(value: &Value, source: SourceLevel, result: ResultLevel, entry: u8, allocation: &mut Allocation) {
    for write in &value.writes {
        allocation.levels[write.pc.index()].results[write.slot] = result;
        allocation.entries[write.pc.index()].results[write.slot] = entry;
    }
    for read in &value.reads {
        allocation.levels[read.pc.index()].sources[read.slot] = source;
        allocation.entries[read.pc.index()].sources[read.slot] = entry;
    }
    if let Some(fill) = value.fill {
        allocation.levels[fill.pc.index()].sources[fill.slot] = SourceLevel::Fill;
        allocation.entries[fill.pc.index()].sources[fill.slot] = entry;
    }
}
