//! What the check of a script compares with.

use heddle_isa::DeviceMemory;

use super::Id;
use crate::CheckFailure;
use crate::buffers::{Buffer, Element, Host};
use crate::tolerance::{Float, Tolerance};

/// What the check of a script compares with.
pub struct Results<'a> {
    pub(super) host: Host,
    pub(super) memory: &'a DeviceMemory,
    pub(super) buffers: &'a [Buffer],
    pub(super) words: u64,
    pub(super) bounds: Vec<String>,
}

impl Results<'_> {
    fn buffer(&self, id: Id) -> Result<Buffer, CheckFailure> {
        self.buffers.get(id.0).copied().ok_or_else(|| self.host.unchecked())
    }

    /// The elements of a buffer.
    ///
    /// # Errors
    /// When memory refuses.
    pub fn read<T: Element>(&self, id: Id) -> Result<Vec<T>, CheckFailure> {
        self.host.read(self.memory, self.buffer(id)?).map_err(|e| self.host.failure(e))
    }

    /// Every element has the bits of `expected`.
    ///
    /// # Errors
    /// The first difference.
    pub fn exact<T: Element>(&mut self, id: Id, expected: &[T]) -> Result<(), CheckFailure> {
        self.words += self.host.expect(self.memory, self.buffer(id)?, expected)?;
        Ok(())
    }

    /// Every element is as near to `expected` as `tolerance` says.
    ///
    /// # Errors
    /// The first element that is not.
    pub fn within<T: Float>(
        &mut self,
        id: Id,
        expected: &[T],
        tolerance: &Tolerance,
    ) -> Result<(), CheckFailure> {
        let buffer = self.buffer(id)?;
        self.words += self.host.expect_within(self.memory, buffer, expected, tolerance)?;
        self.bounds.push(format!("{}: {tolerance}", buffer.name()));
        Ok(())
    }

    /// A property of the result that is not an equality with expected elements, such as that an array is
    /// sorted: `words` elements were looked at, `wrong` says what is not as it must be.
    ///
    /// # Errors
    /// [`CheckFailure::Property`] when `wrong` holds a text.
    pub fn property(&mut self, id: Id, words: u64, wrong: Option<String>) -> Result<(), CheckFailure> {
        let buffer = self.buffer(id)?.name().into();
        if let Some(what) = wrong {
            return Err(CheckFailure::Property { workload: self.host.workload.into(), buffer, what });
        }
        self.words += words;
        Ok(())
    }
}
