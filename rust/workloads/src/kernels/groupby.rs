//! Aggregates of records by key: every atomic operation of shared memory that needs no look at what was there.
//!
//! The reference is exact: sums of floating-point numbers are of small multiples of a power of two, so that no
//! order rounds them.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::Published;
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "groupby" };
/// Threads of a block.
const THREADS: usize = 256;
/// Keys, and so rows of a block.
const KEYS: usize = 24;
/// Words of a row.
const WORDS: usize = 28;

/// The workload.
struct GroupBy;

inventory::submit! { Entry(&GroupBy) }

/// Records, and how many of them a thread takes; a half counts to 2,048 at most.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (1_500, 2),
        Size::Small => (60_000, 4),
        Size::Paper => (1_000_000, 8),
    }
}

impl Workload for GroupBy {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "aggregates by key: atomics of all integers and floats in shared memory, rows of 16 bytes"
    }

    fn suite(&self) -> &'static str {
        "heddle"
    }

    fn published(&self) -> &'static [Published] {
        &[]
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("groupby")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} records, {KEYS} keys", extent(size).0)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (count, each) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        // Keys are skewed: the square of an even distribution.
        let key = |draw: u32| {
            let at = (u64::from(draw) * u64::from(draw)) >> 32;
            ((at * KEYS as u64) >> 32) as u32
        };
        let records: Vec<[u32; 4]> = (0..count)
            .map(|_| {
                let number = (random.next_u32() as i32 >> 16) as u32;
                [key(random.next_u32()), number, random.next_u32(), random.next_u32()]
            })
            .collect();
        let blocks = count.div_ceil(each * THREADS);
        let mut script = Script::new(HOST);
        let device = script.input("records", records.as_flattened());
        let rows = script.output::<u32>("rows", blocks * KEYS * WORDS);
        script
            .launch("groupby", [blocks, 1, 1], [THREADS, 1, 1])
            .pointer(rows)
            .pointer(device)
            .u32(arg(count))
            .u32(arg(each));
        script.judge(move |results| {
            let expected: Vec<u32> = records.chunks(each * THREADS).flat_map(grouped).collect();
            results.exact(rows, &expected)
        });
        Ok(Box::new(script))
    }
}

/// What is known of a key.
#[derive(Clone)]
struct Group {
    numbers: Vec<i32>,
    codes: Vec<u64>,
}

/// The rows of a block, key by key.
fn grouped(records: &[[u32; 4]]) -> Vec<u32> {
    let mut groups = vec![Group { numbers: Vec::new(), codes: Vec::new() }; KEYS];
    for &[key, number, low, high] in records {
        let group = &mut groups[key as usize];
        group.numbers.push(number as i32);
        group.codes.push(u64::from(high) << 32 | u64::from(low));
    }
    groups.iter().flat_map(Group::row).collect()
}

impl Group {
    /// Words of the row, in the order of the kernel's struct.
    fn row(&self) -> [u32; WORDS] {
        let numbers = || self.numbers.iter().copied();
        let wide = || self.codes.iter().copied();
        let short = || wide().map(|code| code as u32);
        let signed = || wide().map(|code| code as i64);
        let halves = [
            half(4 * numbers().filter(|n| n & 1 != 0).count()),
            half(numbers().filter(|n| n & 3 == 0).count()),
        ];
        let sum: i64 = numbers().map(i64::from).sum();
        let weight: i32 = numbers().map(|n| n & 0x3F).sum();
        let doublewords = [
            wide().fold(0, u64::wrapping_add),
            signed().min().unwrap_or(i64::MAX) as u64,
            signed().max().unwrap_or(i64::MIN) as u64,
            wide().min().unwrap_or(u64::MAX),
            wide().max().unwrap_or(0),
            wide().fold(u64::MAX, |all, code| all & code),
            wide().fold(0, |any, code| any | code),
            wide().fold(0, |parity, code| parity ^ code),
            (sum as f64).to_bits(),
        ];
        let mut row = [0; WORDS];
        row[..8].copy_from_slice(&[
            self.numbers.len() as u32,
            numbers().min().unwrap_or(i32::MAX) as u32,
            numbers().max().unwrap_or(i32::MIN) as u32,
            short().min().unwrap_or(u32::MAX),
            short().max().unwrap_or(0),
            short().fold(u32::MAX, |all, code| all & code),
            short().fold(0, |any, code| any | code),
            short().fold(0, |parity, code| parity ^ code),
        ]);
        for (words, value) in row[8..26].chunks_exact_mut(2).zip(doublewords) {
            words.copy_from_slice(&[value as u32, (value >> 32) as u32]);
        }
        row[26] = (weight as f32).to_bits();
        row[27] = u32::from(halves[0]) | u32::from(halves[1]) << 16;
        row
    }
}

/// `quarters` / 4 in half precision, which has it exactly.
fn half(quarters: usize) -> u16 {
    if quarters == 0 {
        return 0;
    }
    let exponent = quarters.ilog2();
    let fraction = (quarters << 10 >> exponent) as u16 & 0x3FF;
    (exponent as u16 + 13) << 10 | fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_quarters() {
        assert_eq!([half(0), half(1), half(4), half(6), half(8192)], [0, 0x3400, 0x3C00, 0x3E00, 0x6800]);
    }

    #[test]
    fn reference_groups() {
        let rows = grouped(&[[1, 5, 7, 1], [1, -8_i32 as u32, 3, 1 << 31]]);
        let row = &rows[WORDS..2 * WORDS];
        assert_eq!(row[..8], [2, -8_i32 as u32, 5, 3, 7, 3, 7, 4]);
        assert_eq!(row[8..12], [10, 1 << 31 | 1, 3, 1 << 31], "total, and the least as signed");
        assert_eq!(row[14..16], [7, 1], "the least as unsigned");
        assert_eq!(
            row[24..],
            [0, 0xC008_0000, 61_f32.to_bits(), 0x3400_3C00],
            "-3, 5 + 56, one and a quarter"
        );
        assert_eq!(rows[..3], [0, i32::MAX as u32, i32::MIN as u32], "no record");
    }
}
