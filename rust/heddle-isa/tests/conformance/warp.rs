//! Operations between lanes, thread by thread as the PTX ISA writes them down.

use heddle_isa::exec::{MemberFault, Outputs, execute};
use heddle_isa::{
    ExecError, Instr, Loc, MatchMode, Op, Operand, Pred, PredOperand, ReduxOp, ShflMode, Type, VoteMode,
};
use heddle_port::{LaneData, LaneMask, NUM_LANES, NUM_SOURCES, Reg};

use crate::harness::{Random, context};

/// A warp whose lanes work in groups, each with its own member mask.
struct Warp {
    executing: u32,
    live: u32,
    /// By lane; lanes that do not execute have random masks.
    masks: LaneData,
}

impl Warp {
    /// One group with all executing lanes, or up to four that share nothing. Masks name lanes that have
    /// ended as well.
    fn new(random: &mut Random) -> Self {
        let bits = |random: &mut Random| random.next() as u32;
        let live = if random.below(2) == 0 { u32::MAX } else { bits(random) | 1 << random.below(32) };
        let executing =
            if random.below(2) == 0 { live } else { live & (bits(random) | 1 << live.trailing_zeros()) };
        let groups = 1 + random.below(4);
        let mut of_group = [0; 4];
        let group_of: Vec<usize> = (0..NUM_LANES).map(|_| random.below(groups) as usize).collect();
        for lane in 0..NUM_LANES {
            let ended = live >> lane & 1 == 0 && random.below(2) == 0;
            if executing >> lane & 1 != 0 || ended {
                of_group[group_of[lane]] |= 1 << lane;
            }
        }
        let masks = std::array::from_fn(|lane| {
            if executing >> lane & 1 != 0 { of_group[group_of[lane]] } else { bits(random) }
        });
        Self { executing, live, masks }
    }

    fn lanes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..NUM_LANES).filter(|lane| self.executing >> lane & 1 != 0)
    }

    /// Executing lanes of the group of `lane`.
    fn group(&self, lane: usize) -> Vec<usize> {
        self.lanes().filter(|&other| self.masks[lane] >> other & 1 != 0).collect()
    }
}

/// Executes `op` on 32-bit words, one operand for each.
fn run(warp: &Warp, op: Op, words: &[LaneData], holding: u32, pairs: bool) -> Result<Outputs, ExecError> {
    let mut instr = Instr::new(op, Loc::default());
    let mut sources = [[0; NUM_LANES]; NUM_SOURCES];
    sources[..words.len()].copy_from_slice(words);
    if pairs {
        instr.srcs.push(Operand::Pair(Reg(0)));
    }
    let single = if pairs { 2 } else { 0 };
    instr.srcs.extend((single..words.len()).map(|k| Operand::Reg(Reg(k as u32))));
    instr.pred_srcs.push(PredOperand::Reg { pred: Pred(0), negated: false });
    let mut context = context();
    context.moment.live = LaneMask(warp.live);
    let mut out = Outputs::default();
    execute(&instr, &sources, &[holding], &context, LaneMask(warp.executing), &mut out)?;
    Ok(out)
}

fn words(random: &mut Random) -> LaneData {
    std::array::from_fn(|_| random.bits(Type::B32) as u32)
}

/// The pseudo-code of "shfl.sync", on the bits of its operands: source lane and `p`.
fn shuffled(mode: ShflMode, lane: i64, b: u32, c: u32) -> (i64, bool) {
    let field = |word: u32, low: u32| i64::from(word >> low) & 0x1f;
    let (bval, cval, segmask) = (field(b, 0), field(c, 0), field(c, 8));
    let max_lane = (lane & segmask) | (cval & !segmask & 0x1f);
    let min_lane = lane & segmask;
    let (j, pval) = match mode {
        ShflMode::Up => (lane - bval, lane - bval >= max_lane),
        ShflMode::Down => (lane + bval, lane + bval <= max_lane),
        ShflMode::Bfly => (lane ^ bval, lane ^ bval <= max_lane),
        ShflMode::Idx => {
            let j = min_lane | (bval & !segmask & 0x1f);
            (j, j <= max_lane)
        }
    };
    (if pval { j } else { lane }, pval)
}

