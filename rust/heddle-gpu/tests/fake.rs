//! The check against a GPU that is none: a golden machine with other addresses, which can be made faulty.
//! Textures apart, it does what the driver's reference says; no test here has seen a real GPU.

use std::sync::Arc;

use heddle_functional::Golden;
use heddle_gpu::{Driver, DriverError, Extent, GpuError, Module, check};
use heddle_isa::{DeviceMemory, GlobalVariable, KernelLaunch, SymbolWrite};
use heddle_kernel::{AllocOptions, compile, module_globals, parse};
use heddle_workloads::{Size, all, find};

/// First address of the fake's buffers, far from those of the machines here.
const FIRST: u32 = 0x6000_0000;
/// Distance of two buffers.
const STEP: u32 = 1 << 24;
/// Where the fake's `.const` variables are.
const CONSTANTS: u64 = 0x7_0000_0000;
/// Bytes between two of them.
const CONSTANT_STEP: u64 = 1 << 16;

/// What the fake does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A bit of a buffer is wrong when it is fetched.
    Bit {
        buffer: usize,
        byte: usize,
    },
    /// Launches do nothing.
    Idle,
    /// Writes to `.const` variables are lost.
    Constants,
    /// The module does not load.
    Load,
}

struct Fake {
    fault: Fault,
    ptx: String,
    globals: Vec<GlobalVariable>,
    memory: DeviceMemory,
    buffers: Vec<u32>,
    constants: Vec<(String, SymbolWrite)>,
}

fn error(call: &str, reason: impl std::fmt::Display) -> DriverError {
    DriverError::new(call, reason)
}

