//! The kernels, and what they must leave.

use super::kernel::{Arg, Order};

const CTAS: u32 = 4;
const THREADS: u32 = 256;

fn is(what: &str, actual: &[u32], expected: &[u32]) -> Result<(), String> {
    if actual == expected { Ok(()) } else { Err(format!("{what} are {actual:?}, not {expected:?}")) }
}

/// Inputs of which some are odd.
fn inputs() -> Vec<u32> {
    (0..CTAS * THREADS + 7).map(|i| i.wrapping_mul(0x9e37_79b1) >> 7).collect()
}

fn order(entry: &'static str, grid: u32, block: u32) -> Order {
    Order {
        entry,
        grid,
        block,
        cooperative: false,
        buffers: Vec::new(),
        launches: Vec::new(),
        judge: |_| Ok(()),
        expected: None,
        bug: None,
        registers: 255,
        early_loads: 0,
    }
}

pub fn compaction() -> Order {
    let n = CTAS * THREADS;
    let judge = |buffers: &[Vec<u32>]| {
        let inputs = &buffers[0];
        let mut expected: Vec<(u32, u32)> = (0..(CTAS * THREADS) as usize)
            .filter(|&i| inputs[i] % 2 == 1)
            .map(|i| {
                let w = &inputs[i + 1..i + 8];
                let start = w[0].wrapping_add(w[1]) ^ w[2];
                let first = (start.wrapping_add(w[3]) ^ w[4]).wrapping_add(w[5]) ^ w[6];
                let second = (first.wrapping_add(w[0]) ^ w[1]).wrapping_add(w[2]) ^ w[3];
                (inputs[i], (second.wrapping_add(w[4]) ^ w[5]).wrapping_add(w[6]))
            })
            .collect();
        let count = buffers[1][0] as usize;
        let pairs = buffers[2].chunks(2).take(count);
        let mut actual: Vec<(u32, u32)> = pairs.map(|p| (p[0], p[1])).collect();
        expected.sort_unstable();
        actual.sort_unstable();
        if actual == expected { Ok(()) } else { Err("other pairs".to_owned()) }
    };
    Order {
        buffers: vec![inputs(), vec![0], vec![0; 2 * n as usize]],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Buffer(2)]],
        judge,
        ..order("compaction", CTAS, THREADS)
    }
}

/// CTAs of [`phases`]: two for each SM of three.
const PHASED: usize = 6;

/// A launch of each of `phases`, with the CTAs that race where it is one.
pub fn phases(phases: &[u32], racer: u32) -> Order {
    let judge = |buffers: &[Vec<u32>]| {
        let sums = &buffers[1];
        if sums.iter().all(|sum| *sum == 0) { Ok(()) } else { is("sums", sums, &[13; PHASED]) }
    };
    let launch = |&phase: &u32| vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Word(phase), Arg::Word(racer)];
    Order {
        buffers: vec![vec![0; 8 * PHASED], vec![0; PHASED]],
        launches: phases.iter().map(launch).collect(),
        judge,
        ..order("phases", PHASED as u32, 32)
    }
}

pub fn ticket(mode: u32) -> Order {
    Order {
        buffers: vec![vec![0, 0]],
        launches: vec![vec![Arg::Buffer(0), Arg::Word(mode)]],
        judge: |buffers| is("tickets", &buffers[0][..1], &[THREADS / 32]),
        ..order("ticket", 1, THREADS)
    }
}

pub fn queue() -> Order {
    // One item of 40, which becomes 40 of 1: 79 in all.
    let mut items = vec![0; 80];
    items[0] = 40;
    let judge = |buffers: &[Vec<u32>]| {
        let leaves = buffers[0].iter().filter(|&&item| item == 1).count();
        is("leaves", &[leaves as u32], &[40])?;
        is("head, tail, open, leaves", &buffers[1], &[79, 79, 0, 40])?;
        let mut taken: Vec<u32> = buffers[2].clone();
        taken.sort_unstable();
        taken.dedup();
        is("leaves taken", &[taken.len() as u32], &[40])
    };
    Order {
        buffers: vec![items, vec![0, 1, 1, 0], vec![0; 40]],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Buffer(2)]],
        judge,
        ..order("queue", CTAS, 64)
    }
}

/// Vertices of the graph.
const VERTICES: usize = 2000;
/// Levels of the search, from vertex 0.
const LEVELS: u32 = 6;

