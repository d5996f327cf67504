//! What nvcc's kernels compute on the golden machine: the same as parsed and as allocated, and for
//! two of them the same as the source says.

use std::sync::Arc;

use heddle_functional::Golden;
use heddle_isa::{DeviceMemory, KernelLaunch, Program};
use heddle_kernel::{AllocOptions, allocate, lower_entry, parse};

use crate::common::Random;

const THREADS: u32 = 64;
const BUFFER: u32 = 16 * 1024;

fn program(file: &str, entry: &str) -> Program {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a readable PTX file");
    let module = parse(file, &text).unwrap_or_else(|e| panic!("{e}"));
    lower_entry(&module, Some(entry)).unwrap_or_else(|e| panic!("{e}"))
}

/// A buffer of random bytes for each 64-bit parameter, 64 for each other word.
fn set_up(program: &Program, fill: &dyn Fn(&mut Random) -> u32) -> (DeviceMemory, KernelLaunch) {
    let mut memory = DeviceMemory::new();
    let mut params = vec![0; program.param_bytes as usize];
    program.load_globals(&mut memory).expect("room for the variables");
    let mut random = Random(5);
    for param in &program.params {
        let at = param.offset as usize;
        if param.bytes == 8 {
            let address = memory.allocate(&param.name, BUFFER).expect("room");
            let bytes: Vec<u8> = (0..BUFFER / 4).flat_map(|_| fill(&mut random).to_le_bytes()).collect();
            memory.write_bytes(address, &bytes).expect("inside");
            params[at..at + 8].copy_from_slice(&u64::from(address).to_le_bytes());
        } else {
            for word in params[at..at + param.bytes as usize].chunks_mut(4) {
                word.copy_from_slice(&THREADS.to_le_bytes()[..word.len()]);
            }
        }
    }
    let launch = KernelLaunch {
        grid: [1, 1, 1],
        block: [THREADS, 1, 1],
        dynamic_shared_bytes: 4 * THREADS,
        params,
        ..KernelLaunch::default()
    };
    (memory, launch)
}

/// Final contents of every buffer, after the module's variables.
fn run(program: &Program, fill: &dyn Fn(&mut Random) -> u32) -> Vec<Vec<u8>> {
    let (memory, launch) = set_up(program, fill);
    let mut golden =
        Golden::new(Arc::new(program.clone()), &launch, memory).unwrap_or_else(|e| panic!("{e}"));
    let summary = golden.run_all(0..1, Some(10_000_000)).unwrap_or_else(|e| panic!("{}: {e}", program.name));
    assert!(summary.warp_instructions > 10);
    let buffers = golden.memory().regions().iter().skip(program.globals.len());
    buffers.map(|r| r.data.clone()).collect()
}

fn words(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|c| i32::from_le_bytes(c.try_into().expect("4 bytes"))).collect()
}

#[test]
fn parsed_and_allocated_programs_compute_the_same() {
    let anything = |r: &mut Random| r.next() as u32;
    let kernels = [
        ("coverage.ptx", "k_math"),
        ("coverage.ptx", "k_dmath"),
        ("coverage.ptx", "k_fast"),
        ("coverage.ptx", "k_int"),
        ("coverage.ptx", "k_small"),
        ("coverage.ptx", "k_shared"),
        ("coverage.ptx", "k_local"),
        ("coverage.ptx", "k_ctrl"),
        ("calls.ptx", "k_calls"),
        ("calls.ptx", "k_dcalls"),
        ("calls.ptx", "k_switch"),
    ];
    for (file, entry) in kernels {
        let parsed = program(file, entry);
        let expected = run(&parsed, &anything);
        for max_registers in [16, 255] {
            let allocated =
                allocate(&parsed, AllocOptions { max_registers }).unwrap_or_else(|e| panic!("{e}"));
            assert!(run(&allocated, &anything) == expected, "{entry} with {max_registers} registers");
        }
        let (memory, _) = set_up(&parsed, &anything);
        let before = memory.regions().iter().skip(parsed.globals.len());
        let before: Vec<Vec<u8>> = before.map(|r| r.data.clone()).collect();
        assert!(before != expected, "{entry} changed nothing");
    }
}

