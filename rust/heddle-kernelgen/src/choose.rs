//! Choice of the code of a kernel.

use heddle_workloads::random::SplitMix64;

use crate::GenOptions;
use crate::ast::{Access, Code, Cond, Counters, PredRef, Private, Slot, Source, Stmt, Through, Trips, Var};
use crate::forms::{ATOMICS, COMPARE, Class, FLOAT, Form, GATHER, INT, Kind, WIDE};
use crate::instance::SLOTS;

/// Special registers that a kernel reads.
const SPECIALS: [&str; 5] = ["%tid.x", "%laneid", "%ctaid.x", "%ntid.x", "%nctaid.x"];
/// Immediates that are likelier than others to find errors.
const IMMEDIATES: [i32; 12] = [0, 1, 2, 3, 7, 31, 32, 255, 0x1234_5678, -1, i32::MIN, i32::MAX];
/// Types of accesses with the number of variables that they move.
const ACCESSES: [(&str, Class, u16); 9] = [
    ("u32", Class::Int, 1),
    ("u8", Class::Int, 1),
    ("s8", Class::Int, 1),
    ("u16", Class::Int, 1),
    ("s16", Class::Int, 1),
    ("v2.u32", Class::Int, 2),
    ("v4.u32", Class::Int, 4),
    ("f32", Class::Float, 1),
    ("u64", Class::Wide, 1),
];

/// Where a statement stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Branches and loops around it.
    depth: u32,
    /// All threads of the CTA come here together.
    uniform: bool,
    /// Behind the last barrier.
    tail: bool,
    /// How often a thread comes here at most.
    times: u32,
}

struct Chooser<'a> {
    random: SplitMix64,
    options: &'a GenOptions,
    /// Statements left to write.
    statements: u32,
    /// Executions left.
    executed: u32,
}

pub(crate) fn code(seed: u64, options: &GenOptions) -> Code {
    let mut chooser = Chooser {
        random: SplitMix64::new(seed, 0),
        options,
        statements: options.statements,
        executed: options.executed,
    };
    let place = Place { depth: 0, uniform: true, tail: false, times: 1 };
    let tail_share = options.statements / 4;
    chooser.statements -= tail_share;
    let body = chooser.block(place, u32::MAX);
    chooser.statements = tail_share;
    chooser.executed = chooser.executed.max(options.executed / 4);
    let tail = chooser.block(Place { uniform: false, tail: true, ..place }, u32::MAX);
    let all = |class, n| (0..n).map(move |index| Var { class, index });
    Code {
        body,
        tail,
        outputs: all(Class::Int, options.ints)
            .chain(all(Class::Float, options.floats))
            .chain(all(Class::Wide, options.wides))
            .collect(),
    }
}