#[test]
fn shuffles() {
    let mut random = Random::new(61);
    let mut cases = 0;
    for mode in [ShflMode::Up, ShflMode::Down, ShflMode::Bfly, ShflMode::Idx] {
        // All clamps and segments, each with a random warp; distances of all kinds.
        for c in 0..1u32 << 10 {
            let warp = Warp::new(&mut random);
            let c = c & 0x1f | (c >> 5) << 8 | (random.next() as u32 & !0x1f1f);
            let a = words(&mut random);
            let b = if random.below(2) == 0 { [random.next() as u32; 32] } else { words(&mut random) };
            for sync in [true, false] {
                let sources = [a, b, [c; 32], warp.masks];
                let sources = if sync { &sources[..] } else { &sources[..3] };
                let out = run(&warp, Op::Shfl { mode }, sources, 0, false).expect("shuffles");
                for lane in warp.lanes() {
                    let (j, pval) = shuffled(mode, lane as i64, b[lane], c);
                    let there = warp.lanes().any(|l| l as i64 == j)
                        && (!sync || warp.group(lane).iter().any(|&l| l as i64 == j));
                    let expected = if there { a[j as usize] } else { 0 };
                    assert_eq!(
                        out.values[0][lane], expected,
                        "{mode:?} lane {lane} b {:#x} c {c:#x}",
                        b[lane]
                    );
                    assert_eq!(out.preds[0] >> lane & 1 != 0, pval, "{mode:?} lane {lane} c {c:#x}");
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 100_000, "{cases}");
}

#[test]
fn what_lanes_that_do_not_execute_hold_does_not_matter() {
    let mut random = Random::new(62);
    for mode in [ShflMode::Up, ShflMode::Down, ShflMode::Bfly, ShflMode::Idx] {
        for _ in 0..200 {
            let warp = Warp::new(&mut random);
            let (a, b, c) = (words(&mut random), words(&mut random), [0x1f; 32]);
            let other: LaneData =
                std::array::from_fn(|l| if warp.executing >> l & 1 != 0 { a[l] } else { !a[l] });
            let result = |a| run(&warp, Op::Shfl { mode }, &[a, b, c, warp.masks], 0, false);
            let (one, two) = (result(a).expect("shuffles"), result(other).expect("shuffles"));
            for lane in warp.lanes() {
                assert_eq!(one.values[0][lane], two.values[0][lane]);
            }
        }
    }
}

#[test]
fn votes() {
    let mut random = Random::new(63);
    for _ in 0..1000 {
        let warp = Warp::new(&mut random);
        let holding = match random.below(4) {
            0 => 0,
            1 => u32::MAX,
            2 => warp.masks[random.below(32) as usize],
            _ => random.next() as u32,
        };
        for sync in [true, false] {
            let sources = [warp.masks];
            let sources = if sync { &sources[..] } else { &[] };
            let vote = |mode| run(&warp, Op::Vote { mode }, sources, holding, false).expect("votes");
            let outs = [VoteMode::All, VoteMode::Any, VoteMode::Uni, VoteMode::Ballot].map(vote);
            for lane in warp.lanes() {
                let group = if sync { warp.group(lane) } else { warp.lanes().collect() };
                let yes: Vec<_> = group.iter().filter(|&&l| holding >> l & 1 != 0).collect();
                let expected =
                    [yes.len() == group.len(), !yes.is_empty(), yes.is_empty() || yes.len() == group.len()];
                for (out, expected) in outs.iter().zip(expected) {
                    assert_eq!(out.preds[0] >> lane & 1 != 0, expected, "lane {lane} of {group:?}: {yes:?}");
                }
                let ballot = yes.iter().map(|&&l| 1u32 << l).sum::<u32>();
                assert_eq!(outs[3].values[0][lane], ballot);
            }
        }
    }
}

#[test]
fn matches() {
    let mut random = Random::new(64);
    for round in 0..1000 {
        let warp = Warp::new(&mut random);
        let wide = round % 2 == 0;
        // Few values, so that many are equal; pairs that differ in one half only.
        let few = [random.next() as u32, random.next() as u32];
        let choices = if round % 5 == 0 { 1 } else { 2 };
        let mut some = || -> LaneData { std::array::from_fn(|_| few[random.below(choices) as usize]) };
        let (low, high) = (some(), some());
        let value = |lane: usize| (low[lane], if wide { high[lane] } else { 0 });
        let (sources, ty) = match wide {
            true => (vec![low, high, warp.masks], Type::B64),
            false => (vec![low, warp.masks], Type::B32),
        };
        let any = run(&warp, Op::Match { mode: MatchMode::Any, ty }, &sources, 0, wide).expect("matches");
        let all = run(&warp, Op::Match { mode: MatchMode::All, ty }, &sources, 0, wide).expect("matches");
        for lane in warp.lanes() {
            let group = warp.group(lane);
            let equal: u32 = group.iter().filter(|&&l| value(l) == value(lane)).map(|l| 1 << l).sum();
            let members: u32 = group.iter().map(|l| 1 << l).sum();
            assert_eq!(any.values[0][lane], equal);
            assert_eq!(all.values[0][lane], if equal == members { members } else { 0 });
            assert_eq!(all.preds[0] >> lane & 1 != 0, equal == members);
        }
    }
}

#[test]
fn reductions() {
    let mut random = Random::new(65);
    let signed = |v: &u32| i64::from(*v as i32);
    for _ in 0..1000 {
        let warp = Warp::new(&mut random);
        let a = words(&mut random);
        for (op, ty) in [
            (ReduxOp::Add, Type::U32),
            (ReduxOp::Add, Type::S32),
            (ReduxOp::Min, Type::U32),
            (ReduxOp::Max, Type::U32),
            (ReduxOp::Min, Type::S32),
            (ReduxOp::Max, Type::S32),
            (ReduxOp::And, Type::B32),
            (ReduxOp::Or, Type::B32),
            (ReduxOp::Xor, Type::B32),
        ] {
            let out = run(&warp, Op::Redux { op, ty }, &[a, warp.masks], 0, false).expect("reduces");
            for lane in warp.lanes() {
                let values: Vec<u32> = warp.group(lane).iter().map(|&l| a[l]).collect();
                let bits = |test: fn(usize, usize) -> bool| -> u32 {
                    let holds = |bit: &u32| values.iter().filter(|v| *v >> bit & 1 != 0).count();
                    (0..32).filter(|bit| test(holds(bit), values.len())).map(|bit| 1 << bit).sum()
                };
                let expected = match (op, ty) {
                    (ReduxOp::Add, _) => values.iter().map(|&v| u64::from(v)).sum::<u64>() as u32,
                    (ReduxOp::Min, Type::S32) => *values.iter().min_by_key(|v| signed(v)).expect("a lane"),
                    (ReduxOp::Max, Type::S32) => *values.iter().max_by_key(|v| signed(v)).expect("a lane"),
                    (ReduxOp::Min, _) => *values.iter().min().expect("a lane"),
                    (ReduxOp::Max, _) => *values.iter().max().expect("a lane"),
                    (ReduxOp::And, _) => bits(|set, all| set == all),
                    (ReduxOp::Or, _) => bits(|set, _| set > 0),
                    (ReduxOp::Xor, _) => bits(|set, _| set % 2 == 1),
                };
                assert_eq!(out.values[0][lane], expected, "{op:?} {ty:?} of {values:x?}");
            }
        }
    }
}

#[test]
fn masks_and_elections() {
    let mut random = Random::new(66);
    for _ in 0..500 {
        let warp = Warp::new(&mut random);
        let mask = run(&warp, Op::Activemask, &[], 0, false).expect("a mask");
        let elected = run(&warp, Op::Elect, &[warp.masks], 0, false).expect("elects");
        for lane in warp.lanes() {
            assert_eq!(mask.values[0][lane], warp.executing);
            let group = warp.group(lane);
            let leaders: Vec<_> = group.iter().filter(|&&l| elected.preds[0] >> l & 1 != 0).collect();
            assert_eq!(leaders, [&group[0]]);
            assert_eq!(elected.values[0][lane] as usize, group[0]);
        }
    }
}

/// Every operation with a member mask, with its other operands.
fn with_masks(masks: LaneData) -> Vec<(Op, Vec<LaneData>)> {
    let a = [1; NUM_LANES];
    vec![
        (Op::Shfl { mode: ShflMode::Idx }, vec![a, a, a, masks]),
        (Op::Vote { mode: VoteMode::Any }, vec![masks]),
        (Op::Match { mode: MatchMode::Any, ty: Type::B32 }, vec![a, masks]),
        (Op::Redux { op: ReduxOp::Add, ty: Type::U32 }, vec![a, masks]),
        (Op::Elect, vec![masks]),
        (Op::WarpSync, vec![masks]),
    ]
}

#[test]
fn masks_that_cannot_be_met_are_named() {
    let faults = |executing: u32, live: u32, masks: LaneData| -> Vec<MemberFault> {
        let warp = Warp { executing, live, masks };
        let fault = |(op, sources): (Op, Vec<LaneData>)| match run(&warp, op.clone(), &sources, 0, false) {
            Err(ExecError::Members(fault)) => fault,
            other => panic!("{op:?}: {other:?}"),
        };
        with_masks(masks).into_iter().map(fault).collect()
    };
    let m = LaneMask;
    // Lanes 16 to 23 are elsewhere; 24 to 31 have ended.
    for fault in faults(0xffff, 0x00ff_ffff, [u32::MAX; 32]) {
        let (mask, missing, executing) = (m(u32::MAX), m(0x00ff_0000), m(0xffff));
        assert_eq!(fault, MemberFault::Absent { lane: 0, mask, missing, executing });
        assert!(fault.to_string().contains("lanes 0x00ff0000"), "{fault}");
    }
    let own = [0xfffe; 32];
    for fault in faults(0xffff, u32::MAX, own) {
        assert_eq!(fault, MemberFault::NotMember { lane: 0, mask: m(0xfffe) });
    }
    let halves = std::array::from_fn(|lane| if lane < 4 { 0xff } else { 0xf0 });
    for fault in faults(0xff, u32::MAX, halves) {
        let (mask, other_mask) = (m(0xff), m(0xf0));
        assert_eq!(fault, MemberFault::Differs { lane: 0, mask, other: 4, other_mask });
    }
    // Without the missing lanes there is nothing wrong.
    for (op, sources) in with_masks([0xffff; 32]) {
        let warp = Warp { executing: 0xffff, live: u32::MAX, masks: [0xffff; 32] };
        run(&warp, op, &sources, 0, false).expect("all members are here");
    }
}
