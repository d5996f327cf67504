//! Equality join by hash, a partition a block: the atomic operations of shared memory that give back what was there.
//!
//! The reference is exact. Where a tuple comes to lie follows from the order of the atomics; what is compared does not.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::Published;
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "hashjoin" };
/// Threads of a block.
const THREADS: usize = 128;
/// Words of a partition's outcome.
const WORDS: usize = 12;
/// Tickets go from 0 to this and over again.
const LIMIT: u32 = 37;

/// The workload.
struct HashJoin;

inventory::submit! { Entry(&HashJoin) }

/// Partitions, tuples that each of them builds from and tuples that it looks up.
fn extent(size: Size) -> (usize, usize, usize) {
    match size {
        Size::Smoke => (4, 150, 300),
        Size::Small => (48, 240, 500),
        Size::Paper => (2_000, 256, 1_024),
    }
}

/// Key and payload.
type Tuple = [u32; 2];

impl Workload for HashJoin {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "join by hash in shared memory: compare-and-swap, exchange, tickets, buckets of 16 bytes"
    }

    fn suite(&self) -> &'static str {
        "heddle"
    }

    fn published(&self) -> &'static [Published] {
        &[]
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("hashjoin")
    }

    fn size_text(&self, size: Size) -> String {
        let (partitions, built, probed) = extent(size);
        format!("{partitions} partitions of {built} and {probed} tuples")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (partitions, built, probed) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        // Keys of a partition are different and odd; some of those that are looked up are even, and not there.
        let build: Vec<Tuple> = (0..partitions)
            .flat_map(|_| {
                let first = random.next_u32() | 1;
                let step = random.next_u32() & 0xFFFE | 2;
                let keys = (0..built as u32).map(move |i| first.wrapping_add(i.wrapping_mul(step)));
                keys.collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
            .into_iter()
            .map(|key| [key, random.next_u32()])
            .collect();
        let probe: Vec<Tuple> = (0..partitions * probed)
            .map(|i| {
                let place = i / probed * built + random.next_u32() as usize % built;
                let key = build[place][0];
                [if random.next_u32().is_multiple_of(4) { key & !1 | 2 } else { key }, random.next_u32()]
            })
            .collect();
        let mut script = Script::new(HOST);
        let device_build = script.input("build", build.as_flattened());
        let device_probe = script.input("probe", probe.as_flattened());
        let outcomes = script.output::<u32>("outcomes", partitions * WORDS);
        script
            .launch("hashjoin", [partitions, 1, 1], [THREADS, 1, 1])
            .pointer(outcomes)
            .pointer(device_build)
            .pointer(device_probe)
            .u32(arg(built))
            .u32(arg(probed))
            .u32(LIMIT);
        script.judge(move |results| {
            let sides = build.chunks(built).zip(probe.chunks(probed));
            results.exact(outcomes, &sides.flat_map(|(b, p)| joined(b, p)).collect::<Vec<_>>())
        });
        Ok(Box::new(script))
    }
}

/// The outcome of a partition, in the order of the kernel's struct.
fn joined(build: &[Tuple], probe: &[Tuple]) -> [u32; WORDS] {
    let found: Vec<(u32, u32)> = probe
        .iter()
        .filter_map(|&[key, payload]| Some((build.iter().find(|tuple| tuple[0] == key)?[1], payload)))
        .collect();
    let product = found.iter().fold(0_u64, |sum, &(a, b)| sum.wrapping_add(u64::from(a) * u64::from(b)));
    let entries = build.iter().map(|&[key, payload]| u64::from(payload) << 32 | u64::from(key));
    let exchanged = entries.fold(0_u64, u64::wrapping_add);
    let period = LIMIT as usize + 1;
    let missed = (probe.len() - found.len()) % period;
    let class = |class: u32| build.iter().filter(|tuple| tuple[0] % 4 == class).count() as u32;
    let counts = [0, 1, 2, 3].map(class);
    let halves = counts.map(|count| u32::from(half(count)));
    [
        found.len() as u32,
        build.iter().fold(0, |sum, tuple| sum.wrapping_add(tuple[1])),
        product as u32,
        (product >> 32) as u32,
        exchanged as u32,
        (exchanged >> 32) as u32,
        (build.len() % period) as u32,
        ((period - missed) % period) as u32,
        counts[0] | counts[1] << 16,
        counts[2] | counts[3] << 16,
        halves[0] | halves[1] << 16,
        halves[2] | halves[3] << 16,
    ]
}

/// A count up to 2,048 in half precision.
fn half(count: u32) -> u16 {
    if count == 0 {
        return 0;
    }
    let exponent = count.ilog2();
    (exponent as u16 + 15) << 10 | (count << 10 >> exponent) as u16 & 0x3FF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_joins() {
        let outcome = joined(&[[1, 10], [7, u32::MAX]], &[[7, 2], [5, 9], [1, 1], [7, 1]]);
        assert_eq!(outcome[..2], [3, 9], "payloads wrap");
        let product = 3 * u64::from(u32::MAX) + 10;
        assert_eq!(outcome[2..4], [product as u32, (product >> 32) as u32]);
        assert_eq!(outcome[4..8], [8, 9, 2, LIMIT], "one was not there");
        assert_eq!(outcome[8..], [1 << 16, 1 << 16, 0x3C00 << 16, 0x3C00 << 16]);
    }

    #[test]
    fn halves_of_counts() {
        assert_eq!([half(0), half(1), half(3), half(2048)], [0, 0x3C00, 0x4200, 0x6800]);
    }
}
