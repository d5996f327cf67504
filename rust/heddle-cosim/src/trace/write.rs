//! Kernels with values as traces: what each warp executed in a run of the cycle model, written line by line.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use heddle_isa::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use heddle_isa::{Executable, Instr, KernelLaunch, Program, Space};
use heddle_port::NUM_LANES;
use heddle_sm::{CtaEvent, IssueEvent, Observer, PerformedEvent, Stop};
use heddle_trace::sass::{self, SassLine};
use heddle_trace::{AddressMode, Header, Note, TraceError, Writer, Written};

use crate::control::Control;
use crate::error::RunError;
use crate::lockstep::LaunchObserver;
use crate::report::RunReport;
use crate::session::Session;
use crate::spec::{Engine, RunSpec};

/// Generic addresses at which the traces' shared and local memory begin.
const SHARED_BASE: u64 = 0x7fb5_1000_0000;
const LOCAL_BASE: u64 = 0x7fb5_0e00_0000;
/// Bytes from one line to the next.
const PC_STEP: u32 = 16;
/// Version of the format.
const VERSION: u32 = 5;
/// Name of the list of kernels.
const LIST: &str = "kernelslist.g";

/// What was written.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenTrace {
    /// The list of kernels.
    pub list: PathBuf,
    /// Lines of instructions in all of its traces.
    pub lines: u64,
    /// Further traces in its folder, which this run has not written and the list does not name.
    pub others: usize,
    /// The run that was recorded.
    pub report: RunReport,
}

/// Runs a kernel with the cycle model and writes a trace for each of its launches into `folder`, with their list.
///
/// # Errors
/// As a run of the cycle model; [`RunError::Output`] where the folder, a trace or the list cannot be written.
pub fn write_trace(
    mut spec: RunSpec,
    folder: &Path,
    compressed: bool,
    control: &mut dyn Control,
) -> Result<WrittenTrace, RunError> {
    let unwritable =
        |path: &Path, e: std::io::Error| RunError::Output { path: path.to_owned(), message: e.to_string() };
    let unwritten = |error| match error {
        TraceError::File { file, reason } => RunError::Output { path: (*file).into(), message: reason },
        other => RunError::Output { path: folder.to_owned(), message: other.to_string() },
    };
    std::fs::create_dir_all(folder).map_err(|e| unwritable(folder, e))?;
    spec.engine = Engine::Sim;
    let mut recorder = Recorder::new(folder, compressed);
    let mut session = Session::new(spec)?;
    // A list names traces of one run: that of an earlier run ends here, and the new one comes last.
    let list = folder.join(LIST);
    match std::fs::remove_file(&list) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(unwritable(&list, e)),
        _ => {}
    }
    let run = session.observe(control, &mut recorder);
    if let Some(error) = recorder.error.take() {
        return Err(unwritten(error));
    }
    let report = run?;
    recorder.end_launch().map_err(unwritten)?;
    let names: String = recorder.names.iter().map(|name| format!("{name}\n")).collect();
    heddle_files::publish(&list, names.as_bytes()).map_err(|e| unwritable(&list, e))?;
    let others = others(folder, &recorder.names);
    Ok(WrittenTrace { list, lines: recorder.lines, others, report })
}

/// How many traces in `folder` are none of `names`; none where it cannot be listed.
fn others(folder: &Path, names: &[String]) -> usize {
    let names: HashSet<&str> = names.iter().map(String::as_str).collect();
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let traces = files.filter(|name| [".traceg", ".traceg.xz"].iter().any(|end| name.ends_with(end)));
    traces.filter(|name| !names.contains(name.as_str())).count()
}

/// An instruction as a warp executed it.
#[derive(Debug, Clone)]
struct Executed {
    pc: u32,
    mask: u32,
    /// Of a memory access: the address of each lane as a trace has it.
    addresses: Option<Box<[u64; NUM_LANES]>>,
}

/// Collects what the warps of the CTAs that run do, and writes each CTA when those before it are written.
struct Recorder {
    folder: PathBuf,
    compressed: bool,
    names: Vec<String>,
    writer: Option<Writer>,
    plan: Plan,
    warps_per_cta: usize,
    ctas: BTreeMap<u64, Vec<Vec<Executed>>>,
    finished: BTreeMap<u64, Vec<Vec<Executed>>>,
    next: u64,
    /// By tag: CTA, warp and number of the instruction in flight.
    in_flight: HashMap<u16, (u64, usize, usize)>,
    lines: u64,
    error: Option<TraceError>,
}

/// The line that stands for each instruction of a program.
#[derive(Default)]
struct Plan {
    lines: Vec<SassLine>,
    /// By instruction: its accesses are generic.
    generic: Vec<bool>,
}

impl Plan {
    fn new(program: &Program) -> Self {
        let generic = |instr: &Instr| instr.memory_space() == Some(Space::Generic);
        Self {
            lines: program.instrs.iter().map(sass::line).collect(),
            generic: program.instrs.iter().map(generic).collect(),
        }
    }

    /// By program counter: what the lines do not say.
    fn notes(&self) -> BTreeMap<u32, Note> {
        let notes = (0..).step_by(PC_STEP as usize).zip(self.lines.iter().map(|line| line.note.clone()));
        notes.filter(|(_, note)| !note.is_empty()).collect()
    }
}

impl Recorder {
    fn new(folder: &Path, compressed: bool) -> Self {
        Self {
            folder: folder.to_owned(),
            compressed,
            names: Vec::new(),
            writer: None,
            plan: Plan::default(),
            warps_per_cta: 0,
            ctas: BTreeMap::new(),
            finished: BTreeMap::new(),
            next: 0,
            in_flight: HashMap::new(),
            lines: 0,
            error: None,
        }
    }

