//! A tag for each version of a register, in place of its data: which result a lane of a copy is from.

use heddle_port::NUM_LANES;

/// A version for each lane. Each result has a number of its own; 0 is that of no result.
pub type Lanes = [u32; NUM_LANES];

/// A copy of a warp register, in a level before the main register file or on its way to the main register file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Value {
    /// Lanes that it has.
    pub lanes: u32,
    /// The version of each of these.
    pub versions: Lanes,
}

impl Value {
    /// Takes the lanes that `newer` has.
    pub fn update(&mut self, newer: &Self) {
        copy(&mut self.versions, newer);
        self.lanes |= newer.lanes;
    }
}

fn copy(to: &mut Lanes, value: &Value) {
    for (lane, version) in to.iter_mut().enumerate() {
        if value.lanes >> lane & 1 != 0 {
            *version = value.versions[lane];
        }
    }
}

/// The newest version of every warp register, and the one that the main register file has.
#[derive(Debug, Clone, Default)]
pub struct Versions {
    newest: Vec<Lanes>,
    main: Vec<Lanes>,
    last: u32,
}

impl Versions {
    /// No result yet, in a main register file of `registers` warp registers.
    #[must_use]
    pub fn new(registers: usize) -> Self {
        let none = vec![Lanes::default(); registers];
        Self { newest: none.clone(), main: none, last: 0 }
    }

    /// A result in `lanes` of warp register `index`, which is the newest version there from now on.
    pub fn result(&mut self, index: u16, lanes: u32) -> Value {
        self.last = self.last.wrapping_add(1).max(1);
        let value = Value { lanes, versions: [self.last; NUM_LANES] };
        copy(&mut self.newest[usize::from(index)], &value);
        value
    }

    /// The main register file has taken a value.
    pub fn write_main(&mut self, index: u16, value: &Value) {
        copy(&mut self.main[usize::from(index)], value);
    }

    /// What is wrong with a read of the main register file in `lanes`.
    #[must_use]
    pub fn stale_in_main(&self, index: u16, lanes: u32) -> Option<String> {
        self.stale(index, lanes, &self.main[usize::from(index)], "the main register file")
    }

    /// What is wrong with a read of a copy in `lanes`, which it has; it lies in `place`.
    #[must_use]
    pub fn stale_copy(&self, index: u16, lanes: u32, held: &Value, place: &str) -> Option<String> {
        self.stale(index, lanes, &held.versions, place)
    }

    /// What the main register file has in `lanes`.
    #[must_use]
    pub fn in_main(&self, index: u16, lanes: u32) -> Value {
        Value { lanes, versions: self.main[usize::from(index)] }
    }

    /// A lane that holds no result has no version to compare with.
    fn stale(&self, index: u16, lanes: u32, held: &Lanes, place: &str) -> Option<String> {
        let newest = &self.newest[usize::from(index)];
        let wrong = |&lane: &usize| lanes >> lane & 1 != 0 && newest[lane] != 0 && newest[lane] != held[lane];
        let lane = (0..NUM_LANES).find(wrong)?;
        Some(format!(
            "lane {lane} of warp register {index} was read in {place} with the value of result {}; that of result {} \
             is expected",
            held[lane], newest[lane]
        ))
    }

    /// The warp that had these registers has ended: they hold no result.
    pub fn forget(&mut self, first: u16, registers: u8) {
        let first = usize::from(first).min(self.newest.len());
        let end = (first + usize::from(registers)).min(self.newest.len());
        self.newest[first..end].fill(Lanes::default());
    }
}
