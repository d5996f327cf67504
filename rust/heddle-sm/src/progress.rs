//! How fast resident CTAs go on, by their age: functional stretches let them go on in the same proportion, so that they stay as
//! far apart as the scheduler keeps them.

use crate::residency::Cta;

/// The share of the fastest is so much.
pub const FULL: u32 = 1024;
/// At least so much of it has every CTA, so that none waits for ever for another.
const LEAST: u32 = FULL / 64;

/// Instructions that CTAs issued in cycles, by age.
#[derive(Debug, Clone)]
pub struct Progress {
    /// By CTA slot: how many resident CTAs are older.
    age: Vec<u8>,
    /// By that number.
    issued: Vec<u64>,
}

impl Progress {
    /// Of as many CTA slots.
    pub fn new(slots: usize) -> Self {
        Self { age: vec![0; slots], issued: vec![0; slots] }
    }

    /// A CTA starts or ends. CTAs start in the order of their numbers.
    pub fn changed(&mut self, ctas: &[Cta]) {
        for (age, cta) in self.age.iter_mut().zip(ctas) {
            *age = ctas.iter().filter(|other| other.is_resident() && other.number() < cta.number()).count()
                as u8;
        }
    }

    /// A warp of the CTA in a slot issues.
    #[inline]
    pub fn issued(&mut self, slot: u8) {
        if let Some(&age) = self.age.get(usize::from(slot))
            && let Some(issued) = self.issued.get_mut(usize::from(age))
        {
            *issued += 1;
        }
    }

    /// What the CTA in a slot has by the fastest, of [`FULL`].
    pub fn share(&self, slot: usize) -> u32 {
        let most = self.issued.iter().max().copied().unwrap_or(0).max(1);
        let own = self.age.get(slot).and_then(|age| self.issued.get(usize::from(*age)));
        let share = own.copied().unwrap_or(0) * u64::from(FULL) / most;
        (share as u32).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::{FULL, LEAST, Progress};
    use crate::residency::Cta;

    #[test]
    fn shares_go_with_age_and_not_with_slots() {
        let mut ctas = [Cta::new(7, 1, 1), Cta::new(3, 1, 1), Cta::new(5, 1, 1)];
        let mut progress = Progress::new(3);
        progress.changed(&ctas);
        (0..100).for_each(|_| progress.issued(1));
        (0..50).for_each(|_| progress.issued(2));
        assert_eq!([0, 1, 2].map(|slot| progress.share(slot)), [LEAST, FULL, FULL / 2]);
        ctas[1] = Cta::new(8, 1, 1);
        progress.changed(&ctas);
        assert_eq!([0, 1, 2].map(|slot| progress.share(slot)), [FULL / 2, LEAST, FULL]);
    }
}