    fn begin_launch(&mut self, program: &Program, launch: &KernelLaunch) -> Result<(), TraceError> {
        self.end_launch()?;
        self.plan = Plan::new(program);
        self.warps_per_cta = launch.warps_per_cta() as usize;
        self.next = 0;
        let number = self.names.len() + 1;
        let name = format!("kernel-{number}.traceg{}", if self.compressed { ".xz" } else { "" });
        let header = Header {
            kernel: program.name.clone(),
            id: number as u64,
            grid: launch.grid,
            block: launch.block,
            shared_bytes: program.shared_bytes + launch.dynamic_shared_bytes,
            registers: program.num_regs.max(1),
            architecture: sass::ARCHITECTURE,
            shared_base: SHARED_BASE,
            local_base: LOCAL_BASE,
            version: VERSION,
            line_info: false,
            notes: self.plan.notes(),
        };
        self.writer = Some(Writer::create(&self.folder.join(&name), &header, AddressMode::Short)?);
        self.names.push(name);
        Ok(())
    }

    fn end_launch(&mut self) -> Result<(), TraceError> {
        match self.writer.take() {
            Some(writer) => writer.finish(),
            None => Ok(()),
        }
    }

    /// Writes the CTAs that have ended and come next.
    fn write_finished(&mut self) -> Result<(), TraceError> {
        while let Some(warps) = self.finished.remove(&self.next) {
            self.next += 1;
            let Some(writer) = self.writer.as_mut() else { continue };
            writer.begin_cta()?;
            for (warp, executed) in (0u32..).zip(&warps) {
                self.lines += executed.len() as u64;
                let lines = executed.iter().map(|e| (e, &self.plan.lines[e.pc as usize]));
                let accessed: Vec<_> = lines.map(|(e, line)| (e, line, e.addresses(line))).collect();
                let written: Vec<Written<'_>> = accessed.iter().map(written).collect();
                writer.warp(warp, &written)?;
            }
            writer.end_cta()?;
        }
        Ok(())
    }

    /// Keeps the error of a step, and stops the run with it.
    fn kept(&mut self, step: Result<(), TraceError>) -> Result<(), Stop> {
        step.map_err(|error| {
            self.error.get_or_insert(error);
            Stop
        })
    }
}

impl Executed {
    /// What a memory access did: bytes of a lane, and the address of each lane that executed it.
    fn addresses(&self, line: &SassLine) -> Option<(u32, Vec<u64>)> {
        let bytes = line.access?;
        let all = self.addresses.as_deref().copied().unwrap_or([0; NUM_LANES]);
        let lanes = (0..NUM_LANES).filter(|lane| self.mask >> lane & 1 != 0);
        Some((bytes, lanes.map(|lane| all[lane]).collect()))
    }
}

/// What was executed, its line, and what it accessed.
type Accessed<'a> = (&'a Executed, &'a SassLine, Option<(u32, Vec<u64>)>);

fn written<'a>((executed, line, access): &'a Accessed<'a>) -> Written<'a> {
    Written {
        pc: executed.pc * PC_STEP,
        mask: executed.mask,
        destination: line.destination,
        opcode: &line.opcode,
        sources: &line.sources,
        access: access.as_ref().map(|(bytes, addresses)| (*bytes, addresses.as_slice())),
        immediate: line.immediate,
    }
}

impl LaunchObserver for Recorder {
    fn launched(&mut self, executable: &Executable, launch: &KernelLaunch) {
        if self.error.is_none()
            && let Err(error) = self.begin_launch(&executable.program, launch)
        {
            self.error = Some(error);
        }
    }
}

impl Observer for Recorder {
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        self.ctas.insert(event.cta, vec![Vec::new(); self.warps_per_cta]);
        if self.error.is_some() { Err(Stop) } else { Ok(()) }
    }

    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        let warp = event.warp_in_cta as usize;
        if let Some(steps) = self.ctas.get_mut(&event.cta).and_then(|warps| warps.get_mut(warp)) {
            self.in_flight.insert(event.tag.0, (event.cta, warp, steps.len()));
            steps.push(Executed { pc: event.pc.0, mask: event.exec.0, addresses: None });
        }
        Ok(())
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        let Some(&(cta, warp, step)) = self.in_flight.get(&event.tag.0) else { return Ok(()) };
        let steps = self.ctas.get_mut(&cta).and_then(|warps| warps.get_mut(warp));
        let Some(executed) = steps.and_then(|steps| steps.get_mut(step)) else { return Ok(()) };
        let generic = self.plan.generic[executed.pc as usize];
        let known = executed.addresses.get_or_insert_with(Box::default);
        for lane in event.lanes.lanes() {
            let address = event.addresses[lane];
            let in_lanes = |lanes: heddle_port::LaneMask| lanes.0 >> lane & 1 != 0;
            known[lane] = match (generic, in_lanes(event.shared), in_lanes(event.local)) {
                (true, true, _) => SHARED_BASE + (address & !u64::from(SHARED_WINDOW)),
                (true, _, true) => LOCAL_BASE + (address & !u64::from(LOCAL_WINDOW)),
                _ => address,
            };
        }
        Ok(())
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        if let Some(warps) = self.ctas.remove(&event.cta) {
            self.finished.insert(event.cta, warps);
        }
        let step = self.write_finished();
        self.kept(step)
    }
}
