//! A kernel of everything that is checked, and one run of it.

use std::path::Path;
use std::sync::Arc;

use heddle_config::{Override, Preset};
use heddle_cosim::check::{Checker, Compared, RunChecker};
use heddle_cosim::{Check, Mismatch, RunError};
use heddle_functional::Golden;
use heddle_isa::texture::{Binding, Filter, Format, Geometry, Image, Sampler, Texture};
use heddle_isa::{DeviceMemory, Executable, KernelLaunch};
use heddle_kernel::{AllocOptions, compile};
use heddle_passes::{DesignNeeds, build_executable};
use heddle_port::{PortConfig, PortWidths, RegIn, RegisterFile};
use heddle_rtl::Manifest;
use heddle_sm::{ArchitecturalRegisters, CtaChoice, Observer, Sm, SmError};
use heddle_workloads::Instance;
use heddle_workloads::buffers::Host;
use heddle_workloads::script::Script;

use super::fault::{Falsifier, Fault};

pub const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };
/// CTAs of the launch.
pub const CTAS: u64 = 2;
/// Threads of a CTA: a whole warp and a part of one.
const THREADS: usize = 48;
/// Bytes of each thread in the output.
const BYTES: usize = 16;

/// Branches, predicates, shared, local and global memory, vectors, atomics, and a filtered texture.
const KERNEL: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry everything(.param .u64 output, .param .u64 image)
{
.reg .pred %p<4>;
.reg .b32 %r<16>;
.reg .f32 %f<8>;
.reg .b64 %rd<8>;
.shared .align 4 .b8 tile[256];
.local .align 4 .b8 frame[8];
ld.param.u64 %rd0, [output];
ld.param.u64 %rd1, [image];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mad.lo.u32 %r2, %r1, 48, %r0;
mul.wide.u32 %rd2, %r2, 16;
add.s64 %rd2, %rd2, %rd0;
setp.lt.u32 %p0|%p1, %r0, 20;
mov.u32 %r3, 5;
@%p0 add.u32 %r3, %r0, 100;
@%p1 bra LATER;
add.u32 %r3, %r3, %r2;
LATER:
st.local.u32 [frame+4], %r3;
mov.u32 %r4, tile;
shl.b32 %r5, %r0, 2;
add.u32 %r4, %r4, %r5;
st.shared.u32 [%r4], %r3;
bar.sync 0;
ld.shared.u32 %r6, [%r4];
ld.local.u32 %r7, [frame+4];
add.u32 %r6, %r6, %r7;
cvt.rn.f32.u32 %f0, %r0;
mov.f32 %f1, 0f3F800000;
tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f0, %f1}];
mov.b32 %r8, %f2;
st.global.v2.u32 [%rd2+8], {%r6, %r8};
ld.global.u32 %r9, [%rd2];
atom.global.add.u32 %r10, [%rd2+4], %r9;
add.u32 %r10, %r10, %r9;
st.global.u32 [%rd2], %r10;
ret;
}
";

/// The kernel, ready for a machine.
pub struct Ready {
    pub manifest: Manifest,
    /// The design's own, with what its manifest overrides.
    pub preset: Preset,
    pub executable: Arc<Executable>,
    pub launch: KernelLaunch,
    pub memory: DeviceMemory,
}

/// What a run compared, and the cycle in which the fault was put in.
#[derive(Debug)]
pub struct Passed {
    pub compared: Compared,
    pub struck: Option<u64>,
}

/// Root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub fn config(preset: &Preset) -> PortConfig {
    let rf = &preset.register_file;
    PortConfig {
        bank_cycles: rf.bank_cycles as u8,
        crossbar_cycles: rf.crossbar_cycles as u8,
        active_warps: preset.scheduler.active_warps as u8,
        registers_per_interval: rf.registers_per_interval as u8,
        rows_per_bank: rf.rows_per_bank as u16,
        write_cycles: rf.write_cycles as u8,
        shift_cycles: rf.shift_cycles as u8,
        preshift: rf.preshift,
        wakeup_cycles: rf.wakeup_cycles as u8,
        ways: rf.ways as u8,
        fair: rf.replacement == heddle_config::Replacement::Fair,
        ..PortConfig::default()
    }
}

