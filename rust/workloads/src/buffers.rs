//! Buffers of the host code: typed arrays in a device memory, and their comparison.

use heddle_isa::{AccessError, DeviceMemory};

use crate::error::{CheckFailure, WorkloadError};
use crate::tolerance::{Float, Tolerance};

/// An element of a buffer: a fixed number of little-endian bytes.
pub trait Element: Copy {
    /// Bytes of an element.
    const BYTES: usize;

    /// Appends the bytes.
    fn put(self, bytes: &mut Vec<u8>);

    /// Reads the first element of `bytes`.
    fn get(bytes: &[u8]) -> Self;

    /// The value for a message; floats with their bits.
    fn text(self) -> String;

    /// Whether the bits are equal.
    fn same_bits(self, other: Self) -> bool;
}

macro_rules! element {
    ($type:ty, |$value:ident| $text:expr, |$bits:ident| $as_bits:expr) => {
        impl Element for $type {
            const BYTES: usize = size_of::<$type>();

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                let mut raw = [0; size_of::<$type>()];
                raw.copy_from_slice(&bytes[..size_of::<$type>()]);
                Self::from_le_bytes(raw)
            }

            fn text(self) -> String {
                let $value = self;
                $text
            }

            fn same_bits(self, other: Self) -> bool {
                let key = |$bits: Self| $as_bits;
                key(self) == key(other)
            }
        }
    };
}

element!(u8, |v| v.to_string(), |v| v);
element!(i8, |v| v.to_string(), |v| v);
element!(u16, |v| format!("{v} ({v:#06x})"), |v| v);
element!(i16, |v| format!("{v} ({v:#06x})"), |v| v);
element!(u32, |v| format!("{v} ({v:#010x})"), |v| v);
element!(i32, |v| format!("{v} ({v:#010x})"), |v| v);
element!(u64, |v| format!("{v} ({v:#018x})"), |v| v);
element!(f32, |v| format!("{v} ({:#010x})", v.to_bits()), |v| v.to_bits());
element!(f64, |v| format!("{v} ({:#018x})", v.to_bits()), |v| v.to_bits());

/// The bytes of `values`.
#[must_use]
pub fn to_bytes<T: Element>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() * T::BYTES);
    for &v in values {
        v.put(&mut bytes);
    }
    bytes
}

/// An array in device memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffer {
    name: &'static str,
    /// First address.
    pub address: u32,
    bytes: usize,
}

impl Buffer {
    /// Its name in messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// Allocates, fills and compares buffers, and puts the workload's name to errors.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// The workload.
    pub workload: &'static str,
}

impl Host {
    fn memory_error(self, source: AccessError) -> WorkloadError {
        WorkloadError::Memory { workload: self.workload.into(), source }
    }

    /// Allocates a buffer that holds nothing yet: a kernel that reads it before it wrote is in error.
    ///
    /// # Errors
    /// When memory is full.
    pub fn allocate<T: Element>(
        self,
        memory: &mut DeviceMemory,
        name: &'static str,
        elements: usize,
    ) -> Result<Buffer, WorkloadError> {
        let bytes = elements.saturating_mul(T::BYTES);
        let full = AccessError::Full { bytes: bytes as u64 };
        let address = u32::try_from(bytes)
            .map_err(|_| full)
            .and_then(|bytes| memory.allocate(name, bytes))
            .map_err(|e| self.memory_error(e))?;
        Ok(Buffer { name, address, bytes })
    }

    /// Allocates a buffer and fills it.
    ///
    /// # Errors
    /// When memory is full.
    pub fn upload<T: Element>(
        self,
        memory: &mut DeviceMemory,
        name: &'static str,
        values: &[T],
    ) -> Result<Buffer, WorkloadError> {
        let buffer = self.allocate::<T>(memory, name, values.len())?;
        self.write(memory, buffer, values)?;
        Ok(buffer)
    }

    /// The module's `.global` variable `name`, as `cudaGetSymbolAddress` gives it.
    /// For `.const` variables see [`heddle_isa::KernelLaunch::constants`].
    ///
    /// # Errors
    /// When the module has no such variable.
    pub fn symbol(self, memory: &DeviceMemory, name: &'static str) -> Result<Buffer, WorkloadError> {
        let region = memory
            .regions()
            .iter()
            .find(|r| r.name == name)
            .ok_or_else(|| WorkloadError::NoVariable { workload: self.workload.into(), name: name.into() })?;
        Ok(Buffer { name, address: region.start, bytes: region.data.len() })
    }

    /// Overwrites a buffer from its begin.
    ///
    /// # Errors
    /// When `values` do not fit.
    pub fn write<T: Element>(
        self,
        memory: &mut DeviceMemory,
        buffer: Buffer,
        values: &[T],
    ) -> Result<(), WorkloadError> {
        memory.write_bytes(buffer.address, &to_bytes(values)).map_err(|e| self.memory_error(e))
    }

