//! Whether two netlists are the same but for the numbers that yosys gives to signals without a name.
//!
//! Such signals are put into classes: at first all into one, then two of one class into two where the statements that they stand
//! in differ, other unnamed signals taken by their classes, until no class falls apart (partition refinement; Paige and
//! Tarjan, SIAM Journal on Computing 1987). Signals of one class then have the same drivers, of signals of the same
//! classes, back to registers and ports with names. So where both netlists have the same statements by class, all named
//! signals are driven by the same.

use std::collections::HashMap;
use std::hash::Hash;

/// Numbers for different values, in the order in which they come.
#[derive(Default)]
struct Numbers<T>(HashMap<T, usize>);

impl<T: Eq + Hash> Numbers<T> {
    fn of(&mut self, value: T) -> usize {
        let next = self.0.len();
        *self.0.entry(value).or_insert(next)
    }
}

/// One statement of a netlist.
struct Statement {
    /// Its text without the unnamed signals.
    text: usize,
    /// The unnamed signals, in order.
    unnamed: Vec<usize>,
}

/// The statements of two netlists and their unnamed signals.
#[derive(Default)]
struct Netlists<'a> {
    texts: Numbers<String>,
    /// By netlist and name.
    unnamed: Numbers<(usize, &'a str)>,
    statements: [Vec<Statement>; 2],
}

impl<'a> Netlists<'a> {
    fn add(&mut self, netlist: usize, text: &'a str) {
        for statement in statements(text) {
            let (text, names) = without_unnamed(statement);
            let unnamed = names.into_iter().map(|name| self.unnamed.of((netlist, name))).collect();
            let statement = Statement { text: self.texts.of(text), unnamed };
            self.statements[netlist].push(statement);
        }
    }

    /// The statements of each netlist by the classes of their unnamed signals, in any order.
    fn keys(&self, classes: &[usize]) -> [Vec<usize>; 2] {
        let mut numbers = Numbers::default();
        self.statements.each_ref().map(|all| {
            let key =
                |one: &Statement| (one.text, one.unnamed.iter().map(|&at| classes[at]).collect::<Vec<_>>());
            all.iter().map(|one| numbers.of(key(one))).collect()
        })
    }

    /// The classes of the unnamed signals, and how many there are, one step finer than `classes`.
    fn finer(&self, classes: &[usize]) -> (Vec<usize>, usize) {
        let mut places = vec![Vec::new(); classes.len()];
        for (keys, all) in self.keys(classes).iter().zip(&self.statements) {
            for (&key, statement) in keys.iter().zip(all) {
                for (place, &at) in statement.unnamed.iter().enumerate() {
                    places[at].push((key, place));
                }
            }
        }
        let mut numbers = Numbers::default();
        let finer = classes.iter().zip(places).map(|(&class, mut places)| {
            places.sort_unstable();
            numbers.of((class, places))
        });
        let finer = finer.collect();
        (finer, numbers.0.len())
    }
}

/// Whether two netlists, as yosys writes them in Verilog, are the same but for the numbers of unnamed signals. What is not
/// found to be the same may be so all the same.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let mut netlists = Netlists::default();
    netlists.add(0, one);
    netlists.add(1, other);
    let texts = netlists.statements.each_ref().map(|all| {
        let mut texts: Vec<usize> = all.iter().map(|one| one.text).collect();
        texts.sort_unstable();
        texts
    });
    if texts[0] != texts[1] {
        return false;
    }
    let mut classes = vec![0; netlists.unnamed.0.len()];
    let mut count = 1;
    loop {
        let (finer, more) = netlists.finer(&classes);
        classes = finer;
        if more <= count {
            break;
        }
        count = more;
    }
    let [mut one, mut other] = netlists.keys(&classes);
    one.sort_unstable();
    other.sort_unstable();
    one == other
}

/// The statements of a module: each begins with a line that is indented by two blanks and goes on with those that are
/// indented by more, with closing parentheses and with `end`.
fn statements(text: &str) -> Vec<&str> {
    let begins = |line: &str| {
        let inside = line.strip_prefix("  ").unwrap_or(line);
        !(inside.starts_with([' ', ')']) || inside.trim_end() == "end")
    };
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if begins(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
}

/// A statement with `_` for each unnamed signal, and their names: `_0123_`, which is no part of a longer name.
fn without_unnamed(statement: &str) -> (String, Vec<&str>) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\\' | '.');
    let mut text = String::with_capacity(statement.len());
    let mut names = Vec::new();
    for word in statement.split_inclusive(|c: char| !is_part(c)) {
        let name = word.trim_end_matches(|c: char| !is_part(c));
        let number = name.strip_prefix('_').and_then(|name| name.strip_suffix('_'));
        if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())) {
            names.push(name);
            text.push('_');
            text.push_str(&word[name.len()..]);
        } else {
            text.push_str(word);
        }
    }
    (text, names)
}

#[cfg(test)]
mod tests {
    use super::same;

    const OWN: &str = "\
module top(a, b, clk, q);
  wire _0_;
  wire [1:0] _1_;
  reg _2_;
  assign _0_ = a & b;
  assign _1_ = { _0_, _2_ };
  always @(posedge clk)
    if (_1_[0])
      _2_ <= _0_;
  \\$bwmux  #(
    .WIDTH(32'd1)
  ) _3_ (
    .A(_0_),
    .Y(q)
  );
endmodule
";

    #[test]
    fn numbers_and_order_make_no_difference() {
        let renamed = OWN.replace("_0_", "_9_").replace("_1_", "_0_").replace("_3_", "_1_");
        assert!(same(OWN, &renamed));
        let (first, second) = ("  wire _0_;\n", "  assign _0_ = a & b;\n");
        let moved = OWN.replace(second, "").replace(first, &format!("{first}{second}"));
        assert!(same(OWN, &moved));
    }

    #[test]
    fn everything_else_does() {
        for (from, to) in [
            ("a & b", "a | b"),
            ("{ _0_, _2_ }", "{ _2_, _0_ }"),
            ("_2_ <= _0_", "_2_ <= _2_"),
            (".A(_0_)", ".A(_2_)"),
            ("_1_[0]", "_1_[1]"),
            ("wire [1:0]", "wire [2:0]"),
            ("  wire _0_;\n", ""),
            (".Y(q)", ".Y(a)"),
        ] {
            assert_eq!(OWN.matches(from).count(), 1, "{from}");
            assert!(!same(OWN, &OWN.replace(from, to)), "{from} -> {to}");
        }
        // A name that only looks like a number is no unnamed signal.
        let named = OWN.replace("_2_", "\\_2_.x ");
        assert!(!same(&named, &named.replace("\\_2_.x ", "\\_4_.x ")));
    }

    #[test]
    fn signals_that_differ_only_further_back_differ() {
        let chain = |first: &str, second: &str| {
            format!(
                "module top(a, b, q);\n  wire _0_;\n  wire _1_;\n  wire _2_;\n  wire _3_;\n  assign _0_ = {first};\n  \
                 assign _1_ = {second};\n  assign _2_ = !_0_;\n  assign _3_ = !_1_;\n  assign q[0] = _2_;\n  assign q[1] = \
                 _3_;\nendmodule\n"
            )
        };
        assert!(same(&chain("a", "b"), &chain("a", "b")));
        assert!(!same(&chain("a", "b"), &chain("b", "a")));
    }
}