impl Ready {
    /// The kernel with what `design` needs.
    pub fn new(design: &str) -> Self {
        let manifest = Manifest::load(root(), design).expect("the manifest");
        let overrides: Vec<Override> = manifest
            .overrides
            .iter()
            .map(|(key, value)| Override { key: key.clone(), value: value.to_string() })
            .collect();
        let preset = heddle_config::load_with(&manifest.preset, &overrides).expect("the design's preset");
        let limit = preset.register_file.registers_per_interval;
        let needs =
            DesignNeeds { intervals: manifest.needs_intervals.then_some(limit), ..DesignNeeds::default() };
        let compiled = compile("everything.ptx", KERNEL, None, AllocOptions::default());
        let program = compiled.expect("the kernel compiles").allocated;
        let executable = build_executable(Arc::new(program), needs).expect("the passes take it");
        let mut script = Script::new(Host { workload: "everything" });
        let words = CTAS as usize * THREADS * BYTES / 4;
        let numbers: Vec<u32> = (0..words as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        let output = script.input("output", &numbers);
        let texels: Vec<f32> = (0..THREADS * 2).map(|i| i as f32).collect();
        let texels = script.input("image", &texels);
        let image = Image::dense(Geometry::D2, Format::F32, 1, [THREADS as u32, 2, 1], 0);
        let sampler = Sampler { filter: Filter::Linear, ..Sampler::default() };
        let image = script.texture(texels, Binding::Texture(Texture { image, sampler }));
        let (grid, block) = ([CTAS as usize, 1, 1], [THREADS, 1, 1]);
        script.launch("everything", grid, block).pointer(output).handle(image);
        let mut memory = DeviceMemory::new();
        script.set_up(&mut memory).expect("there is room");
        let launch = script.next_launch(&mut memory).expect("buffers are there").expect("one launch").launch;
        Self { manifest, preset, executable: Arc::new(executable), launch, memory }
    }

    /// What the design's model is made with.
    pub fn instance(&self) -> heddle_port::Instance {
        self.manifest.instance(self.manifest.elaboration(None).expect("the default")).expect("its parameters")
    }

    /// Runs with `design` behind the port until the launch ends or something refuses.
    pub fn run(&self, design: &mut dyn RegisterFile, observer: &mut impl Observer) -> Result<Sm, Failure> {
        let (executable, memory) = (Arc::clone(&self.executable), self.memory.clone());
        let mut sm = Sm::new(&self.preset, WIDTHS, executable, &self.launch, memory, CtaChoice::All)
            .expect("the launch fits");
        let mut registers = ArchitecturalRegisters::new(self.executable.program.num_regs);
        let config = PortConfig { own: self.instance().design_words(), ..config(&self.preset) };
        let mut out = design.reset(&config).expect("the configuration is possible");
        let mut input = RegIn::default();
        while !sm.is_done() {
            sm.tick(&out, &registers, &mut input, observer).map_err(|e| Failure::Sm(Box::new(e)))?;
            design.step(&input, &mut out).map_err(|e| Failure::Design(e.to_string()))?;
            registers.step(&input, &out);
            assert!(sm.cycle().0 < 100_000, "the launch does not end");
        }
        Ok(sm)
    }
}

/// Why a run ends early.
#[derive(Debug)]
pub enum Failure {
    Sm(Box<SmError>),
    Design(String),
}

/// A run on the baseline's model with a fault between SM and checker.
pub fn run(fault: Fault) -> Result<Passed, (Box<Mismatch>, Option<u64>)> {
    let ready = Ready::new("baseline");
    let executable = &ready.executable;
    let golden = Golden::new(Arc::clone(&executable.program), &ready.launch, ready.memory.clone())
        .expect("the launch fits")
        .with_dead_sources(executable.dead_sources.clone());
    let mut falsifier = Falsifier::new(Checker::new(golden, &executable.program, 0, 0), fault);
    let mut model = heddle_designs::create("baseline", &ready.instance()).expect("the model");
    let ended = ready.run(&mut model, &mut falsifier);
    let struck = falsifier.struck();
    let mut checker = falsifier.checker;
    let failure = match ended {
        Ok(sm) => checker.finished(sm.statistics().ctas, CTAS, sm.cycle()).err(),
        Err(Failure::Sm(error)) => Some(checker.take_failure().unwrap_or_else(|| panic!("{error}"))),
        Err(Failure::Design(what)) => panic!("{what}"),
    };
    match failure {
        None => Ok(Passed { compared: checker.compared(), struck }),
        Some(RunError::Mismatch(mismatch)) => Err((mismatch, struck)),
        Some(other) => panic!("{other}"),
    }
}

/// The fault is put in, and found by `check` in that cycle with `what` in its sentence and `side` as a line
/// in which expected and actual differ, where one is named.
pub fn found_at_once(fault: Fault, check: Check, what: &str, side: &str) {
    let name = format!("{fault:?}");
    let (mismatch, struck) = found(fault, check, what);
    assert_eq!(Some(mismatch.place.cycle), struck, "{name}: {mismatch}");
    let differs = mismatch.sides.iter().any(|(label, e, a)| label == side && e != a);
    assert!(side.is_empty() || differs, "{name}: no side '{side}' that differs: {mismatch}");
}

/// The fault is put in, and found by `check` then or later.
pub fn found(fault: Fault, check: Check, what: &str) -> (Box<Mismatch>, Option<u64>) {
    let name = format!("{fault:?}");
    let (mismatch, struck) = match run(fault) {
        Err(found) => found,
        Ok(passed) => panic!("{name}: not found: {passed:?}"),
    };
    assert!(struck.is_some_and(|cycle| cycle <= mismatch.place.cycle), "{name}: {struck:?}, {mismatch}");
    assert_eq!(mismatch.check, check, "{name}: {mismatch}");
    assert!(mismatch.what.contains(what), "{name}: '{what}' is not in: {mismatch}");
    (mismatch, struck)
}
