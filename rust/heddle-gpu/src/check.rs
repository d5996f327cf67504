//! One workload on both machines.

use heddle_isa::texture::TextureTable;
use heddle_workloads::{Launch, Size, Workload};

use crate::compare::{Bytes, compare};
use crate::driver::{Driver, Extent};
use crate::error::GpuError;
use crate::golden::{Compiled, Order};
use crate::mirror::Mirror;

/// How far a workload agrees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    /// Launches on the GPU.
    pub launches: u32,
    /// Elements of the GPU's results that are as the workload's reference says.
    pub words: u64,
    /// The reference's error bound, where PTX does not fix the bits.
    pub bound: Option<String>,
    /// Bytes that the GPU and the golden machine left alike; none where there is a bound.
    pub bytes: u64,
    /// Bytes that were not compared because they depend on the order of the blocks.
    pub bytes_by_order: u64,
}

/// Runs `workload` on the golden machine and on the GPU and compares what they leave.
///
/// # Errors
/// The first difference, or why it cannot be run.
pub fn check(
    driver: &mut dyn Driver,
    workload: &dyn Workload,
    size: Size,
    seed: u64,
) -> Result<Agreement, GpuError> {
    let mut compiled = Compiled::new(workload)?;
    let reference = |machine| move |source| GpuError::Reference { machine, source: Box::new(source) };
    let (instance, golden) = compiled.run(workload, size, seed, Order::Ascending)?;
    instance.check(&golden).map_err(reference("golden machine"))?;
    let (_, other_order) = compiled.run(workload, size, seed, Order::Descending)?;

    let module = driver.load(compiled.text)?;
    let (mut instance, mut memory) = compiled.instance(workload, size, seed)?;
    let globals = compiled.globals.clone();
    let mut mirror = Mirror::new(driver, module, &globals);
    let mut launches = 0;
    while let Some(Launch { entry, launch }) = instance.next_launch(&mut memory)? {
        if *launch.textures != TextureTable::default() {
            return Err(GpuError::Textures { kernel: entry });
        }
        let program = compiled.program(&entry)?;
        mirror.upload(&memory)?;
        mirror.write_constants(&launch)?;
        let params = mirror.translate(&program, &memory, &launch.params);
        let extent =
            Extent { grid: launch.grid, block: launch.block, shared_bytes: launch.dynamic_shared_bytes };
        mirror.driver().launch(module, &entry, extent, &params)?;
        mirror.download(&mut memory)?;
        launches += 1;
    }
    mirror.free()?;

    let checked = instance.check(&memory).map_err(reference("GPU"))?;
    if checked.words == 0 {
        return Err(GpuError::Nothing);
    }
    let bytes = if checked.exact { compare(&golden, &other_order, &memory)? } else { Bytes::default() };
    Ok(Agreement {
        launches,
        words: checked.words,
        bound: checked.bound,
        bytes: bytes.compared,
        bytes_by_order: bytes.by_order,
    })
}