pub fn frontier() -> Order {
    let judge = |buffers: &[Vec<u32>]| {
        let mut levels = vec![u32::MAX; VERTICES];
        levels[0] = 0;
        let mut now = vec![0_usize];
        for level in 1..=LEVELS {
            let edges = now.iter().flat_map(|v| [2 * v + 1, 3 * v + 1]);
            let mut next = Vec::new();
            for vertex in edges.filter(|&v| v < VERTICES) {
                if levels[vertex] == u32::MAX {
                    levels[vertex] = level;
                    next.push(vertex);
                }
            }
            now = next;
        }
        is("levels", &buffers[3], &levels)
    };
    let mut levels = vec![u32::MAX; VERTICES];
    levels[0] = 0;
    let mut counts = vec![0; LEVELS as usize + 1];
    counts[0] = 1;
    let launches = (0..LEVELS).map(|level| {
        let (now, next) = (level as usize % 2, (level as usize + 1) % 2);
        let words = [Arg::Word(level), Arg::Word(VERTICES as u32)];
        [Arg::Buffer(now), Arg::Buffer(next), Arg::Buffer(2), Arg::Buffer(3)]
            .into_iter()
            .chain(words)
            .collect()
    });
    Order {
        buffers: vec![vec![0; VERTICES], vec![0; VERTICES], counts, levels],
        launches: launches.collect(),
        judge,
        ..order("frontier", 2, 64)
    }
}

pub fn grid_barrier(ctas: u32) -> Order {
    let judge = |buffers: &[Vec<u32>]| {
        let n = buffers[1].len() / 4;
        let mut expected: Vec<u32> = (1..=n as u32).collect();
        for round in 0..3 {
            for cta in 0..n {
                expected.push(expected[round * n + (cta + 1) % n] + cta as u32);
            }
        }
        is("rounds", &buffers[1], &expected)
    };
    let mut words: Vec<u32> = (1..=ctas).collect();
    words.resize(4 * ctas as usize, 0);
    Order {
        buffers: vec![vec![0], words],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1)]],
        judge,
        ..order("grid_barrier", ctas, 64)
    }
}

pub fn persistent() -> Order {
    let judge = |buffers: &[Vec<u32>]| {
        let mut sums = vec![0; CTAS as usize];
        for n in 1..=30 {
            sums[(n % CTAS).max(1) as usize] += n;
        }
        is("sums", &buffers[1], &sums)
    };
    Order {
        buffers: vec![vec![u32::MAX; CTAS as usize], vec![0; CTAS as usize]],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Word(30)]],
        judge,
        ..order("persistent", CTAS, 32)
    }
}

pub fn lock() -> Order {
    Order {
        buffers: vec![vec![0], vec![0]],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Word(5)]],
        judge: |buffers| is("lock and counter", &[buffers[0][0], buffers[1][0]], &[0, 5 * CTAS * 2]),
        ..order("lock", CTAS, 64)
    }
}

pub fn timeout(looks: u32) -> Order {
    Order {
        buffers: vec![vec![0], vec![0]],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Word(looks)]],
        ..order("timeout", 1, 32)
    }
}

pub fn guarded() -> Order {
    Order {
        buffers: vec![vec![0], vec![0]],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1)]],
        ..order("guarded", 1, 32)
    }
}

pub fn lanes() -> Order {
    Order {
        buffers: vec![vec![0], vec![0]],
        launches: vec![vec![Arg::Buffer(0), Arg::Buffer(1)]],
        ..order("lanes", 1, 32)
    }
}

pub fn register_loop(rounds: u32) -> Order {
    Order {
        buffers: vec![vec![0]],
        launches: vec![vec![Arg::Buffer(0), Arg::Word(rounds)]],
        ..order("register_loop", 1, 32)
    }
}

/// As nvcc makes it of `cooperative_groups::this_grid().sync()`.
pub fn grid_sync(ctas: u32) -> Order {
    let judge = |buffers: &[Vec<u32>]| {
        let n = buffers[0].len() / 4;
        let mut expected: Vec<u32> = (1..=n as u32).collect();
        for round in 0..3 {
            for thread in 0..n {
                expected.push(expected[round * n + (thread + 64) % n] + thread as u32);
            }
        }
        is("rounds", &buffers[0], &expected)
    };
    let threads = ctas * 64;
    let mut words: Vec<u32> = (1..=threads).collect();
    words.resize(4 * threads as usize, 0);
    Order {
        cooperative: true,
        buffers: vec![words],
        launches: vec![vec![Arg::Buffer(0)]; 1],
        judge,
        ..order("grid_sync", ctas, 64)
    }
}
