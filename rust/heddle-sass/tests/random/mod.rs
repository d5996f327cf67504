//! Random functions of wide operands: whatever renumbering makes of them, the checkers find it right.

use std::fmt::Write as _;

use heddle_passes::{check_intervals, check_renumbering, form_intervals, renumber};
use heddle_sass::read;

/// Numbers without end (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % end
    }

    /// The first register of an operand of `width`.
    fn register(&mut self, width: u64) -> u64 {
        self.below(48 / width) * width
    }
}

fn instruction(random: &mut Random) -> String {
    let guard = if random.below(5) == 0 { "@P0 " } else { "" };
    let [a, b, c] = [0; 3].map(|_| random.register(1));
    let [p, q] = [0; 2].map(|_| random.register(2));
    let [s, t] = [0; 2].map(|_| random.register(4));
    let text = match random.below(8) {
        0 => format!("LDG.E.128 R{s}, [R{p}.64]"),
        1 => format!("HMMA.16816.F32 R{s}, R{t}, R{p}, R{s}"),
        2 => format!("DFMA R{p}, R{q}, R{p}, R{q}"),
        3 => format!("IMAD.WIDE R{p}, R{a}, R{b}, R{q}"),
        4 => format!("STG.E.64 [R{p}.64], R{q}"),
        5 => format!("LDG.E.64 R{q}, [R{p}.64]"),
        6 => format!("STG.E.128 [R{p}.64], R{s}"),
        _ => format!("IMAD R{a}, R{b}, R{c}, R{a}"),
    };
    guard.to_owned() + &text
}

/// A function of `blocks` blocks, each of which goes on to the next and to any other.
fn graph(random: &mut Random, blocks: u64) -> String {
    let mut text = "digraph f {\n".to_owned();
    for block in 0..blocks {
        let lines: String = (0..1 + random.below(12)).map(|_| instruction(random) + " ;\\l").collect();
        let target = random.below(blocks);
        let _ = write!(text, "B{block} [label=\"{{<entry>{lines}|<exit0>");
        if block + 1 == blocks {
            let _ = writeln!(text, "EXIT ;\\l}}\"]");
        } else {
            let _ = writeln!(text, "@P1 BRA `(B{target}) ;\\l}}\"]");
            let _ = writeln!(text, "B{block}:exit0:e -> B{target}\nB{block}:exit0:s -> B{}", block + 1);
        }
    }
    text + "}\n"
}

#[test]
fn renumbered_functions_compute_the_same() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut better, mut fewer) = (0, 0);
    for round in 0..150 {
        let blocks = 1 + random.below(9);
        let text = graph(&mut random, blocks);
        let functions =
            read("random.dot", &text, Some(80)).unwrap_or_else(|e| panic!("round {round}: {e}\n{text}"));
        let program = &functions[0].program;
        let (cut, intervals) = form_intervals(program, 16).expect("intervals");
        check_intervals(&cut, &intervals).unwrap_or_else(|e| panic!("round {round}: {e}\n{text}"));
        let new = renumber(&cut, &intervals, 16).expect("renumbered");
        check_renumbering(&cut, &new.program).unwrap_or_else(|e| panic!("round {round}: {e}\n{text}"));
        check_intervals(&new.program, &new.intervals)
            .unwrap_or_else(|e| panic!("round {round}: {e}\n{text}"));
        let [before, after] = [&new.before, &new.after].map(|list| list.iter().sum::<u32>());
        assert!(after <= before && new.program.num_regs == program.num_regs);
        better += u32::from(!new.kept);
        fewer += before - after;
    }
    assert!(better > 50 && fewer > 100, "{better} functions are better by {fewer} conflicts");
}