impl Fake {
    fn new(fault: Fault) -> Self {
        Self {
            fault,
            ptx: String::new(),
            globals: Vec::new(),
            memory: DeviceMemory::new(),
            buffers: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// Which buffer begins at an address.
    fn buffer(&self, address: u64) -> Option<usize> {
        self.buffers.iter().position(|&b| u64::from(b) == address)
    }
}

impl Driver for Fake {
    fn load(&mut self, ptx: &str) -> Result<Module, DriverError> {
        if self.fault == Fault::Load {
            return Err(error("load", "ptxas says no"));
        }
        self.ptx = ptx.to_owned();
        let module = parse("fake.ptx", ptx).map_err(|e| error("load", e))?;
        self.globals = module_globals(&module).map_err(|e| error("load", e))?;
        heddle_isa::load_globals(&self.globals, &mut self.memory).map_err(|e| error("load", e))?;
        Ok(Module(0))
    }

    fn variable(&mut self, _module: Module, name: &str) -> Result<(u64, usize), DriverError> {
        if let Some(global) = self.globals.iter().find(|g| g.name == name) {
            return Ok((u64::from(global.address), global.bytes.len()));
        }
        if !self.ptx.lines().any(|l| l.contains(".const") && l.contains(&format!(" {name}"))) {
            return Err(error("variable", format!("no '{name}'")));
        }
        let index = match self.constants.iter().position(|(n, _)| n == name) {
            Some(index) => index,
            None => {
                let write = SymbolWrite { name: name.to_owned(), offset: 0, bytes: Vec::new() };
                self.constants.push((name.to_owned(), write));
                self.constants.len() - 1
            }
        };
        Ok((CONSTANTS + index as u64 * CONSTANT_STEP, CONSTANT_STEP as usize))
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, DriverError> {
        let address = FIRST + STEP * self.buffers.len() as u32;
        let bytes = u32::try_from(bytes).map_err(|e| error("allocate", e))?;
        self.memory.allocate_at("buffer", address, bytes).map_err(|e| error("allocate", e))?;
        self.buffers.push(address);
        Ok(u64::from(address))
    }

    fn free(&mut self, address: u64) -> Result<(), DriverError> {
        self.buffer(address).map(|_| ()).ok_or_else(|| error("free", format!("no buffer at {address:#x}")))
    }

    fn upload(&mut self, address: u64, bytes: &[u8]) -> Result<(), DriverError> {
        if let Some(offset) = address.checked_sub(CONSTANTS) {
            let (_, write) = &mut self.constants[(offset / CONSTANT_STEP) as usize];
            if self.fault != Fault::Constants {
                write.offset = (offset % CONSTANT_STEP) as u32;
                write.bytes = bytes.to_vec();
            }
            return Ok(());
        }
        self.memory.write_bytes(address as u32, bytes).map_err(|e| error("upload", e))
    }

    fn download(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), DriverError> {
        let there = self.memory.read_bytes(address as u32, bytes.len() as u32);
        bytes.copy_from_slice(there.map_err(|e| error("download", e))?);
        if let Fault::Bit { buffer, byte } = self.fault
            && self.buffer(address) == Some(buffer)
        {
            bytes[byte] ^= 0x10;
        }
        Ok(())
    }

    fn launch(
        &mut self,
        _module: Module,
        entry: &str,
        extent: Extent,
        params: &[u8],
    ) -> Result<(), DriverError> {
        if self.fault == Fault::Idle {
            return Ok(());
        }
        let compiled = compile("fake.ptx", &self.ptx, Some(entry), AllocOptions::default());
        let program = Arc::new(compiled.map_err(|e| error("launch", e))?.allocated);
        let launch = KernelLaunch {
            grid: extent.grid,
            block: extent.block,
            dynamic_shared_bytes: extent.shared_bytes,
            params: params.to_vec(),
            constants: self.constants.iter().map(|(_, write)| write.clone()).collect(),
            ..KernelLaunch::default()
        };
        let memory = std::mem::take(&mut self.memory);
        let mut golden = Golden::new(program, &launch, memory).map_err(|e| error("launch", e))?;
        golden.run_all(0..launch.num_ctas(), None).map_err(|e| error("launch", e))?;
        self.memory = golden.into_memory();
        Ok(())
    }
}

fn checked(kernel: &str, fault: Fault) -> Result<heddle_gpu::Agreement, GpuError> {
    check(&mut Fake::new(fault), find(kernel).expect("a kernel"), Size::Smoke, 1)
}

#[test]
fn every_kernel_agrees_with_itself_at_other_addresses() {
    for workload in all() {
        let agreement = check(&mut Fake::new(Fault::None), *workload, Size::Smoke, 1)
            .unwrap_or_else(|e| panic!("{}: {e}", workload.name()));
        assert!(agreement.launches > 0 && agreement.words > 0, "{}", workload.name());
        assert_eq!(agreement.bytes == 0, agreement.bound.is_some(), "{}", workload.name());
    }
}

#[test]
fn host_code_that_looks_at_results_and_constants_take_part() {
    let bfs = checked("bfs", Fault::None).expect("agrees");
    assert!(bfs.launches > 4, "{bfs:?}");
    assert!(checked("kmeans", Fault::None).is_ok());
    assert!(matches!(checked("kmeans", Fault::Constants), Err(GpuError::Reference { machine: "GPU", .. })));
}

#[test]
fn a_wrong_bit_of_a_result_is_seen() {
    let error = checked("vectoradd", Fault::Bit { buffer: 2, byte: 5 }).expect_err("a wrong bit");
    assert!(matches!(error, GpuError::Reference { machine: "GPU", .. }), "{error}");
}

#[test]
fn a_wrong_bit_that_the_reference_does_not_look_at_is_seen() {
    let error = checked("vectoradd", Fault::Bit { buffer: 0, byte: 9 }).expect_err("a wrong bit");
    assert!(matches!(error, GpuError::Differs { offset: 9, wrong: 1, .. }), "{error}");
}

#[test]
fn a_gpu_that_does_nothing_does_not_pass() {
    for kernel in ["vectoradd", "hotspot", "reduction"] {
        assert!(matches!(checked(kernel, Fault::Idle), Err(GpuError::Reference { machine: "GPU", .. })));
    }
}

#[test]
fn what_the_driver_says_is_passed_on() {
    let error = checked("bfs", Fault::Load).expect_err("no module").to_string();
    assert_eq!(error, "GPU: load: ptxas says no");
}
