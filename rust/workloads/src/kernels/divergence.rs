//! Integer mixing with loops, branches and exits that depend on the lane.
//!
//! The reference is exact: all arithmetic is modulo 2^32.

use heddle_isa::{DeviceMemory, KernelLaunch};

use super::{arg, ptx};
use crate::buffers::{Buffer, Host};
use crate::params::ParamBlock;
use crate::published::Published;
use crate::random::SplitMix64;
use crate::{CheckFailure, Checked, Entry, Instance, Launch, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "divergence" };
const BLOCK: usize = 128;
/// Values that a thread keeps across its loops.
const WORDS: usize = 20;

/// The workload.
struct Divergence;

inventory::submit! { Entry(&Divergence) }

/// Threads with work, and rounds of each.
fn extent(size: Size) -> (usize, u32) {
    match size {
        Size::Smoke => (501, 3),
        Size::Small => (5_003, 5),
        Size::Paper => (100_003, 8),
    }
}

impl Workload for Divergence {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "integer mixing: nested divergent loops, early exits, many live registers"
    }

    fn suite(&self) -> &'static str {
        "heddle"
    }

    fn published(&self) -> &'static [Published] {
        &[]
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("divergence")
    }

    fn size_text(&self, size: Size) -> String {
        let (threads, rounds) = extent(size);
        format!("{threads} threads, {rounds} to {} rounds", rounds + 3)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (threads, rounds) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        Ok(Box::new(Run {
            input: (0..threads).map(|_| random.next_u32()).collect(),
            rounds,
            buffers: None,
            launched: false,
        }))
    }
}

