//! What LTRF+ moves, held against what LTRF would move for the same commands, in every kernel.
//!
//! Which registers a command moves follows from the commands before it and from the instructions in between (section 3.2): the
//! commands and instructions are those of a run, and the model is asked for its counts alone. That each command moves the right ones, the model's own tests say.

use heddle_cosim::{Engine, LaunchObserver, RunSpec, Session};
use heddle_isa::{Executable, KernelLaunch, RegSet};
use heddle_port::{Command, CommandOp, Cycle, NUM_WARPS};
use heddle_sm::{IssueEvent, Observer, Stop};
use heddle_workloads::Size;

use crate::common;

/// Registers of a warp.
#[derive(Clone, Copy, Default)]
struct Warp {
    /// Written, and not read for the last time.
    live: RegSet,
    /// In the register cache.
    cached: RegSet,
    /// Working set of its register-interval, which an activation brings back.
    working: RegSet,
}

/// Registers that commands moved.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Moved {
    fetched: u64,
    written_back: u64,
}

impl Moved {
    fn add(&mut self, fetched: RegSet, written_back: RegSet) {
        self.fetched += fetched.count_ones() as u64;
        self.written_back += written_back.count_ones() as u64;
    }
}

/// What the commands of a run move in both designs.
#[derive(Default)]
struct Ledger {
    executable: Option<Executable>,
    warps: Vec<Warp>,
    ltrf: Moved,
    ltrf_plus: Moved,
}

impl LaunchObserver for Ledger {
    fn launched(&mut self, executable: &Executable, _: &KernelLaunch) {
        self.executable = Some(executable.clone());
        self.warps = vec![Warp::default(); NUM_WARPS];
    }
}

impl Observer for Ledger {
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        if !event.through_port {
            return Ok(());
        }
        let executable = self.executable.as_ref().expect("a launch");
        let instr = &executable.program.instrs[event.pc.index()];
        let live = &mut self.warps[event.slot.index()].live;
        for (slot, register) in instr.source_regs().into_iter().enumerate() {
            if executable.dead_sources[event.pc.index()] >> slot & 1 != 0 {
                live.set(register.index(), false);
            }
        }
        for register in &instr.dsts {
            live.set(register.index(), true);
        }
        Ok(())
    }

    fn command(&mut self, _: Cycle, command: &Command) -> Result<(), Stop> {
        let warp = &mut self.warps[usize::from(command.warp)];
        let (before, none) = (warp.cached, RegSet::default());
        match CommandOp::from_code(command.op).expect("a command") {
            CommandOp::WarpBase => warp.live = none,
            CommandOp::Prefetch => {
                warp.working = RegSet::new(command.vector);
                warp.cached = warp.working;
            }
            CommandOp::Activate => warp.cached = warp.working,
            CommandOp::Deactivate => warp.cached = none,
            // What an ended warp has in the cache, nobody needs.
            CommandOp::Exit => {
                *warp = Warp::default();
                return Ok(());
            }
            CommandOp::KernelStart | CommandOp::MapEntry => return Ok(()),
        }
        let (fetched, written_back) = (warp.cached & !before, before & !warp.cached);
        self.ltrf.add(fetched, written_back);
        self.ltrf_plus.add(fetched & warp.live, written_back & warp.live);
        Ok(())
    }
}

/// By the design's own counts what a run of the kernel moved, and what it did not because it was dead; and the ledger.
fn run(design: &str, kernel: &str, folder: &tempfile::TempDir) -> (Moved, Moved, Ledger) {
    let mut ledger = Ledger::default();
    let spec = RunSpec { engine: Engine::Sim, ..common::cosim(design, kernel, Size::Smoke, folder) };
    let report = Session::new(spec)
        .and_then(|mut session| session.observe(&mut (), &mut ledger))
        .unwrap_or_else(|e| panic!("{design} {kernel}: {e}"));
    let count = |event| report.events[event];
    let moved = Moved { fetched: count("main_bank_read"), written_back: count("write_back") };
    let dead = Moved { fetched: count("dead_alloc"), written_back: count("dead_drop") };
    (moved, dead, ledger)
}

/// Not more than LTRF: as many registers as live of those that LTRF moves, and the rest is counted as dead.
#[test]
fn in_every_kernel_ltrf_plus_moves_what_lives_of_what_ltrf_moves() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut total = [Moved::default(); 2];
    for workload in heddle_workloads::all() {
        let kernel = workload.name();
        let (plus, dead, ledger) = run("ltrf-plus", kernel, &folder);
        assert_eq!(plus, ledger.ltrf_plus, "ltrf-plus {kernel}");
        let all = Moved {
            fetched: plus.fetched + dead.fetched,
            written_back: plus.written_back + dead.written_back,
        };
        assert_eq!(all, ledger.ltrf, "ltrf-plus {kernel}, with what is dead");
        let (plain, _, of_plain) = run("ltrf", kernel, &folder);
        assert_eq!(plain, of_plain.ltrf, "ltrf {kernel}");
        for (sum, moved) in total.iter_mut().zip([ledger.ltrf, plus]) {
            sum.fetched += moved.fetched;
            sum.written_back += moved.written_back;
        }
    }
    let [ltrf, plus] = total;
    assert!(
        plus.fetched < ltrf.fetched && plus.written_back < ltrf.written_back,
        "LTRF {ltrf:?}, LTRF+ {plus:?}"
    );
}
