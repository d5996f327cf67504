//! Random accesses of shared memory: the race detector against a comparison of all pairs.

use heddle_functional::{AccessKind, Golden, GoldenError, RaceRule};
use heddle_isa::{Alu, Cmp, Space};
use heddle_port::Tag;

use crate::common::{Builder, LANE, WARP, imm, launch, memory, r};
use crate::fuzz::Random;

/// The last warp has not all lanes.
const THREADS: u32 = 116;
const WORDS: u32 = 96;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Atomic,
}

/// One access of one warp: word `base + stride * lane` in each lane.
#[derive(Debug, Clone, Copy)]
struct Access {
    kind: Kind,
    warp: u32,
    base: u32,
    stride: u32,
    phase: u32,
    /// What a store writes.
    value: u32,
    /// Source line.
    line: u32,
}

impl Access {
    fn random(random: &mut Random, kinds: &[Kind], phase: u32) -> Self {
        let kind = kinds[random.below(kinds.len() as u32) as usize];
        let stride = random.below(3);
        let warp = random.below(4);
        // Mostly a warp's own words, so that not every program has a race.
        let base = if random.below(12) == 0 { random.below(WORDS - 64) } else { 8 * warp };
        let stride = if base == 8 * warp { 0 } else { stride };
        Self { kind, warp, base, stride, phase, value: 7 + random.below(6) / 5, line: 0 }
    }

    fn words(self) -> impl Iterator<Item = u32> {
        let lanes = (THREADS - 32 * self.warp).min(32);
        (0..lanes).map(move |lane| self.base + self.stride * lane)
    }

    fn races_with(self, other: Self) -> bool {
        let reads = self.kind == Kind::Load && other.kind == Kind::Load;
        let atomics = self.kind == Kind::Atomic && other.kind == Kind::Atomic;
        self.phase == other.phase
            && self.warp != other.warp
            && !reads
            && !atomics
            && self.words().any(|word| other.words().any(|w| w == word))
    }

    fn emit(&mut self, b: &mut Builder) {
        b.setp(Cmp::Eq, 0, WARP, imm(self.warp.into()));
        let (base, stride) = (u64::from(self.base) * 4, u64::from(self.stride) * 4);
        b.alu(Alu::Mad, 1, &[LANE, imm(stride), imm(base)]);
        match self.kind {
            Kind::Load => b.ld(Space::Shared, 2, r(1)),
            Kind::Store => b.st(Space::Shared, r(1), imm(self.value.into())),
            Kind::Atomic => b.atom_add(Space::Shared, &[3], r(1), imm(1)),
        };
        b.when(0, false);
        self.line = b.len();
    }
}

/// A word's accesses of the phase, and its value: what a race is, access by access, by the rule of values.
#[derive(Debug, Clone, Default)]
struct Word {
    phase: u32,
    seen: Vec<(u32, Kind)>,
    value: u32,
    equal: u64,
}

impl Word {
    /// The next access; whether it is a race.
    fn access(&mut self, access: Access) -> bool {
        if self.phase != access.phase {
            (self.phase, self.seen) = (access.phase, Vec::new());
        }
        let others = || self.seen.iter().filter(|(warp, _)| *warp != access.warp).map(|(_, kind)| *kind);
        let same = access.kind == Kind::Store && self.value == access.value;
        // Who also changed the word by an atomic has not written it whole.
        let whole = |warp: u32| !self.seen.contains(&(warp, Kind::Atomic));
        let stores = self.seen.iter().all(|&(w, kind)| w == access.warp || kind == Kind::Store && whole(w));
        let race = match access.kind {
            Kind::Load => others().any(|kind| kind != Kind::Load),
            Kind::Atomic => others().any(|kind| kind != Kind::Atomic),
            Kind::Store => others().next().is_some() && !(same && stores),
        };
        self.equal += u64::from(!race && access.kind == Kind::Store && others().next().is_some());
        self.seen.push((access.warp, access.kind));
        match access.kind {
            Kind::Load => {}
            Kind::Store => self.value = access.value,
            Kind::Atomic => self.value += 1,
        }
        race
    }
}

