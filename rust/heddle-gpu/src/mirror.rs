//! The buffers of a run, on this side and on the GPU, where they have other addresses.

use std::collections::BTreeMap;

use heddle_isa::memory::CONSTANT_WINDOW;
use heddle_isa::{DeviceMemory, GlobalVariable, KernelLaunch, Program};

use crate::driver::{Driver, DriverError, Module};
use crate::error::GpuError;

/// Where a buffer lies on the GPU.
#[derive(Debug, Clone, Copy)]
struct Place {
    address: u64,
    /// Allocated here, not a variable of the module.
    owned: bool,
}

/// The buffers of one run.
pub(crate) struct Mirror<'a> {
    driver: &'a mut dyn Driver,
    module: Module,
    globals: &'a [GlobalVariable],
    /// By the address on this side.
    places: BTreeMap<u32, Place>,
}

impl<'a> Mirror<'a> {
    pub fn new(driver: &'a mut dyn Driver, module: Module, globals: &'a [GlobalVariable]) -> Self {
        Self { driver, module, globals, places: BTreeMap::new() }
    }

    /// Puts all buffers onto the GPU. What was never written goes as zeros.
    pub fn upload(&mut self, memory: &DeviceMemory) -> Result<(), GpuError> {
        for region in memory.regions().iter().filter(|r| r.start != CONSTANT_WINDOW) {
            let place = match self.places.get(&region.start) {
                Some(place) => *place,
                None => {
                    let place = self.place(region.start, region.data.len())?;
                    self.places.insert(region.start, place);
                    place
                }
            };
            if !region.data.is_empty() {
                self.driver.upload(place.address, &region.data)?;
            }
        }
        Ok(())
    }

    fn place(&mut self, start: u32, bytes: usize) -> Result<Place, DriverError> {
        match self.globals.iter().find(|g| g.address == start) {
            None => Ok(Place { address: self.driver.allocate(bytes.max(1))?, owned: true }),
            Some(variable) => Ok(Place { address: self.variable(&variable.name, bytes)?, owned: false }),
        }
    }

    /// The address of a variable that has `bytes` bytes at least.
    fn variable(&mut self, name: &str, bytes: usize) -> Result<u64, DriverError> {
        let (address, there) = self.driver.variable(self.module, name)?;
        if there < bytes {
            let reason = format!("has {there} bytes on the GPU, {bytes} here");
            return Err(DriverError::new(format!("variable '{name}'"), reason));
        }
        Ok(address)
    }

    /// Fetches all buffers from the GPU.
    pub fn download(&mut self, memory: &mut DeviceMemory) -> Result<(), GpuError> {
        let regions: Vec<(u32, usize)> = memory.regions().iter().map(|r| (r.start, r.data.len())).collect();
        for (start, bytes) in regions {
            if let Some(place) = self.places.get(&start).filter(|_| bytes > 0) {
                let mut data = vec![0; bytes];
                self.driver.download(place.address, &mut data)?;
                memory.write_bytes(start, &data)?;
            }
        }
        Ok(())
    }

    /// Does what the host writes to `.const` variables before a launch.
    pub fn write_constants(&mut self, launch: &KernelLaunch) -> Result<(), GpuError> {
        for write in &launch.constants {
            let end = write.offset as usize + write.bytes.len();
            let address = self.variable(&write.name, end)?;
            self.driver.upload(address + u64::from(write.offset), &write.bytes)?;
        }
        Ok(())
    }

    /// The parameter block with the GPU's addresses: an argument of 64 bits that is an address in a buffer
    /// is a pointer. Integers of the workloads are far below the first buffer; one that were taken for a
    /// pointer could not pass unseen, for the kernel would compute with another number.
    pub fn translate(&self, program: &Program, memory: &DeviceMemory, params: &[u8]) -> Vec<u8> {
        let mut params = params.to_vec();
        for param in program.params.iter().filter(|p| p.bytes == 8) {
            let at = param.offset as usize;
            let Some(slot) = params.get_mut(at..at + 8).and_then(|s| <&mut [u8; 8]>::try_from(s).ok()) else {
                continue;
            };
            let value = u64::from_le_bytes(*slot);
            let region = memory.region_at(value).and_then(|index| memory.regions().get(index));
            if let Some(region) = region
                && let Some(place) = self.places.get(&region.start)
            {
                *slot = (place.address + (value - u64::from(region.start))).to_le_bytes();
            }
        }
        params
    }

    pub fn driver(&mut self) -> &mut dyn Driver {
        self.driver
    }

    /// Gives the buffers back.
    pub fn free(self) -> Result<(), GpuError> {
        for place in self.places.values().filter(|p| p.owned) {
            self.driver.free(place.address)?;
        }
        Ok(())
    }
}