    /// Reads a whole buffer.
    ///
    /// # Errors
    /// When the buffer is not in `memory`.
    pub fn read<T: Element>(self, memory: &DeviceMemory, buffer: Buffer) -> Result<Vec<T>, WorkloadError> {
        read_elements(memory, buffer).map_err(|e| self.memory_error(e))
    }

    /// The error of an instance that was not set up.
    #[must_use]
    pub fn not_set_up(self) -> WorkloadError {
        WorkloadError::NotSetUp { workload: self.workload.into() }
    }

    /// The failure of a check on an instance that was not set up.
    #[must_use]
    pub fn unchecked(self) -> CheckFailure {
        CheckFailure::NotSetUp { workload: self.workload.into() }
    }

    /// Compares a buffer bit for bit with `expected`; returns the number of elements compared.
    ///
    /// # Errors
    /// The first difference, with the number of differences.
    pub fn expect<T: Element>(
        self,
        memory: &DeviceMemory,
        buffer: Buffer,
        expected: &[T],
    ) -> Result<u64, CheckFailure> {
        self.compare(memory, buffer, expected, |a, e| a.same_bits(e), "the CPU reference".into())
    }

    /// Compares a buffer with `expected` under a tolerance; returns the number of elements compared.
    ///
    /// # Errors
    /// The first element that is too far off, with the number of those that are.
    pub fn expect_within<T: Float>(
        self,
        memory: &DeviceMemory,
        buffer: Buffer,
        expected: &[T],
        tolerance: &Tolerance,
    ) -> Result<u64, CheckFailure> {
        let near = |a: T, e: T| tolerance.admits(a.value(), e.value());
        self.compare(memory, buffer, expected, near, format!("the CPU reference ({tolerance})"))
    }

    /// Compares element by element.
    fn compare<T: Element>(
        self,
        memory: &DeviceMemory,
        buffer: Buffer,
        expected: &[T],
        same: impl Fn(T, T) -> bool,
        with: String,
    ) -> Result<u64, CheckFailure> {
        let actual: Vec<T> = read_elements(memory, buffer)
            .map_err(|source| CheckFailure::Memory { workload: self.workload.into(), source })?;
        let total = expected.len().max(actual.len());
        let mut differing = (0..total)
            .filter(|&i| !matches!((actual.get(i), expected.get(i)), (Some(&a), Some(&e)) if same(a, e)));
        let Some(index) = differing.next() else {
            return Ok(total as u64);
        };
        let text = |values: &[T]| values.get(index).map_or("absent".into(), |v| v.text());
        Err(CheckFailure::Differs {
            workload: self.workload.into(),
            buffer: buffer.name.into(),
            address: buffer.address.saturating_add((index * T::BYTES) as u32),
            with: with.into(),
            index,
            actual: text(&actual).into(),
            expected: text(expected).into(),
            wrong: 1 + differing.count() as u64,
            total: total as u64,
        })
    }

    /// The failure of a check that cannot read what it compares.
    pub(crate) fn failure(self, error: WorkloadError) -> CheckFailure {
        match error {
            WorkloadError::Memory { source, .. } => {
                CheckFailure::Memory { workload: self.workload.into(), source }
            }
            _ => self.unchecked(),
        }
    }
}

fn read_elements<T: Element>(memory: &DeviceMemory, buffer: Buffer) -> Result<Vec<T>, AccessError> {
    let len = u32::try_from(buffer.bytes).map_err(|_| AccessError::Full { bytes: buffer.bytes as u64 })?;
    let bytes = memory.read_bytes(buffer.address, len)?;
    Ok(bytes.chunks_exact(T::BYTES).map(T::get).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: Host = Host { workload: "test" };

    #[test]
    fn what_was_uploaded_is_read_back() -> Result<(), WorkloadError> {
        let mut memory = DeviceMemory::new();
        let floats = HOST.upload(&mut memory, "floats", &[1.0_f32, -0.0, f32::NAN])?;
        let read: Vec<f32> = HOST.read(&memory, floats)?;
        assert_eq!(to_bytes(&read), to_bytes(&[1.0_f32, -0.0, f32::NAN]));
        Ok(())
    }

    #[test]
    fn comparison_is_on_bits_and_counts() -> Result<(), WorkloadError> {
        let mut memory = DeviceMemory::new();
        let b = HOST.upload(&mut memory, "b", &[0.0_f32, 2.0, f32::NAN, 4.0])?;
        assert_eq!(HOST.expect(&memory, b, &[0.0_f32, 2.0, f32::NAN, 4.0]), Ok(4));
        let failure = HOST.expect(&memory, b, &[-0.0_f32, 2.0, f32::NAN, 5.0]);
        assert!(matches!(failure, Err(CheckFailure::Differs { index: 0, wrong: 2, total: 4, .. })));
        assert!(HOST.expect(&memory, b, &[0.0_f32]).is_err());
        Ok(())
    }
}