/// Runs the CTA with the warps in random order, each access performed as it is issued, and tells `see` its line.
fn run(golden: &mut Golden, random: &mut Random, see: &mut dyn FnMut(u32)) -> Result<(), GoldenError> {
    golden.start_cta(0)?;
    let tag = Tag(0);
    loop {
        let mut ready = Vec::new();
        for warp in 0..4 {
            if golden.next(0, warp)?.is_some() && golden.waits_at(0, warp)?.is_none() {
                ready.push(warp);
            }
        }
        if ready.is_empty() {
            return golden.finish_cta(0);
        }
        let warp = ready[random.below(ready.len() as u32) as usize];
        let expected = golden.issue(0, warp, tag)?;
        let lanes = expected.exec;
        if expected.kind != AccessKind::None && !lanes.is_empty() {
            see(expected.pc.0 + 1);
            golden.performed(tag, lanes)?;
        }
        golden.retire(tag)?;
    }
}

/// A program with random accesses, and the accesses by line.
fn program(random: &mut Random, kinds: &[Kind], judged: RaceRule) -> (Golden, Vec<Access>) {
    let mut b = Builder::default();
    b.shared(WORDS * 4);
    let mut accesses = Vec::new();
    for phase in 0..3 {
        for _ in 0..random.below(9) {
            let mut access = Access::random(random, kinds, phase);
            access.emit(&mut b);
            accesses.push(access);
        }
        b.bar();
    }
    b.exit();
    let golden = Golden::new(b.program(), &launch(1, THREADS), memory(1)).expect("launch");
    let mut checks = golden.checks();
    checks.uninitialised_shared = false;
    checks.races = judged;
    (golden.with_checks(checks), accesses)
}

const PROGRAMS: u32 = 3000;
const LOADS_MOSTLY: [Kind; 5] = [Kind::Load, Kind::Load, Kind::Load, Kind::Store, Kind::Atomic];
const STORES_MOSTLY: [Kind; 8] = {
    use Kind::{Atomic, Load, Store};
    [Store, Store, Store, Store, Store, Store, Load, Atomic]
};

#[test]
fn the_strict_detector_finds_a_race_where_a_pair_races() {
    let mut random = Random::new(11);
    let mut racy = 0;
    for number in 0..PROGRAMS {
        let (mut golden, accesses) = program(&mut random, &LOADS_MOSTLY, RaceRule::Strict);
        let expected = accesses.iter().any(|a| accesses.iter().any(|b| a.races_with(*b)));
        racy += u32::from(expected);
        match run(&mut golden, &mut random, &mut |_| ()) {
            Ok(()) => assert!(!expected, "program {number}: {accesses:?}"),
            Err(GoldenError::Race { at, other, address, .. }) => {
                let of = |line: u32| accesses.iter().find(|a| a.line == line).expect("an access's line");
                let (a, b) = (of(at.line), of(other.line));
                assert!(a.races_with(*b), "program {number}: {a:?} and {b:?}");
                let word = address as u32 / 4;
                assert!(a.words().any(|w| w == word) && b.words().any(|w| w == word), "{word}: {a:?} {b:?}");
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(racy > PROGRAMS / 10 && racy < PROGRAMS * 9 / 10, "{racy} of {PROGRAMS} race");
}

#[test]
fn equal_values_are_told_from_races_access_by_access() {
    let mut random = Random::new(12);
    let (mut racy, mut equal) = (0, 0);
    for number in 0..PROGRAMS {
        let (mut golden, accesses) = program(&mut random, &STORES_MOSTLY, RaceRule::Values);
        let mut words = vec![Word::default(); WORDS as usize];
        let mut races = Vec::new();
        let outcome = run(&mut golden, &mut random, &mut |line| {
            let access = *accesses.iter().find(|a| a.line == line).expect("an access's line");
            for word in access.words() {
                if words[word as usize].access(access) {
                    races.push((line, word));
                }
            }
        });
        let context = || format!("program {number}: {accesses:?}");
        let found: u64 = words.iter().map(|w| w.equal).sum();
        match outcome {
            Ok(()) => {
                assert!(races.is_empty(), "{}\n{races:?}", context());
                assert_eq!(golden.equal_shared_writes(), found, "{}", context());
                equal += u32::from(found > 0);
            }
            Err(GoldenError::Race { at, address, .. }) => {
                assert_eq!(races.first(), Some(&(at.line, address as u32 / 4)), "{}", context());
                racy += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(racy > PROGRAMS / 10 && equal > PROGRAMS / 100, "{racy} race, {equal} write equal values");
}
