//! Runs whose launches are known beforehand: buffers, launches and the check, written down once.
//!
//! Host code that looks at what the device computed before it launches again implements
//! [`Instance`] itself; all other host code is a [`Script`].

mod results;
#[cfg(test)]
mod tests;

pub use results::Results;

use std::sync::Arc;

use heddle_isa::texture::{Binding, TextureTable};
use heddle_isa::{DeviceMemory, KernelLaunch, SymbolWrite};

use crate::buffers::{Buffer, Element, Host, to_bytes};
use crate::params::{ParamBlock, arg};
use crate::{CheckFailure, Checked, Instance, Launch, WorkloadError};

/// A buffer of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Id(usize);

/// A texture or surface of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureId(usize);

/// An argument of a launch.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Arg {
    /// Address of a buffer plus bytes.
    Pointer(Id, u32),
    /// Handle of a texture or surface.
    Handle(TextureId),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

struct BufferPlan {
    name: &'static str,
    /// Whether it is a `.global` variable of the module, which is in memory already.
    symbol: bool,
    bytes: usize,
    /// Contents, or nothing when no byte holds a value at the start.
    contents: Option<Vec<u8>>,
}

/// A launch of a script; its arguments are added in the order of the kernel's parameters.
pub struct LaunchPlan {
    entry: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    args: Vec<Arg>,
    /// How many of the script's writes to constants come before it.
    constants: usize,
    /// How many of the script's writes to buffers come before it.
    rewrites: usize,
}

impl LaunchPlan {
    fn arg(&mut self, arg: Arg) -> &mut Self {
        self.args.push(arg);
        self
    }

    /// Dynamic shared memory in bytes; none unless set.
    pub fn shared(&mut self, bytes: u32) -> &mut Self {
        self.shared = bytes;
        self
    }

    /// The address of a buffer.
    pub fn pointer(&mut self, buffer: Id) -> &mut Self {
        self.arg(Arg::Pointer(buffer, 0))
    }

    /// The address of byte `offset` of a buffer.
    pub fn pointer_at(&mut self, buffer: Id, offset: u32) -> &mut Self {
        self.arg(Arg::Pointer(buffer, offset))
    }

    /// The handle of a texture or surface.
    pub fn handle(&mut self, texture: TextureId) -> &mut Self {
        self.arg(Arg::Handle(texture))
    }

    /// A 32-bit integer.
    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.arg(Arg::U32(value))
    }

    /// A 64-bit integer.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.arg(Arg::U64(value))
    }

    /// A float.
    pub fn f32(&mut self, value: f32) -> &mut Self {
        self.arg(Arg::F32(value))
    }

    /// A double.
    pub fn f64(&mut self, value: f64) -> &mut Self {
        self.arg(Arg::F64(value))
    }
}

