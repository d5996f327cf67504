//! Random accesses of shared memory: the race detector against a comparison of all pairs.

use heddle_functional::{AccessKind, Golden, GoldenError};
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
    /// Source line.
    line: u32,
}

impl Access {
    fn random(random: &mut Random, phase: u32) -> Self {
        let kind = [Kind::Load, Kind::Load, Kind::Load, Kind::Store, Kind::Atomic][random.below(5) as usize];
        let stride = random.below(3);
        let warp = random.below(4);
        // Mostly a warp's own words, so that not every program has a race.
        let base = if random.below(12) == 0 { random.below(WORDS - 64) } else { 8 * warp };
        let stride = if base == 8 * warp { 0 } else { stride };
        Self { kind, warp, base, stride, phase, line: 0 }
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
            Kind::Store => b.st(Space::Shared, r(1), imm(7)),
            Kind::Atomic => b.atom_add(Space::Shared, &[3], r(1), imm(1)),
        };
        b.when(0, false);
        self.line = b.len();
    }
}

/// Runs the CTA with the warps in random order, each access performed as it is issued.
fn run(golden: &mut Golden, random: &mut Random) -> Result<(), GoldenError> {
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
            golden.performed(tag, lanes)?;
        }
        golden.retire(tag)?;
    }
}

#[test]
fn the_detector_finds_a_race_where_a_pair_races() {
    let mut random = Random::new(11);
    let mut racy = 0;
    const PROGRAMS: u32 = 3000;
    for program in 0..PROGRAMS {
        let mut b = Builder::default();
        b.shared(WORDS * 4);
        let mut accesses = Vec::new();
        for phase in 0..3 {
            for _ in 0..random.below(9) {
                let mut access = Access::random(&mut random, phase);
                access.emit(&mut b);
                accesses.push(access);
            }
            b.bar();
        }
        b.exit();
        let golden = Golden::new(b.program(), &launch(1, THREADS), memory(1)).expect("launch");
        let mut checks = golden.checks();
        checks.uninitialised_shared = false;
        let expected = accesses.iter().any(|a| accesses.iter().any(|b| a.races_with(*b)));
        racy += u32::from(expected);
        match run(&mut golden.with_checks(checks), &mut random) {
            Ok(()) => assert!(!expected, "program {program}: {accesses:?}"),
            Err(GoldenError::Race { at, other, address, .. }) => {
                let of = |line: u32| accesses.iter().find(|a| a.line == line).expect("an access's line");
                let (a, b) = (of(at.line), of(other.line));
                assert!(a.races_with(*b), "program {program}: {a:?} and {b:?}");
                let word = address as u32 / 4;
                assert!(a.words().any(|w| w == word) && b.words().any(|w| w == word), "{word}: {a:?} {b:?}");
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(racy > PROGRAMS / 10 && racy < PROGRAMS * 9 / 10, "{racy} of {PROGRAMS} race");
}
