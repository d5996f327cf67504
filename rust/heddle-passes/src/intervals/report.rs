//! Intervals as text, for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use heddle_isa::{Intervals, Program, RegSet};

use crate::registers::{members, size};

/// Banks of the main register file that the reports assume: register r lies in bank r mod 16.
pub const REPORT_BANKS: usize = 16;

/// Bank conflicts of fetching a working set, register r in bank r mod `banks`: the largest number of its
/// registers in one bank, less one (LTRF, section 4); 0 for an empty set.
///
/// # Panics
/// If `banks` is 0.
#[must_use]
pub fn bank_conflicts(working_set: &RegSet, banks: usize) -> u32 {
    let mut in_bank = vec![0u32; banks];
    for register in members(working_set) {
        in_bank[register % banks] += 1;
    }
    in_bank.into_iter().max().unwrap_or(0).saturating_sub(1)
}

/// The intervals of a program as text: per interval its header with the source line, its blocks with their
/// program counters, its length in instructions, its registers and its bank conflicts (register r in bank r mod 16), and at the end
/// how many intervals have how many conflicts.
///
/// `program` is the one that [`form_intervals`](super::form_intervals) returned with the intervals.
#[must_use]
pub fn interval_report(program: &Program, intervals: &Intervals) -> String {
    let mut text = String::new();
    let mut distribution: BTreeMap<u32, usize> = BTreeMap::new();
    let count = intervals.intervals.len();
    let plural = if count == 1 { "" } else { "s" };
    put(
        &mut text,
        format_args!(
            "kernel {}: {} instructions, {count} register-interval{plural} of at most {} registers\n",
            program.name,
            program.instrs.len(),
            intervals.limit
        ),
    );
    let mut lengths = vec![0; count];
    for id in &intervals.of_pc {
        lengths[usize::from(id.0)] += 1;
    }
    for interval in &intervals.intervals {
        let loc = program.instrs.get(interval.header.index()).map(|i| i.loc).unwrap_or_default();
        let conflicts = bank_conflicts(&interval.working_set, REPORT_BANKS);
        *distribution.entry(conflicts).or_default() += 1;
        put(
            &mut text,
            format_args!(
                "\ninterval {}\n  header     pc {} line {}  {}\n",
                interval.id.0,
                interval.header,
                loc.line,
                program.source_line(interval.header)
            ),
        );
        put(&mut text, format_args!("  blocks    "));
        for (index, block) in program.blocks.iter().enumerate() {
            if intervals.of_pc.get(block.first.index()) == Some(&interval.id) {
                let last = block.first.0 + block.len.saturating_sub(1);
                put(&mut text, format_args!(" {index} (pc {}..{last})", block.first));
            }
        }
        put(
            &mut text,
            format_args!(
                "\n  length     {}\n  registers  {} of {}:",
                lengths[usize::from(interval.id.0)],
                size(&interval.working_set),
                intervals.limit
            ),
        );
        for register in members(&interval.working_set) {
            put(&mut text, format_args!(" R{register}"));
        }
        put(&mut text, format_args!("\n  conflicts  {conflicts} in {REPORT_BANKS} banks\n"));
    }
    put(&mut text, format_args!("\nbank conflicts  intervals\n"));
    for (conflicts, intervals) in distribution {
        put(&mut text, format_args!("{conflicts:>14}  {intervals}\n"));
    }
    text
}

/// Appends to a string, which cannot fail.
pub(crate) fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a String takes every text");
}
