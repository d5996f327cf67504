//! Random programs over words that all SMs share: plain loads and stores of all sizes, ways past the L1, atomics and fences.

use heddle_config::Override;
use heddle_cosim::{Engine, RtlSms};

use super::designs::DESIGNS;
use super::program::Program;

/// SMs, and CTAs.
const SMS: usize = 8;
/// Warps of each CTA.
const WARPS: usize = 4;
/// Lines that they share.
const LINES: u64 = 6;
/// Accesses and fences of each CTA.
const STEPS: u64 = 40;

/// A small generator of numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % bound
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A step: `%v0` is loaded or stored at `%at`, where `bytes` a lane lie one after the other, and folded into a register.
fn step(n: &mut Numbers) -> String {
    match n.below(10) {
        0 => {
            return format!(
                "{}\n",
                n.pick(&["membar.gl;", "membar.cta;", "fence.acq_rel.gpu;", "membar.sys;"])
            );
        }
        1 => return format!("add.u32 %v1, %v1, {};\nmul.lo.u32 %v1, %v1, 3;\n", n.below(99)),
        _ => {}
    }
    let (suffix, bytes, register) =
        n.pick(&[("u8", 1u64, "%v0"), ("u16", 2, "%h0"), ("u32", 4, "%v0"), ("u64", 8, "%u0")]);
    // All lanes on one place, or each on its own, of which those of a wide access go over a line.
    let stride = n.pick(&[0, bytes, bytes]);
    let room = LINES * 128 - 31 * stride - bytes;
    let first = n.below(room / bytes) * bytes;
    let place = format!("mul.wide.u32 %at, %t, {stride};\nadd.s64 %at, %at, %shared;\n");
    let sum = n.below(9);
    let fold = match bytes {
        2 => format!("cvt.u32.u16 %v0, %h0;\nmad.lo.u32 %r{sum}, %r{sum}, 31, %v0;\n"),
        8 => format!(
            "cvt.u32.u64 %v0, %u0;\nmad.lo.u32 %r{sum}, %r{sum}, 31, %v0;\nshr.u64 %u0, %u0, 32;\ncvt.u32.u64 %v0, %u0;\nadd.u32 %r{sum}, %r{sum}, %v0;\n"
        ),
        _ => format!("mad.lo.u32 %r{sum}, %r{sum}, 31, %v0;\n"),
    };
    match n.below(8) {
        0..=3 => format!("{place}ld.global.{suffix} {register}, [%at+{first}];\n{fold}"),
        4 => {
            let way = n.pick(&[
                "ld.volatile.global",
                "ld.global.cg",
                "ld.relaxed.gpu.global",
                "ld.acquire.gpu.global",
            ]);
            format!("{place}{way}.{suffix} {register}, [%at+{first}];\n{fold}")
        }
        5 | 6 => {
            let value = match bytes {
                2 => "cvt.u16.u32 %h0, %v1;\n",
                8 => "mov.b64 %u0, {%v1, %t};\n",
                _ => "mov.u32 %v0, %v1;\n",
            };
            format!("{place}add.u32 %v1, %v1, %n;\n{value}st.global.{suffix} [%at+{first}], {register};\n")
        }
        _ => {
            let at = first / 4 * 4 % (LINES * 128 - 128);
            format!(
                "mul.wide.u32 %at, %t, 4;\nadd.s64 %at, %at, %shared;\natom.global.add.u32 %v0, [%at+{at}], %v1;\nmad.lo.u32 %r{sum}, %r{sum}, 31, %v0;\n"
            )
        }
    }
}

/// A step that some warps of the CTA take, so that their accesses meet in all orders.
fn some_warps(n: &mut Numbers, cta: usize, at: u64) -> String {
    let (warps, skip) = (n.below(1 << WARPS), format!("SKIP{cta}x{at}"));
    let step = step(n);
    format!(
        "shr.u32 %v3, {warps}, %v2;\nand.b32 %v3, %v3, 1;\nsetp.eq.u32 %q, %v3, 0;\n@%q bra {skip};\n{step}{skip}:\n"
    )
}

fn program(seed: u64) -> Program {
    let mut n = Numbers(seed);
    let mut cta = |cta| {
        let steps: String = (0..STEPS).map(|at| some_warps(&mut n, cta, at)).collect();
        format!("mov.u32 %v1, %n;\nmov.u32 %v2, %w;\n{steps}")
    };
    Program { ctas: (0..SMS).map(&mut cta).collect(), warps: WARPS, shared: LINES as usize * 128 }
}

