//! What a run must have compared to count as passed.

use super::Totals;
use crate::check::Compared;
use crate::check::controls::ControlCheck;
use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};

/// What there is to compare in a run beside what every run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToCompare {
    /// Values: a trace has none, and so no final memory.
    pub values: bool,
    /// Outputs of a memory port.
    pub memory_port: bool,
}

impl Totals {
    /// What the checker of a launch compared.
    pub fn compared(&mut self, compared: Compared) {
        self.compared += compared;
    }

    /// What it compared on SM `sm`, which was named to be RTL.
    pub fn compared_on(&mut self, sm: usize, compared: Compared) {
        *self.of_rtl.entry(sm).or_default() += compared.operands;
    }

    /// What was compared of the outputs of an SM that is RTL, in all launches.
    pub fn outputs_compared(&mut self, controls: &ControlCheck<'_>) {
        self.controls += controls.compared;
        self.memory_outputs += controls.memory_compared;
        self.spills_offered += controls.spills_offered;
    }

    /// The result was compared with a reference, in `words` elements. One that is `needed` is not empty.
    ///
    /// # Errors
    /// Nothing was compared.
    pub fn referenced(&mut self, words: u64, needed: bool) -> Result<(), RunError> {
        self.reference_words = words;
        if words > 0 || !needed {
            return Ok(());
        }
        Err(self.incomplete("nothing was compared with the CPU reference"))
    }

    /// Elements that were compared with a reference.
    pub fn reference_words(&self) -> u64 {
        self.reference_words
    }

    fn incomplete(&self, what: impl Into<String>) -> RunError {
        let place = Place { cycle: self.cycles, ..Place::default() };
        Mismatch::new(Check::Completeness, place, what).into()
    }

    /// A run that compared nothing has proved nothing.
    ///
    /// # Errors
    /// A mismatch where a comparison that every kernel gives rise to never took place, [`RunError::Uncompared`]
    /// where the kernel gives nothing of a kind to compare, or nothing to an SM that was named to be RTL.
    pub fn complete(&self, there: ToCompare) -> Result<(), RunError> {
        let always = [("control flow", self.compared.flow), ("control outputs", self.controls)];
        let memory = there.memory_port.then_some(("outputs of the memory port", self.memory_outputs));
        let loaded = (self.compared.loads > 0).then_some(("loaded values", self.compared.loaded));
        let mut all = always.iter().chain(&memory).chain(&loaded);
        if let Some((what, _)) = all.find(|(_, n)| *n == 0) {
            return Err(self.incomplete(format!("no {what} were compared")));
        }
        // That no instruction was left out is checked launch by launch: these are 0 only where the kernel has none.
        let mut of_kernel: Vec<(String, u64)> = [
            ("operands", self.compared.operands),
            ("results", self.compared.results),
            ("memory accesses", self.compared.memory),
        ]
        .map(|(what, n)| (what.to_owned(), n))
        .into();
        if there.values {
            of_kernel.push(("words of final memory".to_owned(), self.memory_words));
        }
        if self.compared.fetches > 0 {
            of_kernel.push(("texels of its texture fetches".to_owned(), self.compared.fetches_judged));
        }
        if self.spills_offered > 0 {
            of_kernel
                .push(("values of the registers that are spilled".to_owned(), self.compared.spills_judged));
        }
        let on = |(sm, n): (&usize, &u64)| (format!("operands on SM {sm}, which is RTL,"), *n);
        of_kernel.extend(self.of_rtl.iter().map(on));
        let missing: Vec<&str> = of_kernel.iter().filter(|(_, n)| *n == 0).map(|(what, _)| &**what).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing = missing.join(", no ");
        let always = always.map(|(what, n)| (what.to_owned(), n));
        let there = of_kernel.iter().chain(&always).filter(|(_, n)| *n > 0);
        let there: Vec<String> =
            there.map(|(what, n)| format!("{n} {}", what.trim_end_matches(','))).collect();
        Err(RunError::Uncompared { missing, compared: there.join(", ") })
    }
}

#[cfg(test)]
mod tests;
