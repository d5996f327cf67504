//! Variants of a workload whose registers per thread are pinned to published values.

use crate::input::InputFile;
use crate::published::{Published, row};
use crate::{Instance, Size, Workload, WorkloadError};

/// A workload with the registers per thread of published rows; all else is the workload's.
///
/// An entry that needs more than the published number is allocated with that many and spills.
pub(crate) struct Pinned {
    /// The name that users type.
    pub name: &'static str,
    /// One line that says what is pinned, and to what.
    pub title: &'static str,
    /// The workload.
    pub base: &'static dyn Workload,
    /// The rows, each of an entry.
    pub rows: &'static [Published],
}

impl Workload for Pinned {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn suite(&self) -> &'static str {
        self.base.suite()
    }

    fn application(&self) -> &'static str {
        self.base.application()
    }

    fn published(&self) -> &'static [Published] {
        self.rows
    }

    fn pinned_registers(&self, entry: &str) -> Option<u32> {
        self.rows.iter().find(|p| p.entry == entry).and_then(|p| row(p.row)?.regs)
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        self.base.ptx()
    }

    fn sizes(&self) -> &'static [Size] {
        self.base.sizes()
    }

    fn size_text(&self, size: Size) -> String {
        self.base.size_text(size)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        self.base.instance(size, seed)
    }

    fn input_files(&self) -> &'static [&'static str] {
        self.base.input_files()
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        self.base.instance_of(files)
    }
}
