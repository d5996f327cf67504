//! Arithmetic through the port, hazards, write-back.

use heddle_config::Policy;
use heddle_isa::{Alu, Cmp, Op, Pred, PredOperand, Space, Type};
use heddle_port::LaneMask;
use heddle_sm::{IssueEvent, Observer, OperandsEvent, ResultEvent, Stop};

use crate::machine::{FixedTime, preset_with};
use crate::program::{Asm, buffer, imm, launch, prologue, r, run, words};

/// A chain of dependent instructions: out[i] = 5 * (i + 3) + i.
fn chain(out: u32) -> Asm {
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.alu(Alu::Add, 4, &[r(0), imm(3)]);
    asm.alu(Alu::Mul, 4, &[r(4), imm(5)]);
    asm.alu(Alu::Add, 4, &[r(4), r(0)]);
    asm.store(Space::Global, r(1), 0, r(4));
    // A younger write of a source of the store must not overtake it.
    asm.alu(Alu::Mov, 4, &[imm(0)]);
    asm.exit();
    asm
}

#[test]
fn a_dependent_chain_gives_the_right_words_under_every_policy_and_speed() {
    for policy in [Policy::TwoLevel, Policy::RoundRobin, Policy::Gto] {
        for collect in [1, 3, 17] {
            let (memory, out) = buffer(640);
            let launch = launch(10, 64);
            let mut run = run(chain(out).executable(), &launch, memory);
            run.preset = preset_with(policy);
            run.design = FixedTime::new(collect, 1);
            let ran = run.go(&mut ()).expect("runs");
            let expected: Vec<u32> = (0..640).map(|i| 5 * (i + 3) + i).collect();
            assert_eq!(words(&ran.memory, out, 640), expected, "{policy:?}, {collect} cycles");
            assert_eq!(ran.statistics.warp_instructions, 20 * 10);
            assert_eq!(ran.statistics.thread_instructions, 20 * 10 * 32);
            assert_eq!(ran.statistics.ctas, 10);
        }
    }
}

#[test]
fn predicates_select_and_guard() {
    // out[i] = i < 5 ? 100 : (i guarded by i >= 40: 7, else 200)
    let (memory, out) = buffer(64);
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.setp(Cmp::Lt, 1, r(0), imm(5));
    asm.setp(Cmp::Ge, 2, r(0), imm(40));
    let select = asm.push(Op::Selp { ty: Type::U32 });
    select.dsts.push(heddle_port::Reg(4));
    select.srcs.extend_from_slice(&[imm(100), imm(200)]);
    select.pred_srcs.push(PredOperand::Reg { pred: Pred(1), negated: false });
    asm.setp(Cmp::Ge, 1, r(0), imm(1000));
    let guarded = asm.alu(Alu::Mov, 4, &[imm(7)]);
    guarded.guard = Some(heddle_isa::Guard { pred: Pred(2), negated: false });
    asm.store(Space::Global, r(1), 0, r(4));
    asm.exit();
    let launch = launch(1, 64);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    let expected: Vec<u32> = (0..64)
        .map(|i| match i {
            0..5 => 100,
            40.. => 7,
            _ => 200,
        })
        .collect();
    assert_eq!(words(&ran.memory, out, 64), expected);
}

#[test]
fn pairs_pass_the_port_as_two_registers() {
    // (i, 0) * 2^33 as 64-bit product: high word = 2 i.
    let (memory, out) = buffer(32);
    let mut asm = Asm::default();
    prologue(&mut asm, 32, out);
    let wide = asm.alu_of(Alu::MulWide, Type::U32, 4, &[r(0), imm(1 << 31)]);
    wide.dsts.push(heddle_port::Reg(5));
    let add = asm.alu_of(Alu::Add, Type::U64, 6, &[]);
    add.dsts.push(heddle_port::Reg(7));
    let pair = heddle_isa::Operand::Pair(heddle_port::Reg(4));
    add.srcs.extend_from_slice(&[pair, pair]);
    asm.store(Space::Global, r(1), 0, r(7));
    asm.exit();
    let launch = launch(1, 32);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    assert_eq!(words(&ran.memory, out, 32), (0..32).collect::<Vec<u32>>());
}

/// Sees that every instruction issues, gets operands and gives results once and in this order.
#[derive(Default)]
struct Order {
    collecting: Vec<u16>,
    executing: Vec<(u16, usize)>,
    operands: usize,
    results: usize,
    retired: usize,
}

impl Observer for Order {
    fn warp_issued(&mut self, e: &IssueEvent) -> Result<(), Stop> {
        assert!(!self.collecting.contains(&e.tag.0) && !self.executing.iter().any(|(t, _)| *t == e.tag.0));
        assert!(e.exec.0 & !e.active.0 == 0);
        if e.through_port {
            self.collecting.push(e.tag.0);
        } else {
            self.executing.push((e.tag.0, 0));
        }
        Ok(())
    }

    fn operands(&mut self, e: &OperandsEvent<'_>) -> Result<(), Stop> {
        self.collecting.retain(|t| *t != e.tag.0);
        self.executing.push((e.tag.0, 0));
        self.operands += 1;
        assert_ne!(e.exec, LaneMask::NONE);
        Ok(())
    }

    fn results(&mut self, e: &ResultEvent<'_>) -> Result<(), Stop> {
        let entry = self.executing.iter_mut().find(|(t, _)| *t == e.tag.0).expect("operands came first");
        assert_eq!(entry.1, e.destination);
        entry.1 += 1;
        self.results += 1;
        Ok(())
    }

    fn retired(&mut self, _: heddle_port::Cycle, tag: heddle_port::Tag) -> Result<(), Stop> {
        let before = self.executing.len();
        self.executing.retain(|(t, _)| *t != tag.0);
        assert_eq!(self.executing.len() + 1, before, "retired once, after its operands");
        self.retired += 1;
        Ok(())
    }
}

#[test]
fn events_come_once_and_in_order() {
    let (memory, out) = buffer(640);
    let launch = launch(10, 64);
    let mut order = Order::default();
    let ran = run(chain(out).executable(), &launch, memory).go(&mut order).expect("runs");
    assert_eq!(order.retired as u64, ran.statistics.warp_instructions);
    assert_eq!(order.operands as u64, ran.statistics.port_instructions);
    assert_eq!(order.results as u64, ran.statistics.results_written);
    // Per warp: 9 of 10 pass the port (not exit); 8 write a register.
    assert_eq!((order.operands, order.results), (20 * 9, 20 * 8));
    assert!(order.collecting.is_empty() && order.executing.is_empty());
}

#[test]
fn an_observer_stops_the_run() {
    struct After(u32);
    impl Observer for After {
        fn warp_issued(&mut self, _: &IssueEvent) -> Result<(), Stop> {
            self.0 -= 1;
            if self.0 == 0 { Err(Stop) } else { Ok(()) }
        }
    }
    let (memory, out) = buffer(64);
    let launch = launch(1, 64);
    let error = run(chain(out).executable(), &launch, memory).go(&mut After(3)).expect_err("stops");
    assert!(matches!(error, heddle_sm::SmError::Stopped { .. }), "{error}");
}
