//! Whether warps that go on issuing ever get anywhere.
//!
//! Progress is that memory changes, a barrier opens, a CTA starts, or a warp ends. When neither of the last three has
//! come for long, the instructions that each warp issues are watched, and so is whether memory changes. As long as
//! it does not, a warp waits when it executes the same instructions over and over, reads memory in them, and nothing
//! but what it reads decides when it leaves them, or when it repeats itself ([`rounds`]). The machine is stuck when there
//! is such a warp, and each other one waits too, stands at a barrier, or issues nothing in all that time.

mod hang;
mod rounds;

pub use hang::Hang;
use heddle_isa::loops::{PcSet, left_by_memory_alone};
use heddle_isa::{Instr, Outputs, Pc, Program};
use heddle_port::{LaneMask, NUM_WARPS, TAG_BITS};
use rounds::{Member, Rounds};

/// Cycles without a barrier that opens, a CTA that starts or a warp that ends, before the warps are watched.
const PATIENCE: u64 = 100_000;
/// Most of them, after watches that came to no result.
const MOST_PATIENCE: u64 = 1 << 26;
/// Instructions of a warp that decide whether it stays in one loop.
const WINDOW: u32 = 1024;
/// Instructions of a warp in which it must repeat itself, where that does not decide.
const LONG_WINDOW: u32 = 4 * WINDOW;
/// Cycles that warps are watched.
const WATCH: u64 = 1 << 20;
/// Cycles between two looks at what the watch has seen.
const LOOK: u64 = 1024;

/// What was seen of a warp.
#[derive(Debug, Clone, Default)]
struct Look {
    issued: u32,
    first: PcSet,
    second: PcSet,
    /// What it does from the middle of its window on.
    rounds: Rounds,
    /// An address that it reads.
    polled: Option<u64>,
    waits: bool,
    goes_on: bool,
}

/// The watch over all warp slots.
#[derive(Debug, Clone)]
struct Watch {
    begin: u64,
    looks: Vec<Look>,
    /// By tag: the warp slot and the place in its rounds of an instruction on its way.
    members: Vec<Option<(usize, Member)>>,
}

/// What there is to say after a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// Nothing.
    None,
    /// No resident warp will ever get anywhere; the cycle since when none has.
    Stuck(u64),
}

/// The watchdog of an SM.
#[derive(Debug, Clone)]
pub struct Watchdog {
    since: u64,
    patience: u64,
    watch: Option<Box<Watch>>,
}

impl Default for Watchdog {
    fn default() -> Self {
        Self { since: 0, patience: PATIENCE, watch: None }
    }
}

impl Watchdog {
    /// A barrier opens, a CTA starts or a warp ends.
    pub fn moved(&mut self, cycle: u64) {
        *self = Self { since: cycle, ..Self::default() };
    }

    /// Whether accesses are to be told.
    #[inline]
    pub fn is_watching(&self) -> bool {
        self.watch.is_some()
    }

    /// Memory changes.
    pub fn changed(&mut self, cycle: u64) {
        self.since = cycle;
        self.watch = None;
    }

    /// The warp in slot `w` reads `address` of global or shared memory.
    pub fn reads(&mut self, w: usize, address: u64) {
        if let Some(look) = self.watch.as_mut().and_then(|watch| watch.looks.get_mut(w)) {
            look.polled.get_or_insert(address);
        }
    }

    /// An address that the warp in slot `w` reads over and over, where it waits.
    pub fn polled(&self, w: usize) -> Option<u64> {
        let look = self.watch.as_ref()?.looks.get(w)?;
        look.polled.filter(|_| look.waits)
    }

    /// The warp in slot `w` issues the instruction at `pc` under `tag`, with lanes `active`, of which `exec` execute it.
    pub fn issued(
        &mut self,
        (w, tag): (usize, u16),
        pc: Pc,
        [active, exec]: [LaneMask; 2],
        program: &Program,
    ) {
        let Some(watch) = &mut self.watch else { return };
        let (Some(look), Some(member)) = (watch.looks.get_mut(w), watch.members.get_mut(usize::from(tag)))
        else {
            return;
        };
        *member = None;
        look.issued += 1;
        if look.waits || look.issued <= WINDOW / 2 {
            return;
        }
        if look.issued <= LONG_WINDOW {
            *member = look.rounds.issued(pc, active.0, exec.0).map(|member| (w, member));
        }
        if look.issued > WINDOW {
            look.goes_on |= look.issued > LONG_WINDOW;
            return;
        }
        let set = if look.issued <= WINDOW / 4 * 3 { &mut look.first } else { &mut look.second };
        set.insert(pc);
        if look.issued == WINDOW {
            let stays = look.first == look.second && look.polled.is_some();
            look.waits = stays && left_by_memory_alone(program, &look.first);
            look.goes_on = look.polled.is_none();
        }
    }

    /// Nothing of the instruction `instr` under `tag` is outstanding any more; lanes `exec` executed it.
    #[cold]
    pub fn ended(&mut self, tag: u16, exec: u32, out: &Outputs, instr: &Instr) {
        let Some(watch) = &mut self.watch else { return };
        let Some((w, member)) = watch.members.get_mut(usize::from(tag)).and_then(Option::take) else {
            return;
        };
        if let Some(look) = watch.looks.get_mut(w) {
            look.rounds.ended(member, exec, out, (instr.dsts.len(), instr.pred_dsts.len()));
        }
    }

    /// The end of `cycle`. `live` are the slots of warps that have not ended, `held` those of them at a barrier.
    #[inline]
    pub fn look(&mut self, cycle: u64, program: &Program, live: u64, held: u64) -> Finding {
        if cycle - self.since <= self.patience || !cycle.is_multiple_of(LOOK) {
            return Finding::None;
        }
        self.look_closely(cycle, program, live & !held)
    }

    #[cold]
    fn look_closely(&mut self, cycle: u64, program: &Program, free: u64) -> Finding {
        let Some(watch) = &mut self.watch else {
            let empty = PcSet::new(program.instrs.len());
            let look = Look { first: empty.clone(), second: empty, ..Look::default() };
            let (looks, members) = (vec![look; NUM_WARPS], vec![None; 1 << TAG_BITS]);
            self.watch = Some(Box::new(Watch { begin: cycle, looks, members }));
            return Finding::None;
        };
        for look in watch.looks.iter_mut().filter(|look| !look.waits && look.issued > WINDOW) {
            if look.polled.is_some() && look.rounds.repeat() {
                (look.waits, look.goes_on) = (true, false);
            }
        }
        let looks =
            || watch.looks.iter().enumerate().filter(|(w, _)| free >> w & 1 != 0).map(|(_, look)| look);
        let long = cycle - watch.begin >= WATCH;
        let some = looks().any(|look| look.waits);
        if some && looks().all(|look| look.waits || long && look.issued == 0) {
            return Finding::Stuck(self.since);
        }
        if long || looks().any(|look| look.goes_on) {
            self.since = cycle;
            self.watch = None;
            self.patience = (self.patience * 4).min(MOST_PATIENCE);
        }
        Finding::None
    }
}
