//! What is asked of a GPU.

use std::fmt;

/// A module that was loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Module(pub usize);

/// Threads of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
}

/// A call that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {reason}")]
pub struct DriverError {
    /// The call.
    pub call: String,
    /// What the driver says.
    pub reason: String,
}

impl DriverError {
    /// `call` failed for `reason`.
    #[must_use]
    pub fn new(call: impl Into<String>, reason: impl fmt::Display) -> Self {
        Self { call: call.into(), reason: reason.to_string() }
    }
}

/// A GPU: compiles PTX, holds memory, runs kernels. Calls return when their work is done.
pub trait Driver {
    /// Compiles a module.
    ///
    /// # Errors
    /// With the messages of the driver's compiler.
    fn load(&mut self, ptx: &str) -> Result<Module, DriverError>;

    /// Address and bytes of a `.global` or `.const` variable.
    ///
    /// # Errors
    /// When the module has none of that name.
    fn variable(&mut self, module: Module, name: &str) -> Result<(u64, usize), DriverError>;

    /// A buffer of `bytes` bytes, 1 at least.
    ///
    /// # Errors
    /// When memory is full.
    fn allocate(&mut self, bytes: usize) -> Result<u64, DriverError>;

    /// Gives a buffer back.
    ///
    /// # Errors
    /// When it is none.
    fn free(&mut self, address: u64) -> Result<(), DriverError>;

    /// Copies bytes to the GPU.
    ///
    /// # Errors
    /// When they do not lie in one buffer.
    fn upload(&mut self, address: u64, bytes: &[u8]) -> Result<(), DriverError>;

    /// Copies bytes from the GPU.
    ///
    /// # Errors
    /// When they do not lie in one buffer.
    fn download(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), DriverError>;

    /// Runs a kernel to its end. `params` is its parameter block, laid out as PTX does it.
    ///
    /// # Errors
    /// When it cannot be launched, or faults.
    fn launch(
        &mut self,
        module: Module,
        entry: &str,
        extent: Extent,
        params: &[u8],
    ) -> Result<(), DriverError>;
}
