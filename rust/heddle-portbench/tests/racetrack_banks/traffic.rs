//! Random inputs for the banks, in phases: rare or crowded, on few places or all.

use heddle_designs::racetrack::{NUM_BANKS, NUM_ROWS};
use heddle_portbench::Rng;

use crate::rtl::Inputs;

/// How a phase behaves.
#[derive(Debug, Clone, Copy)]
struct Phase {
    /// Of 256 cycles, those in which a bank is asked for a read, and those with a staged result.
    reads: u32,
    writes: u32,
    /// Places from which both choose.
    places: [u8; 4],
    /// How many of these; all places of a bank when 0.
    used: usize,
    /// Of 256 results, those of all lanes.
    full: u32,
    left: usize,
}

/// The generator of inputs.
pub struct Traffic {
    rng: Rng,
    phase: Phase,
}

impl Traffic {
    /// Inputs that follow from the seed.
    pub fn new(seed: u64) -> Self {
        let phase = Phase { reads: 0, writes: 0, places: [0; 4], used: 0, full: 0, left: 0 };
        Self { rng: Rng::new(seed), phase }
    }

    fn next_phase(&mut self) {
        let rng = &mut self.rng;
        let rate = |rng: &mut Rng| *rng.pick(&[0, 4, 16, 64, 255]).unwrap_or(&64);
        self.phase = Phase {
            reads: rate(rng),
            writes: rate(rng),
            places: std::array::from_fn(|_| rng.below(NUM_ROWS) as u8),
            used: *rng.pick(&[0, 1, 2, 4]).unwrap_or(&0),
            full: *rng.pick(&[0, 128, 255, 255]).unwrap_or(&255),
            left: 20 + rng.below(200),
        };
    }

    fn place(&mut self) -> u8 {
        match self.phase.used {
            0 => self.rng.below(NUM_ROWS) as u8,
            used => self.phase.places[self.rng.below(used)],
        }
    }

    /// The inputs of the next cycle.
    pub fn draw(&mut self, inputs: &mut Inputs) {
        if self.phase.left == 0 {
            self.next_phase();
        }
        self.phase.left -= 1;
        inputs.staged = 0;
        for b in 0..NUM_BANKS {
            let reads = self.rng.chance(self.phase.reads);
            let (read_place, write_place) = (self.place(), self.place());
            let bank = &mut inputs.banks[b];
            bank.requests = if reads { self.rng.word() & 0xffff } else { 0 };
            bank.source = self.rng.below(6) as u8;
            bank.read_place = read_place;
            bank.write_place = write_place;
            if self.rng.chance(self.phase.writes) {
                inputs.staged |= 1 << b;
                bank.mask = if self.rng.chance(self.phase.full) { u32::MAX } else { self.rng.word() };
                bank.data = std::array::from_fn(|_| self.rng.word());
            }
        }
    }
}
