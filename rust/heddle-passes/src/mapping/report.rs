//! The mapping of an entry as text.

use std::fmt::Write as _;

use super::{BankMapping, MoveCounts};

/// What the profile of an entry led to, for all banks of a register file.
#[derive(Debug, Clone)]
pub struct EntryMapping {
    /// Entry of the program.
    pub entry: String,
    /// Registers that a warp occupies: warp place p has the indices from p times this on.
    pub registers_per_warp: u32,
    /// Access ports of a bank.
    pub ports: usize,
    /// Offsets of a port's region.
    pub offsets: usize,
    /// By bank: the profile, and the mapping made from it.
    pub banks: Vec<(MoveCounts, BankMapping)>,
}

impl EntryMapping {
    /// The whole mapping: lines that begin with a keyword, then keywords and numbers, described in
    /// docs/designs/racetrack.md.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = self.ports * self.offsets;
        let mut text = format!(
            "mapping {} banks {} rows {rows} ports {} offsets {} registers {}\n",
            self.entry,
            self.banks.len(),
            self.ports,
            self.offsets,
            self.registers_per_warp
        );
        let sum =
            |value: fn(&BankMapping) -> u64| self.banks.iter().map(|(_, bank)| value(bank)).sum::<u64>();
        let moves: u64 = self.banks.iter().map(|(moves, _)| moves.total()).sum();
        text.push_str(&shifts(
            "total",
            moves,
            sum(|b| b.ascending_shifts),
            sum(|b| b.grouped_shifts),
            sum(BankMapping::shifts),
        ));
        for (number, (moves, bank)) in self.banks.iter().enumerate() {
            let head = format!("bank {number}");
            text.push_str(&shifts(
                &head,
                moves.total(),
                bank.ascending_shifts,
                bank.grouped_shifts,
                bank.shifts(),
            ));
            self.bank(&mut text, number, moves, bank);
        }
        text
    }

    fn bank(&self, text: &mut String, number: usize, moves: &MoveCounts, bank: &BankMapping) {
        // Writing to a string does not fail.
        for (offset, group) in bank.groups.iter().enumerate() {
            let rows: Vec<String> = group.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "group {offset} rows {}", rows.join(" "));
        }
        let registers = self.registers_per_warp.max(1) as usize;
        for (row, place) in bank.places.iter().enumerate() {
            let index = row * self.banks.len() + number;
            let entry = place.port * self.offsets + place.offset;
            let (warp, register) = (index / registers, index % registers);
            let _ = writeln!(
                text,
                "row {row} warp {warp} register {register} port {} offset {} entry {entry}",
                place.port, place.offset
            );
        }
        for (from, to, count) in moves.pairs() {
            let _ = writeln!(text, "move {from} {to} count {count}");
        }
    }
}

fn shifts(head: &str, moves: u64, ascending: u64, grouped: u64, chosen: u64) -> String {
    format!("{head} moves {moves} shifts ascending {ascending} grouped {grouped} chosen {chosen}\n")
}