impl Chooser<'_> {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.number(items.len())]
    }

    fn var(&mut self, class: Class) -> Var {
        let n = match class {
            Class::Int => self.options.ints,
            Class::Float => self.options.floats,
            Class::Wide => self.options.wides,
        };
        Var { class, index: self.index(n) }
    }

    /// A number below `n`.
    fn number(&mut self, n: usize) -> usize {
        self.random.below(u32::try_from(n).unwrap_or(u32::MAX)) as usize
    }

    fn index(&mut self, n: u16) -> u16 {
        u16::try_from(self.random.below(u32::from(n))).unwrap_or(0)
    }

    fn pred(&mut self) -> PredRef {
        PredRef { index: self.index(self.options.preds), negated: self.chance(50) }
    }

    fn guard(&mut self) -> Option<PredRef> {
        if self.chance(15) { Some(self.pred()) } else { None }
    }

    fn integer(&mut self) -> Source {
        match self.random.below(10) {
            0 => Source::Special(self.pick(&SPECIALS)),
            1..=2 => Source::Imm(self.pick(&IMMEDIATES)),
            3 => Source::Imm(self.random.next_u32().cast_signed()),
            _ => Source::Var(self.var(Class::Int)),
        }
    }

    fn cond(&mut self) -> Cond {
        if self.chance(20) {
            return Cond::Pred(self.pred());
        }
        let compare = self.pick(COMPARE);
        let right = match compare.class {
            Class::Int => self.integer(),
            class => Source::Var(self.var(class)),
        };
        Cond::Compare {
            compare,
            sources: [Source::Var(self.var(compare.class)), right],
            combine: if self.chance(20) {
                Some((self.pick(&["and", "or", "xor"]), self.pred()))
            } else {
                None
            },
        }
    }

    /// Up to `most` statements, fewer when the budget ends.
    fn block(&mut self, place: Place, most: u32) -> Vec<Stmt> {
        let mut list = Vec::new();
        for _ in 0..most {
            if self.statements == 0 || self.executed < place.times {
                break;
            }
            self.statements -= 1;
            self.executed -= place.times;
            let stmt = self.stmt(place);
            list.push(stmt);
        }
        list
    }

    fn stmt(&mut self, place: Place) -> Stmt {
        let nest = place.depth < self.options.depth && self.statements > 2;
        match self.random.below(100) {
            0..=9 if nest => self.branch(place),
            10..=19 if nest => self.repeat(place),
            20..=24 if self.options.barriers && place.uniform => Stmt::Exchange {
                through: self.pick(&[
                    Through::Shared,
                    Through::Shared,
                    Through::SharedGeneric,
                    Through::Global,
                ]),
                shown: self.var(Class::Int),
                taken: self.var(Class::Int),
                distance: 1 + self.random.below(self.options.threads),
            },
            25..=28 if self.options.atomics => Stmt::Count {
                counters: if place.tail || self.chance(50) { Counters::Global } else { Counters::Shared },
                operation: self.number(ATOMICS.len()),
                var: self.var(Class::Int),
                guard: self.guard(),
            },
            48..=52 if self.options.barriers && place.uniform => Stmt::Gather {
                gather: &GATHER[self.number(GATHER.len())],
                destination: self.var(Class::Int),
                source: self.var(Class::Int),
                pred: self.pred(),
                choice: self.integer(),
            },
            29..=30 if self.options.exits && place.tail => Stmt::Exit { cond: self.cond() },
            31..=40 => Stmt::Access(self.access()),
            41 => Stmt::Lookup { destination: self.var(Class::Int), index: self.var(Class::Int) },
            42 => Stmt::Fence(self.pick(&["cta", "gl", "sys"])),
            43..=45 => self.decide(),
            46..=47 => self.unpack(),
            _ => self.assign(),
        }
    }

    fn branch(&mut self, place: Place) -> Stmt {
        let inner = Place { depth: place.depth + 1, uniform: false, ..place };
        let (then, otherwise) = (1 + self.random.below(6), self.random.below(6));
        Stmt::If { cond: self.cond(), then: self.block(inner, then), otherwise: self.block(inner, otherwise) }
    }

    fn repeat(&mut self, place: Place) -> Stmt {
        let uniform = self.chance(40);
        let (trips, most) = if uniform {
            let n = 1 + self.random.below(4);
            (Trips::Const(n), n)
        } else {
            let mask = self.pick(&[1, 3, 7]);
            let var = self.var(Class::Int);
            (Trips::Lane { var, mask }, mask)
        };
        let inner = Place {
            depth: place.depth + 1,
            uniform: place.uniform && uniform,
            times: place.times * most,
            ..place
        };
        let statements = 1 + self.random.below(8);
        let body = self.block(inner, statements);
        let leave = if !inner.uniform && self.chance(40) {
            Some((self.number(body.len() + 1), self.cond()))
        } else {
            None
        };
        Stmt::Loop { trips, body, leave }
    }

    fn decide(&mut self) -> Stmt {
        let (index, other) = (self.index(self.options.preds), self.index(self.options.preds));
        let cond = self.cond();
        let both = matches!(cond, Cond::Compare { .. }) && index != other && self.chance(30);
        Stmt::Decide { index, complement: both.then_some(other), cond }
    }

    fn access(&mut self) -> Access {
        let load = self.chance(50);
        let (suffix, class, wanted) = self.pick(&ACCESSES);
        // Destinations of a vector load must differ.
        let (suffix, vars) = if wanted > self.options.ints { ("u32", 1) } else { (suffix, wanted) };
        let first = self.var(class);
        let vars: Vec<_> = (0..vars)
            .map(|i| match class {
                Class::Int => Var { class, index: (first.index + i) % self.options.ints },
                _ => first,
            })
            .collect();
        let words = match suffix {
            "u64" => 2,
            "v2.u32" => 2,
            "v4.u32" => 4,
            _ => 1,
        };
        let slot = if words == 1 && self.chance(40) {
            Slot::Dynamic(self.var(Class::Int))
        } else {
            Slot::Fixed(words * self.random.below(SLOTS / words))
        };
        let private = if self.chance(70) { Private::Global } else { Private::Local };
        let generic = self.chance(15);
        let cache = match private {
            Private::Global if !generic && self.chance(30) => self.pick(if load {
                &[".ca", ".cg", ".cs", ".cv", ".volatile"]
            } else {
                &[".wb", ".cg", ".cs", ".wt", ".volatile"]
            }),
            _ => "",
        };
        Access { load, private, generic, cache, suffix, slot, vars, guard: self.guard() }
    }

    fn unpack(&mut self) -> Stmt {
        let low = self.var(Class::Int);
        let index = (low.index + 1) % self.options.ints;
        Stmt::Unpack { low, high: Var { index, ..low }, wide: self.var(Class::Wide) }
    }

    fn assign(&mut self) -> Stmt {
        let forms: &'static [Form] = match self.random.below(10) {
            0..=5 => INT,
            6..=7 => FLOAT,
            _ => WIDE,
        };
        let form = &forms[self.number(forms.len())];
        let sources = form
            .sources
            .iter()
            .filter_map(|kind| match kind {
                Kind::Int => Some(self.integer()),
                Kind::Byte => Some(match self.integer() {
                    Source::Imm(i) => Source::Imm(i & 0xff),
                    other => other,
                }),
                Kind::IntVar | Kind::Odd => Some(Source::Var(self.var(Class::Int))),
                Kind::Float => Some(Source::Var(self.var(Class::Float))),
                Kind::Wide => Some(Source::Var(self.var(Class::Wide))),
                Kind::Pred => None,
            })
            .collect();
        Stmt::Assign {
            form,
            destination: self.var(form.result),
            sources,
            select: self.pred(),
            guard: self.guard(),
        }
    }
}
