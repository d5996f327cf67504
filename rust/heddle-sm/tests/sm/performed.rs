//! A memory that breaks its port's contract about performed events is stopped.

use heddle_isa::Space;
use heddle_mem::L1;
use heddle_port::{DesignError, MemIn, MemOut, MemoryPort, RegIn};
use heddle_sm::{ArchitecturalRegisters, CtaChoice, Sm, SmError};

use crate::machine::WIDTHS;
use crate::program::{Asm, buffer, launch, prologue, r, run};

/// Threads of the CTA: a whole warp and a part of one.
const THREADS: u32 = 40;

/// What becomes of the performed event among the outputs; the second argument are those before.
type Falsify = fn(&mut MemOut, &MemOut);

/// The Rust L1 with falsified performed events.
struct Falsified {
    inner: L1,
    out: MemOut,
    before: MemOut,
    falsify: Falsify,
}

impl heddle_mem::FirstLevelPort for Falsified {}

impl MemoryPort for Falsified {
    fn reset(&mut self) -> MemOut {
        self.out = self.inner.reset();
        self.out
    }

    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        self.inner.step(input, &mut self.out)?;
        *out = self.out;
        (self.falsify)(out, &self.before);
        self.before = self.out;
        Ok(())
    }
}

/// What stops a kernel that loads and stores.
fn outcome(falsify: Falsify) -> Result<(), SmError> {
    let (memory, out) = buffer(64);
    let mut asm = Asm::default();
    prologue(&mut asm, THREADS, out);
    asm.load(Space::Global, 5, r(1), 0);
    asm.store(Space::Global, r(1), 0, r(5));
    asm.exit();
    let launch = launch(1, THREADS);
    let run = run(asm.executable(), &launch, memory);
    let inner = L1::new(&run.preset.l1d, &run.preset.shared_memory);
    let port = Falsified { inner, out: MemOut::default(), before: MemOut::default(), falsify };
    let (executable, memory) = (run.executable.clone(), run.memory.clone());
    let mut sm = Sm::with_memory_port(&run.preset, WIDTHS, executable, &launch, memory, CtaChoice::All, port)
        .expect("the launch fits");
    let mut registers = ArchitecturalRegisters::new(run.executable.program.num_regs);
    let mut design = run.design.clone();
    let mut out = design.reset();
    let mut input = RegIn::default();
    while !sm.is_done() {
        sm.tick(&out, &registers, &mut input, &mut ())?;
        design.step(&input, &mut out);
        registers.step(&input, &out);
        assert!(sm.cycle().0 < 100_000, "the run does not end");
    }
    Ok(())
}

fn refused(falsify: Falsify, part: &str) {
    let error = outcome(falsify).expect_err(part);
    assert!(matches!(error, SmError::Protocol { .. }), "{error}");
    assert!(error.to_string().contains(part), "'{part}' is not in: {error}");
}

#[test]
fn performed_events_as_they_are_pass() {
    outcome(|_, _| ()).expect("nothing is wrong");
}

#[test]
fn lanes_that_are_performed_again_are_refused() {
    // Of the second warp eight lanes run; the others count as performed.
    let more: Falsify = |out, _| {
        if out.performed.valid && out.performed.mask != u32::MAX {
            out.performed.mask = u32::MAX;
        }
    };
    refused(more, "lanes 0xffffff00 of ");
}

#[test]
fn an_access_that_is_performed_when_it_is_over_is_refused() {
    let again: Falsify = |out, before| {
        if !out.performed.valid {
            out.performed = before.performed;
        }
    };
    refused(again, "which has no access under way");
}

#[test]
fn an_access_that_nobody_asked_for_is_refused() {
    refused(|out, _| out.performed.tag += 100, "which has no access under way");
}

#[test]
fn an_access_that_is_never_performed_is_a_hang() {
    let error = outcome(|out, _| out.performed.valid = false).expect_err("nothing goes on");
    assert!(matches!(error, SmError::Hang { .. }), "{error}");
}