/// Settings that make lines leave, and take and keep them in all ways.
fn settings(seed: u64) -> Vec<Override> {
    let mut n = Numbers(seed ^ 0x5E77);
    let mut all = Vec::new();
    if n.below(2) == 0 {
        let ways = n.pick(&[1, 2, 4]);
        all.push(format!("l1d.bytes={}", 128 * ways * n.pick(&[1, 2])));
        all.push(format!("l1d.ways={ways}"));
        all.push("shared_memory.split=fixed".to_owned());
        all.push("shared_memory.unified_bytes=0".to_owned());
    }
    all.push(format!("l1d.mshrs={}", n.pick(&[2, 8, 32])));
    all.push(format!("l1d.mshr_merges={}", n.pick(&[1, 3, 8])));
    all.push(format!("l1d.sector_bytes={}", n.pick(&[32, 64, 128])));
    all.push(format!("l1d.allocation={}", n.pick(&["on-miss", "on-fill"])));
    all.push(format!("l1d.write_hit={}", n.pick(&["through", "evict"])));
    all.push(format!("l1d.write_allocate={}", n.pick(&["true", "false"])));
    all.iter().map(|text| setting(text)).collect()
}

fn setting(text: &str) -> Override {
    text.parse().expect("an override")
}

/// Programs `from` to `to`, in turns on the presets: no mismatch, and loads that found older values among them. Models alone do the
/// same in every cycle, on one thread and on two.
fn all_agree(from: u64, to: u64) {
    let mut stale = [0; 3];
    for seed in from..to {
        let turn = seed as usize % 3;
        let (preset, program) = (["volta", "fermi", "maxwell"][turn], program(seed));
        let run = |engine, threads| {
            program.run_with(preset, |spec| {
                spec.rtl_sms = RtlSms::Some([(seed % SMS as u64) as u32].into());
                if seed % 4 == 3 && engine == Engine::Cosim {
                    spec.rtl_sms = RtlSms::Some([0, SMS as u32 - 1].into());
                }
                (spec.engine, spec.threads) = (engine, threads);
                spec.overrides = settings(seed);
            })
        };
        let (left, report) = run(Engine::Cosim, 1);
        stale[turn] += report.stale_loads.unwrap_or_default();
        for threads in [1, 2] {
            let (alone, model) = run(Engine::Sim, threads);
            assert_eq!((&alone, model.cycles), (&left, report.cycles), "{preset} {seed}, {threads} threads");
        }
    }
    println!("programs {from} to {to}: lanes that loaded older values, of volta, fermi, maxwell: {stale:?}");
    assert!(stale.iter().all(|&stale| stale > 0), "{stale:?}");
}

/// The same of designs that hold the data of their L1, whose lines the settings of an L1 in Rust do not concern.
fn holders_agree(from: u64, to: u64) {
    let mut stale = [0; DESIGNS.len()];
    for seed in from..to {
        let turn = seed as usize % DESIGNS.len();
        let ((design, preset), program) = (DESIGNS[turn], program(seed));
        let run = |engine, threads| {
            program.run_with(preset, |spec| {
                spec.design = design.to_owned();
                spec.rtl_sms = RtlSms::Some([(seed % 3) as u32, SMS as u32 - 1].into());
                (spec.engine, spec.threads) = (engine, threads);
                if design == "ucm" {
                    let bytes = Numbers(seed).pick(&[1024, 2048, 131_072]);
                    spec.overrides = vec![setting(&format!("shared_memory.cache_bytes={bytes}"))];
                }
            })
        };
        let (left, report) = run(Engine::Cosim, 1);
        stale[turn] += report.stale_loads.unwrap_or_default();
        for threads in [1, 2] {
            let (alone, model) = run(Engine::Sim, threads);
            assert_eq!((&alone, model.cycles), (&left, report.cycles), "{design} {seed}, {threads} threads");
        }
    }
    println!("programs {from} to {to}: lanes that loaded older values, of {DESIGNS:?}: {stale:?}");
    assert!(stale.iter().all(|&stale| stale > 0), "{stale:?}");
}

#[test]
fn rtl_that_holds_its_l1_does_as_the_golden_machine_says() {
    holders_agree(0, 12);
}

#[test]
#[ignore = "ten minutes"]
fn rtl_that_holds_its_l1_does_as_the_golden_machine_says_in_three_hundred_programs() {
    holders_agree(12, 312);
}

#[test]
fn eight_sms_do_as_the_golden_machine_says() {
    all_agree(0, 18);
}

#[test]
#[ignore = "ten minutes"]
fn eight_sms_do_as_the_golden_machine_says_in_a_thousand_programs() {
    all_agree(18, 1018);
}
