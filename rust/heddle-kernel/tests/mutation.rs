//! Damaged PTX: whatever the text, the front end answers with a program or with diagnostics, soon.

use std::time::{Duration, Instant};

use heddle_kernel::{AllocOptions, check_allocation, lower, parse};
use proptest::prelude::*;

use crate::common::{Random, kernel, nvcc_files};

/// Compiles every kernel of `text` that is valid and proves its allocation; renders diagnostics.
/// True when the text is valid.
fn survive(text: &str) -> bool {
    let programs = match parse("damaged.ptx", text).and_then(|m| lower(&m)) {
        Ok(programs) => programs,
        Err(diagnostics) => {
            assert!(diagnostics.to_string().contains("error"));
            for d in diagnostics.list() {
                assert!(d.span.start <= d.span.end && d.span.end <= text.len());
                assert!(diagnostics.loc(d).line >= 1);
            }
            return false;
        }
    };
    for program in programs {
        let options = AllocOptions { max_registers: 24 };
        match heddle_kernel::allocate_traced(&program, options) {
            Ok(allocation) => {
                check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("{e}\n{text}"));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    true
}

/// Pieces of a text: words, numbers, single other characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut start = 0;
    let word = |c: char| c.is_ascii_alphanumeric() || "_$%.".contains(c);
    let mut last_was_word = false;
    for (at, c) in text.char_indices() {
        if !(word(c) && last_was_word) && at > start {
            list.push(&text[start..at]);
            start = at;
        }
        last_was_word = word(c);
    }
    list.push(&text[start..]);
    list
}

fn damaged(list: &[&str], random: &mut Random) -> String {
    let mut list = list.to_vec();
    for _ in 0..=random.below(3) {
        let (i, j) = (random.below(list.len()), random.below(list.len()));
        match random.below(7) {
            0 => {
                list.remove(i);
            }
            1 => list.insert(i, list[j]),
            2 => list[i] = list[j],
            3 => list.swap(i, j),
            4 => {
                list[i] =
                    ["-1", "0", "4294967296", "99999999999999999999", "0x", "%r1", ".v4"][random.below(7)]
            }
            5 => list[i] = ["{", "}", "[", "]", ";", ",", "@", "/*", "\"", "|", "é", "\0"][random.below(12)],
            _ => {
                let end = (i + random.below(40)).min(list.len());
                list.drain(i..end);
            }
        }
        if list.is_empty() {
            break;
        }
    }
    list.concat()
}

#[test]
fn damaged_kernels_never_panic_nor_hang() {
    let mut random = Random(1);
    let mut texts: Vec<String> =
        nvcc_files().into_iter().map(|(_, t)| t).filter(|t| t.len() < 20_000).collect();
    texts.push(kernel(
        "mov.b64 %rd1, {%r1, %r2};\nL: setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3;\n@%p1 bra L;\n\
         { .reg .b32 t; mov.u32 t, %tid.x; }\nld.global.v2.f32 {%f1, _}, [%rd1+-8];\nbar.sync 0;",
    ));
    let (mut valid, mut runs) = (0, 0);
    let start = Instant::now();
    while runs < 1500 && start.elapsed() < Duration::from_secs(60) {
        let text = &texts[runs % texts.len()];
        let damaged = damaged(&pieces(text), &mut random);
        let one = Instant::now();
        valid += usize::from(survive(&damaged));
        assert!(one.elapsed() < Duration::from_secs(5), "slow:\n{damaged}");
        runs += 1;
    }
    assert!(valid > 0 && valid < runs, "{valid} of {runs} damaged texts were valid");
}

#[test]
fn damaged_bytes_never_panic() {
    let mut random = Random(2);
    let text = kernel("add.s32 %r1, %r2, 5;\n@%p1 bra L;\nld.global.u32 %r1, [%rd1+4];\nL:");
    for _ in 0..1500 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.next().to_le_bytes()[0],
                1 => bytes.truncate(at + 1),
                _ => {
                    bytes.remove(at);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        survive(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("{", "}"), ("mov.b64 %rd1, {", "}"), ("bra (", ")")] {
        let text = kernel(&format!("{}{}", open.repeat(100_000), close.repeat(100_000)));
        assert!(!survive(&text));
    }
    let text = format!(".version 8.5\n.global .b8 a[1] = {};\n", "{".repeat(100_000));
    assert!(!survive(&text));
    let pairs = kernel(&format!("setp.eq.s32 {}%p1, %r1, %r2;", "%p1|".repeat(100_000)));
    assert!(!survive(&pairs));
}

#[test]
fn chains_of_branches_take_linear_time() {
    let start = Instant::now();
    // Each branch goes to the one before it, and the other way round; each guarded one to the end.
    let back = |i: u32| format!("L{}: bra L{i};\n", i + 1);
    let on = |i: u32| format!("L{i}: bra L{};\n", i + 1);
    let end = |_| "@%p1 bra END;\n".to_owned();
    let chains = [
        format!("bra L150000;\nL0: exit;\n{}", (0..150_000).map(back).collect::<String>()),
        format!("bra L0;\n{}L150000: exit;\n", (0..150_000).map(on).collect::<String>()),
        format!("setp.eq.s32 %p1, %r1, 0;\n{}END:\n", (0..150_000).map(end).collect::<String>()),
    ];
    for chain in chains {
        assert!(survive(&kernel(&chain)));
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn huge_declarations_cost_nothing() {
    let start = Instant::now();
    assert!(survive(&kernel(".reg .b32 %big<4294967295>;\nmov.u32 %big4294967294, 1;")));
    assert!(!survive(&kernel(".shared .b8 a[18446744073709551615];\nst.shared.u8 [a], 1;")));
    assert!(!survive(&kernel(".local .b64 a[4000000000][4000000000];")));
    assert!(start.elapsed() < Duration::from_secs(5));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in "[ -~\n]{0,200}") {
        survive(&text);
    }

    #[test]
    fn any_body_is_answered(body in "([a-z]{1,5}(\\.[a-z]{1,3}[0-9]{0,2}){0,3} [%\\[\\]{}a-z0-9,|!+ -]{0,30};?\n){0,5}") {
        survive(&kernel(&body));
    }
}