type Check = Box<dyn Fn(&mut Results<'_>) -> Result<(), CheckFailure> + Send>;

/// A run in which nothing depends on the device but the results.
pub struct Script {
    host: Host,
    plans: Vec<BufferPlan>,
    launches: Vec<LaunchPlan>,
    constants: Vec<SymbolWrite>,
    /// New contents of buffers, each written once, before the launch that follows it.
    rewrites: Vec<(Id, Vec<u8>)>,
    rewritten: usize,
    /// Textures and surfaces with the buffers that hold their texels.
    bindings: Vec<(Id, Binding)>,
    /// Their handles, after set-up.
    handles: Vec<u64>,
    textures: Arc<TextureTable>,
    check: Option<Check>,
    buffers: Vec<Buffer>,
    next: usize,
}

impl Script {
    /// A run without buffers and launches.
    #[must_use]
    pub fn new(host: Host) -> Self {
        Self {
            host,
            plans: Vec::new(),
            launches: Vec::new(),
            constants: Vec::new(),
            rewrites: Vec::new(),
            rewritten: 0,
            bindings: Vec::new(),
            handles: Vec::new(),
            textures: Arc::default(),
            check: None,
            buffers: Vec::new(),
            next: 0,
        }
    }

    fn plan(&mut self, name: &'static str, bytes: usize, contents: Option<Vec<u8>>) -> Id {
        self.planned(BufferPlan { name, symbol: false, bytes, contents })
    }

    fn planned(&mut self, plan: BufferPlan) -> Id {
        self.plans.push(plan);
        Id(self.plans.len() - 1)
    }

    /// A `.global` variable of the module, with the value that the module gives it.
    pub fn symbol(&mut self, name: &'static str) -> Id {
        self.planned(BufferPlan { name, symbol: true, bytes: 0, contents: None })
    }

    /// A `.global` variable of the module that begins with `values`.
    pub fn symbol_with<T: Element>(&mut self, name: &'static str, values: &[T]) -> Id {
        self.planned(BufferPlan { name, symbol: true, bytes: 0, contents: Some(to_bytes(values)) })
    }

    /// Puts `values` into the module's `.const` variable `name`, for the launches that follow.
    pub fn constant<T: Element>(&mut self, name: &'static str, values: &[T]) -> &mut Self {
        self.constants.push(SymbolWrite { name: name.into(), offset: 0, bytes: to_bytes(values) });
        self
    }

    /// A buffer that begins with `values`.
    pub fn input<T: Element>(&mut self, name: &'static str, values: &[T]) -> Id {
        let contents = to_bytes(values);
        self.plan(name, contents.len(), Some(contents))
    }

    /// Overwrites a buffer from its begin, for the launches that follow.
    pub fn rewrite<T: Element>(&mut self, buffer: Id, values: &[T]) -> &mut Self {
        self.rewrites.push((buffer, to_bytes(values)));
        self
    }

    /// A buffer in which nothing holds a value until the device writes it.
    pub fn output<T: Element>(&mut self, name: &'static str, elements: usize) -> Id {
        self.plan(name, elements * T::BYTES, None)
    }

    /// A texture or surface on a buffer, in which the base of its image is an offset in bytes.
    pub fn texture(&mut self, buffer: Id, binding: Binding) -> TextureId {
        self.bindings.push((buffer, binding));
        TextureId(self.bindings.len() - 1)
    }

    /// The next launch: `grid` in CTAs, `block` in threads.
    pub fn launch(&mut self, entry: &'static str, grid: [usize; 3], block: [usize; 3]) -> &mut LaunchPlan {
        let plan = LaunchPlan {
            entry,
            grid: grid.map(arg),
            block: block.map(arg),
            shared: 0,
            args: Vec::new(),
            constants: self.constants.len(),
            rewrites: self.rewrites.len(),
        };
        let index = self.launches.len();
        self.launches.push(plan);
        &mut self.launches[index]
    }

    /// How the results are judged, against a reference that is computed when it is called.
    pub fn judge(
        &mut self,
        check: impl Fn(&mut Results<'_>) -> Result<(), CheckFailure> + Send + 'static,
    ) -> &mut Self {
        self.check = Some(Box::new(check));
        self
    }

    /// Gives the textures and surfaces their handles, now that the buffers have addresses.
    fn bind(&mut self) -> Result<(), WorkloadError> {
        let mut table = TextureTable::default();
        self.handles.clear();
        for (id, binding) in &self.bindings {
            let buffer = self.buffers.get(id.0).ok_or_else(|| self.host.not_set_up())?;
            let handle = table.bind(binding.moved(buffer.address)).map_err(|source| {
                let (workload, buffer) = (self.host.workload.into(), buffer.name().into());
                WorkloadError::Texture { workload, buffer, source }
            })?;
            self.handles.push(handle);
        }
        self.textures = Arc::new(table);
        Ok(())
    }

    fn params(&self, plan: &LaunchPlan) -> Option<Vec<u8>> {
        let mut block = ParamBlock::new();
        for &arg in &plan.args {
            block = match arg {
                Arg::Pointer(id, offset) => block.pointer(self.buffers.get(id.0)?.address + offset),
                Arg::Handle(id) => block.u64(*self.handles.get(id.0)?),
                Arg::U32(v) => block.u32(v),
                Arg::U64(v) => block.u64(v),
                Arg::F32(v) => block.f32(v),
                Arg::F64(v) => block.f64(v),
            };
        }
        Some(block.finish())
    }
}

impl Instance for Script {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.buffers.clear();
        for plan in &self.plans {
            let buffer = if plan.symbol {
                self.host.symbol(memory, plan.name)?
            } else {
                self.host.allocate::<u8>(memory, plan.name, plan.bytes)?
            };
            if let Some(contents) = &plan.contents {
                self.host.write(memory, buffer, contents)?;
            }
            self.buffers.push(buffer);
        }
        self.bind()
    }

    fn next_launch(&mut self, memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let Some(plan) = self.launches.get(self.next) else { return Ok(None) };
        let params = self.params(plan).ok_or_else(|| self.host.not_set_up())?;
        for (id, bytes) in &self.rewrites[self.rewritten..plan.rewrites] {
            let buffer = self.buffers.get(id.0).ok_or_else(|| self.host.not_set_up())?;
            self.host.write(memory, *buffer, bytes)?;
        }
        self.rewritten = plan.rewrites;
        self.next += 1;
        Ok(Some(Launch {
            entry: plan.entry.into(),
            launch: KernelLaunch {
                grid: plan.grid,
                block: plan.block,
                dynamic_shared_bytes: plan.shared,
                params,
                constants: self.constants[..plan.constants].to_vec(),
                textures: Arc::clone(&self.textures),
                cooperative: false,
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let check = self.check.as_ref().ok_or_else(|| self.host.unchecked())?;
        let mut results =
            Results { host: self.host, memory, buffers: &self.buffers, words: 0, bounds: Vec::new() };
        check(&mut results)?;
        let exact = results.bounds.is_empty();
        Ok(Checked { words: results.words, exact, bound: (!exact).then(|| results.bounds.join("; ")) })
    }
}
