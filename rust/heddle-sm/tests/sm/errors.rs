//! Errors name the place.

use heddle_isa::{Alu, Cmp, Space};
use heddle_sm::{SmError, Wait};

use crate::machine::FixedTime;
use crate::program::{Asm, buffer, imm, launch, prologue, r, run};

#[test]
fn an_access_outside_every_buffer_names_thread_and_line() {
    let (memory, out) = buffer(40);
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.store(Space::Global, r(1), 0, r(0));
    asm.exit();
    let launch = launch(1, 64);
    let error = run(asm.executable(), &launch, memory).go(&mut ()).expect_err("outside");
    let SmError::Access { place, thread, space, .. } = &error else { panic!("{error}") };
    assert_eq!((place.pc.0, place.warp_in_cta, *thread, *space), (4, 1, [40, 0, 0], "global"));
    let text = error.to_string();
    assert!(text.contains("test.ptx:5:1") && text.contains("line 5;") && text.contains("'out'"), "{text}");
}

#[test]
fn shared_memory_has_its_size_and_alignment() {
    for (address, part) in [(16, "there are 16 bytes"), (2, "aligned")] {
        let (memory, _) = buffer(1);
        let mut asm = Asm { shared_bytes: 16, ..Asm::default() };
        asm.load(Space::Shared, 0, imm(address), 0);
        asm.exit();
        let launch = launch(1, 32);
        let error = run(asm.executable(), &launch, memory).go(&mut ()).expect_err("refused").to_string();
        assert!(error.contains("shared memory") && error.contains(part), "{error}");
    }
}

#[test]
fn a_barrier_that_is_never_met_is_a_hang_that_names_it() {
    // Warp 0 waits at barrier 1, warp 1 at barrier 2.
    let (memory, out) = buffer(64);
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.setp(Cmp::Lt, 0, r(0), imm(32));
    let fork = asm.pc();
    asm.branch(Some((0, false)), fork, None);
    asm.barrier(2);
    asm.exit();
    let other = asm.pc();
    asm.barrier(1);
    asm.exit();
    asm.patch(fork, other, None);
    let launch = launch(1, 64);
    let error = run(asm.executable(), &launch, memory).go(&mut ()).expect_err("hangs");
    let SmError::Hang { waits, .. } = &error else { panic!("{error}") };
    assert_eq!(waits.len(), 2);
    assert_eq!((&waits[0].wait, &waits[1].wait), (&Wait::Barrier(1), &Wait::Barrier(2)));
    assert!(error.to_string().contains("barrier 1"), "{error}");
}

#[test]
fn a_design_that_never_collects_is_a_hang_that_names_the_tag() {
    let (memory, _) = buffer(1);
    let mut asm = Asm::default();
    asm.alu(Alu::Mov, 0, &[imm(1)]);
    asm.alu(Alu::Add, 0, &[r(0), imm(1)]);
    asm.exit();
    let launch = launch(1, 32);
    let mut run = run(asm.executable(), &launch, memory);
    run.design = FixedTime::new(1_000_000, 1);
    let error = run.go(&mut ()).expect_err("hangs");
    let SmError::Hang { waits, .. } = &error else { panic!("{error}") };
    assert!(matches!(&waits[0].wait, Wait::Operands(tags) if tags.len() == 1), "{error}");
}

#[test]
fn operands_that_nobody_waits_for_break_the_contract() {
    let (memory, _) = buffer(1);
    let mut asm = Asm::default();
    asm.alu(Alu::Mov, 0, &[imm(1)]);
    asm.exit();
    let launch = launch(1, 32);
    let run = run(asm.executable(), &launch, memory);
    let mut sm = run.sm().expect("fits");
    let mut out = run.design.reset();
    out.operands[0] = heddle_port::Operands { valid: true, tag: 77 };
    let registers = heddle_sm::ArchitecturalRegisters::new(1);
    let mut input = heddle_port::RegIn::default();
    let error = sm.tick(&out, &registers, &mut input, &mut ()).expect_err("contract");
    assert!(error.to_string().contains("T77"), "{error}");
}

#[test]
fn running_past_the_end_is_an_error() {
    let (memory, _) = buffer(1);
    let mut asm = Asm::default();
    asm.alu(Alu::Mov, 0, &[imm(1)]);
    let launch = launch(1, 32);
    let error = run(asm.executable(), &launch, memory).go(&mut ()).expect_err("no exit").to_string();
    assert!(error.contains("past the last instruction"), "{error}");
}
