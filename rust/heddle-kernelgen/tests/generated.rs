//! What generated kernels promise, as far as the text shows it, and how they shrink.

use std::collections::BTreeSet;

use heddle_isa::DeviceMemory;
use heddle_kernelgen::{GenOptions, GeneratedKernel, generate, shrink};
use heddle_workloads::WorkloadError;

fn varied(seed: u64) -> GeneratedKernel {
    generate(seed, &GenOptions::varied(seed))
}

/// The instructions of a kernel, without guards and labels.
fn instructions(ptx: &str) -> Vec<&str> {
    ptx.lines()
        .map(str::trim)
        .filter(|l| l.ends_with(';') && !l.starts_with('.'))
        .map(|l| match l.strip_prefix('@') {
            Some(guarded) => guarded.split_once(' ').map_or(l, |(_, rest)| rest),
            None => l,
        })
        .collect()
}

fn opcode(instruction: &str) -> &str {
    let first = instruction.split_whitespace().next().unwrap_or("");
    first.trim_end_matches(';')
}

#[test]
fn a_seed_always_gives_the_same_kernel() {
    for seed in 0..20 {
        assert_eq!(varied(seed).ptx(), varied(seed).ptx());
    }
    let texts: BTreeSet<_> = (0..20).map(|seed| varied(seed).ptx()).collect();
    assert_eq!(texts.len(), 20);
}

#[test]
fn a_thousand_seeds_use_the_whole_instruction_set_of_the_generator() {
    let mut seen = BTreeSet::new();
    for seed in 0..1000 {
        let ptx = varied(seed).ptx();
        seen.extend(instructions(&ptx).into_iter().map(|i| opcode(i).to_owned()));
    }
    for wanted in [
        "atom.shared.add.u32",
        "atom.global.min.s32",
        "activemask.b32",
        "bar.red.and.pred",
        "bar.red.popc.u32",
        "bar.sync",
        "bfi.b32",
        "cvt.rn.f32.u64",
        "cvta.local.u64",
        "cvta.shared.u64",
        "exit",
        "fma.rn.f32",
        "fma.rn.f64",
        "ld.const.u32",
        "ld.global.cv.u32",
        "ld.global.v4.u32",
        "ld.local.v4.u32",
        "ld.u32",
        "mad.wide.u32",
        "membar.gl",
        "match.any.sync.b32",
        "mov.b64",
        "not.pred",
        "red.global.add.u32",
        "red.shared.xor.b32",
        "redux.sync.min.s32",
        "rem.u32",
        "selp.b64",
        "setp.equ.f32",
        "setp.lt.and.s32",
        "shf.l.wrap.b32",
        "shfl.sync.idx.b32",
        "shfl.sync.up.b32",
        "sqrt.rn.f32",
        "st.global.u8",
        "st.volatile.global.f32",
        "vote.sync.ballot.b32",
        "vote.sync.uni.pred",
    ] {
        assert!(seen.contains(wanted), "no {wanted} among {seen:?}");
    }
}

#[test]
fn registers_are_declared_and_labels_are_there() {
    for seed in 0..200 {
        let ptx = varied(seed).ptx();
        for word in ptx.split(|c: char| !(c.is_alphanumeric() || "%$<>".contains(c))) {
            let Some(name) = word.strip_prefix('%') else {
                continue;
            };
            let digits = name.trim_start_matches(|c: char| c.is_alphabetic());
            if let Ok(number) = digits.parse::<u32>() {
                let class = &name[..name.len() - digits.len()];
                let declaration = format!("%{class}<");
                let (_, rest) = ptx.split_once(&declaration).expect("the class is declared");
                let (count, _) = rest.split_once('>').expect("a count");
                assert!(number < count.parse().expect("a number"), "{word}, seed {seed}");
            }
        }
        for target in instructions(&ptx).iter().filter(|i| opcode(i).starts_with("bra")) {
            let label = target.split_whitespace().nth(1).unwrap_or("").trim_end_matches(';');
            assert_eq!(ptx.matches(&format!("{label}:\n")).count(), 1, "{label}, seed {seed}");
        }
    }
}

#[test]
fn nobody_exits_before_the_last_barrier() {
    let mut exits = 0;
    for seed in 0..300 {
        let ptx = varied(seed).ptx();
        let all = instructions(&ptx);
        let first_exit = all.iter().position(|i| opcode(i) == "exit");
        let together =
            |o: &str| ["bar.", "shfl.", "vote.", "match.", "redux."].iter().any(|t| o.starts_with(t));
        let last_barrier = all.iter().rposition(|i| together(opcode(i)));
        if let (Some(exit), Some(barrier)) = (first_exit, last_barrier) {
            assert!(barrier < exit, "seed {seed}");
            exits += 1;
        }
    }
    assert!(exits > 20, "{exits} kernels with both");
}

#[test]
fn options_switch_parts_off() {
    let options =
        GenOptions { barriers: false, atomics: false, exits: false, depth: 0, ..GenOptions::default() };
    for seed in 0..50 {
        let ptx = generate(seed, &options).ptx();
        for absent in ["bar.sync", "red.", "atom.", "exit", "bra"] {
            assert!(!ptx.contains(absent), "{absent}, seed {seed}");
        }
    }
}

#[test]
fn instances_of_a_kernel_are_equal() -> Result<(), WorkloadError> {
    for seed in 0..20 {
        let kernel = varied(seed);
        let mut memories = Vec::new();
        for _ in 0..2 {
            let mut memory = DeviceMemory::new();
            let mut instance = kernel.instance();
            assert!(instance.next_launch(&mut memory).is_err());
            instance.set_up(&mut memory)?;
            let launch = instance.next_launch(&mut memory)?;
            assert_eq!(instance.next_launch(&mut memory)?, None);
            memories.push((memory, launch));
        }
        assert_eq!(memories[0], memories[1]);
    }
    Ok(())
}

#[test]
fn shrinking_keeps_the_failure_and_little_else() {
    let mut tried = 0;
    for seed in 0..200 {
        let kernel = varied(seed);
        let fails = |k: &GeneratedKernel| {
            let ptx = k.ptx();
            ptx.contains("popc.b32") && ptx.contains("slots[")
        };
        if !fails(&kernel) {
            continue;
        }
        let small = shrink(&kernel, fails);
        assert!(fails(&small), "seed {seed}");
        assert!(small.statements() <= 2, "seed {seed}:\n{}", small.ptx());
        assert_eq!((small.options().threads, small.options().ctas), (1, 1));
        assert_eq!(small.ptx().matches("st.global").count(), 0, "{}", small.ptx());
        tried += 1;
    }
    assert!(tried > 10, "{tried} kernels");
}

#[test]
fn shrinking_keeps_the_nesting_that_a_failure_needs() {
    // Fails when a division stands between the label and the backward branch of a loop.
    let fails = |k: &GeneratedKernel| {
        let ptx = k.ptx();
        ptx.match_indices("bra.uni \t").any(|(end, branch)| {
            let label = ptx[end + branch.len()..].split(';').next().unwrap_or("");
            let begin = ptx[..end].find(&format!("{label}:\n"));
            begin.is_some_and(|begin| ptx[begin..end].contains("div.u32"))
        })
    };
    let mut tried = 0;
    for seed in 0..100 {
        let kernel = varied(seed);
        if fails(&kernel) {
            let small = shrink(&kernel, fails);
            assert!(fails(&small));
            assert_eq!(small.statements(), 2, "seed {seed}:\n{}", small.ptx());
            tried += 1;
        }
    }
    assert!(tried > 5, "{tried} kernels");
}