#[test]
fn control_flow_computes_what_the_source_says() {
    let found = words(&run(&program("coverage.ptx", "k_ctrl"), &|_| 0)[0]);
    for i in 0..64 {
        let mut s: i32 = 0;
        for j in 0..64 {
            if j % 3 == i % 3 {
                continue;
            }
            if s > 1000 {
                break;
            }
            match (j + i) % 6 {
                0 => s = s.wrapping_add(1),
                1 => s = s.wrapping_mul(2),
                2 => s = s.wrapping_sub(7),
                3 => s ^= i,
                4 => s |= 3,
                _ => s = !s,
            }
            while s > 50 {
                s /= 2;
            }
        }
        assert_eq!(found[i as usize], s, "thread {i}");
    }
}

#[test]
fn a_switch_computes_what_the_source_says() {
    let fill = |r: &mut Random| i32::try_from(r.below(100)).expect("small") as u32;
    let program = program("calls.ptx", "k_switch");
    let input = run_input(&program, &fill);
    let found = words(&run(&program, &fill)[0]);
    for i in 0..64usize {
        let mut s = i32::try_from(i).expect("small");
        let mut seen = input[i + 128];
        for j in 0..64i32 {
            match (s.wrapping_add(j) as u32) % 12 {
                0 => s = s.wrapping_add(3),
                1 => s = s.wrapping_mul(5) ^ j,
                2 => s ^= j,
                3 => s = s.wrapping_sub(input[i + 64]),
                4 => s <<= 2,
                5 => seen = s,
                6 => s = (s | 9).wrapping_add(j * j),
                7 => s = s.wrapping_add(j * j),
                8 => s = !s,
                9 => s /= 3,
                10 => s %= 1000,
                _ => {}
            }
        }
        assert_eq!((found[i], found[i + 128]), (s, seen), "thread {i}");
    }
}

#[test]
fn calls_compute_what_the_source_says() {
    let product = |n: i32| {
        let mut local = [1i32; 8];
        let mut f = 1i64;
        for i in 1..=n {
            local[(i & 7) as usize] = i;
            f = f.wrapping_mul(i64::from(local[((i * 3) & 7) as usize] + 1));
        }
        f
    };
    let helper = |mut a: f32, n: i32| {
        for i in 0..n {
            if a > 100.0 {
                return a;
            }
            a = a.mul_add(1.5, i as f32);
        }
        -a
    };
    let fill = |r: &mut Random| (1.0 + r.below(7) as f32).to_bits();
    let buffers = run(&program("calls.ptx", "k_calls"), &fill);
    let stored = words(&buffers[1]);
    for (i, &value) in (0..64).zip(&stored).skip(2) {
        assert_eq!(value, i * 2, "thread {i}");
    }
    let longs: Vec<i64> =
        buffers[2].chunks_exact(8).map(|c| i64::from_le_bytes(c.try_into().expect("8 bytes"))).collect();
    let first = run_input(&program("calls.ptx", "k_calls"), &fill);
    for i in 0..63 {
        let n = i32::try_from(i).expect("small");
        assert_eq!(longs[i], product(n).wrapping_add(product(64)), "thread {i}");
        let (own, next) = (f32::from_bits(first[i] as u32), f32::from_bits(first[i + 1] as u32));
        let sum = helper(own, n) + helper(next, 2);
        let x = helper(sum, 3) + sum;
        let y = f64::from(n) * f64::from(sum);
        let expected = sum + (f64::from(x) + y + f64::from(2 * n)) as f32;
        let found = f32::from_bits(words(&buffers[0])[i] as u32);
        let tolerance = 1e-4 * expected.abs().max(sum.abs());
        assert!((found - expected).abs() <= tolerance, "thread {i}: {found} and not {expected}");
    }
}

/// The words of the first buffer before the kernel.
fn run_input(program: &Program, fill: &dyn Fn(&mut Random) -> u32) -> Vec<i32> {
    let (memory, _) = set_up(program, fill);
    words(&memory.regions()[program.globals.len()].data)
}
