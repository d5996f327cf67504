//! The SIMT reconvergence stack.

use heddle_port::LaneMask;

use crate::operand::Pc;

/// Lanes that continue together at one place, until they reach another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    pc: Pc,
    /// Where the lanes join the entry below; `None` when they meet only at the exit.
    reconvergence: Option<Pc>,
    mask: LaneMask,
}

/// Reconvergence at immediate post-dominators: at a divergent branch the lanes of the taken path run
/// first, then those of the other, and both continue together at the branch's reconvergence point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimtStack {
    /// The last entry is the running one; no mask is empty.
    entries: Vec<Entry>,
}

impl SimtStack {
    /// A warp of `lanes` at the first instruction.
    #[must_use]
    pub fn new(lanes: LaneMask) -> Self {
        Self::at(Pc(0), lanes)
    }

    /// A warp of `lanes` that all stand at `pc`.
    #[must_use]
    pub fn at(pc: Pc, lanes: LaneMask) -> Self {
        let mut stack = Self { entries: vec![Entry { pc, reconvergence: None, mask: lanes }] };
        stack.settle();
        stack
    }

    /// The next instruction; 0 when the warp is done.
    #[inline]
    #[must_use]
    pub fn pc(&self) -> Pc {
        self.entries.last().map_or(Pc(0), |e| e.pc)
    }

    /// The lanes that execute the next instruction; none when the warp is done.
    #[inline]
    #[must_use]
    pub fn mask(&self) -> LaneMask {
        self.entries.last().map_or(LaneMask::NONE, |e| e.mask)
    }

    /// Whether every lane has ended.
    #[inline]
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.entries.is_empty()
    }

    /// Lanes that have not ended.
    #[must_use]
    pub fn live(&self) -> LaneMask {
        LaneMask(self.entries.iter().fold(0, |all, e| all | e.mask.0))
    }

    /// Goes to the next instruction in program order.
    #[inline]
    pub fn advance(&mut self) {
        if let Some(top) = self.entries.last_mut() {
            top.pc = top.pc.next();
            if top.reconvergence == Some(top.pc) {
                self.settle();
            }
        }
    }

    /// Executes a branch: the active lanes of `taken` go to `target`, the others to the next
    /// instruction.
    pub fn branch(&mut self, taken: LaneMask, target: Pc, reconvergence: Option<Pc>) {
        let Some(top) = self.entries.last_mut() else {
            return;
        };
        let taken = taken & top.mask;
        let staying = top.mask & !taken;
        let next = top.pc.next();
        if staying.is_empty() {
            top.pc = target;
        } else if taken.is_empty() {
            top.pc = next;
        } else {
            let inner = if reconvergence.is_some() { reconvergence } else { top.reconvergence };
            // The entry stays as the place of reconvergence, unless its lanes join the one below
            // there anyway.
            match reconvergence {
                Some(pc) if top.reconvergence != reconvergence => top.pc = pc,
                _ => {
                    self.entries.pop();
                }
            }
            for (pc, mask) in [(next, staying), (target, taken)] {
                if Some(pc) != inner {
                    self.entries.push(Entry { pc, reconvergence: inner, mask });
                }
            }
        }
        self.settle();
    }

    /// Ends `lanes`. Active lanes that are left go on with the next instruction; where none is left,
    /// the warp goes on with the lanes that wait.
    pub fn exit(&mut self, lanes: LaneMask) {
        if let Some(top) = self.entries.last_mut()
            && !(top.mask & !lanes).is_empty()
        {
            top.pc = top.pc.next();
        }
        for entry in &mut self.entries {
            entry.mask = entry.mask & !lanes;
        }
        self.entries.retain(|e| !e.mask.is_empty());
        self.settle();
    }

    /// Entries, the running one included.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.entries.len()
    }

    /// Where lanes continue, the running place first. A lane that waits at a reconvergence point is
    /// listed there and also where it runs before.
    pub fn pending_pcs(&self) -> impl Iterator<Item = (Pc, LaneMask)> + '_ {
        self.entries.iter().rev().map(|e| (e.pc, e.mask))
    }

    /// Drops running entries that have reached their reconvergence point or have no lanes.
    fn settle(&mut self) {
        while self.entries.last().is_some_and(|e| e.mask.is_empty() || e.reconvergence == Some(e.pc)) {
            self.entries.pop();
        }
    }
}