struct Run {
    input: Vec<u32>,
    rounds: u32,
    buffers: Option<[Buffer; 2]>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.buffers = Some([
            HOST.upload(memory, "input", &self.input)?,
            HOST.allocate::<u32>(memory, "output", self.input.len())?,
        ]);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let [input, output] = self.buffers.ok_or_else(|| HOST.not_set_up())?;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        Ok(Some(Launch {
            entry: "divergence".into(),
            launch: KernelLaunch {
                grid: [arg(self.input.len().div_ceil(BLOCK)), 1, 1],
                block: [arg(BLOCK), 1, 1],
                params: ParamBlock::new()
                    .pointer(input.address)
                    .pointer(output.address)
                    .u32(arg(self.input.len()))
                    .u32(self.rounds)
                    .finish(),
                ..KernelLaunch::default()
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let [_, output] = self.buffers.ok_or_else(|| HOST.unchecked())?;
        let expected: Vec<_> = self.input.iter().map(|&x| mix(x, self.rounds)).collect();
        HOST.expect(memory, output, &expected).map(Checked::exact)
    }
}

/// What a thread whose input is `x` stores.
fn mix(mut x: u32, rounds: u32) -> u32 {
    if x % 32 == 7 {
        return !x;
    }
    let mut w: [u32; WORDS] = std::array::from_fn(|k| x.wrapping_mul(2 * arg(k) + 1).wrapping_add(arg(k)));
    for _ in 0..rounds + (x >> 30) {
        lower(&mut x, &mut w);
        if x & 0x100 != 0 {
            upper(&mut x, &mut w);
        } else if x & 0x200 != 0 {
            x = x.wrapping_mul(0x9e37_79b1).wrapping_add(w[0]);
            w[19] ^= x;
        } else if x & 0x3c00 == 0 {
            w[0] = w[0].wrapping_add(x);
        } else {
            x = x.rotate_left(13).wrapping_sub(w[10]);
        }
    }
    if x.is_multiple_of(13) {
        return w[0].wrapping_sub(w[10]);
    }
    w.iter().fold(x, |x, w| x.rotate_left(5) ^ w)
}

/// The first loop: zero to seven trips over the lower half of the values, which may end early.
fn lower(x: &mut u32, w: &mut [u32; WORDS]) {
    for j in 0..*x % 8 {
        *x ^= w[0].wrapping_add(w[1].rotate_left(j));
        w[0] = w[0].wrapping_add(w[2] ^ *x);
        w[1] ^= w[3].wrapping_mul(5).wrapping_add(j);
        w[2] = w[2].wrapping_add(w[4]).rotate_left(7);
        w[3] = w[3].wrapping_add(w[5] & *x);
        w[4] ^= w[6] | j;
        w[5] = w[5].wrapping_add(w[7]);
        w[6] = w[6].rotate_left(*x % 32);
        w[7] ^= w[8].wrapping_add(w[9]);
        if *x % 256 < 20 {
            return;
        }
        w[8] = w[8].wrapping_add(*x >> 3);
        w[9] ^= *x << 5;
    }
}

/// The second loop: one to four trips over the upper half of the values.
fn upper(x: &mut u32, w: &mut [u32; WORDS]) {
    for left in (0..=*x >> 9 & 3).rev() {
        w[10] = w[10].wrapping_add(w[11] ^ *x);
        w[11] = w[11].rotate_left(w[10] % 32);
        w[12] ^= w[13].wrapping_add(left);
        w[13] = w[13].wrapping_add(w[14].wrapping_mul(3));
        w[14] ^= w[15] & w[10];
        if w[14] & 0x10 != 0 {
            w[15] = w[15].wrapping_add(w[16] ^ *x);
            w[16] = w[16].wrapping_sub(w[17]);
            *x = x.wrapping_add(w[15]);
        } else {
            w[17] ^= w[18] >> 2;
            w[18] = w[18].wrapping_add(w[19] | 1);
            w[19] = w[19].rotate_left(11) ^ *x;
            *x ^= w[18];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_input_in_32_leaves_at_once() {
        assert_eq!(mix(7, 9), !7);
        assert_eq!(mix(0xffff_ffe7, 9), 0x18);
        assert_ne!(mix(8, 9), !8);
    }

    /// The values of a thread before its first round, folded into `x`.
    fn folded(input: u32, x: u32) -> u32 {
        (0..20_u32).fold(x, |x, k| x.rotate_left(5) ^ input.wrapping_mul(2 * k + 1).wrapping_add(k))
    }

    #[test]
    fn without_rounds_the_values_are_folded() {
        assert_eq!(mix(1, 0), folded(1, 1));
        // A multiple of 13 leaves early with w[0] - w[10] = -20 x - 10.
        assert_eq!(mix(26, 0), 0_u32.wrapping_sub(530));
    }

    #[test]
    fn one_round_by_hand() {
        // Input 0x400: no trips, no flags, then x = rotate(0x400, 13) - w[10].
        let w10 = 0x400_u32.wrapping_mul(21).wrapping_add(10);
        let x = 0x80_0000_u32.wrapping_sub(w10);
        assert_ne!(x % 13, 0);
        assert_eq!(mix(0x400, 1), folded(0x400, x));
        // Input 0x200: no trips, x = x * 0x9e3779b1 + w[0], and w[19] is mixed with it.
        let x = 0x200_u32.wrapping_mul(0x9e37_79b1).wrapping_add(0x200);
        assert_ne!(x % 13, 0);
        assert_eq!(mix(0x200, 1), folded(0x200, x) ^ x);
        // The highest bits of the input add rounds.
        assert_ne!(mix(0xc000_0008, 0), folded(0xc000_0008, 0xc000_0008));
    }

    #[test]
    fn inputs_take_every_path() {
        let mut random = SplitMix64::new(1, 0);
        let (mut exits, mut long, mut flags) = (0, 0, [0; 2]);
        for _ in 0..extent(Size::Smoke).0 {
            let x = random.next_u32();
            exits += u32::from(x % 32 == 7);
            long += u32::from(x % 8 == 7);
            flags[(x >> 8 & 1) as usize] += 1;
        }
        assert!(exits > 3 && long > 30 && flags.iter().all(|&n| n > 100));
    }
}
