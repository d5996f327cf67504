//! Traces: written from the golden machine's execution of shipped kernels, read back, and run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use heddle_cosim::{Check, Engine, Fault, Kernel, RunError, RunReport, RunSpec, Session};
use heddle_functional::{AccessKind, Golden};
use heddle_isa::{DeviceMemory, Instr, Op, Operand, Program, Space, load_globals};
use heddle_kernel::{AllocOptions, compile, module_globals, parse};
use heddle_port::Tag;
use heddle_rtl::planted::BugClass;
use heddle_trace::{AddressMode, Header, Reader, Source, Writer, Written};
use heddle_workloads::Size;

use crate::common;

/// Generic addresses of the traces' shared and local memory, and where their global memory begins.
const SHARED_BASE: u64 = 0x7fb5_1000_0000;
const LOCAL_BASE: u64 = 0x7fb5_0e00_0000;
const GLOBAL_BASE: u64 = 0x7fb6_0000_0000;
/// Bytes from one instruction of the program to the next in the trace; pieces are 16 bytes apart.
const PC_STEP: u32 = 256;

/// What the golden machine executed: instruction, lanes, address of each lane.
type Executed = (u32, u32, Vec<u64>);

/// The first launch of a workload, executed: its program, its header and by CTA and warp what happened.
fn execute(name: &str, version: u32) -> (Arc<Program>, Header, Vec<Vec<Vec<Executed>>>) {
    let workload = heddle_workloads::find(name).expect("ships");
    let (file, text) = workload.ptx();
    let mut instance = workload.instance(Size::Smoke, 1).expect("inputs");
    let mut memory = DeviceMemory::new();
    let globals = parse(file, text).and_then(|m| module_globals(&m)).expect("compiles");
    load_globals(&globals, &mut memory).expect("fits");
    instance.set_up(&mut memory).expect("fits");
    let launch = instance.next_launch(&mut memory).expect("memory is good").expect("a launch");
    let compiled = compile(file, text, Some(&launch.entry), AllocOptions::default()).expect("compiles");
    let (program, launch) = (Arc::new(compiled.allocated), launch.launch);
    let mut golden = Golden::new(Arc::clone(&program), &launch, memory).expect("fits");
    let mut ctas = Vec::new();
    for cta in 0..launch.num_ctas() {
        golden.start_cta(cta).expect("in the grid");
        let mut warps = vec![Vec::new(); launch.warps_per_cta() as usize];
        while (0..warps.len())
            .fold(false, |moved, w| moved | step(&mut golden, cta, w as u32, &program, &mut warps[w]))
        {
        }
        golden.finish_cta(cta).expect("all warps have ended");
        ctas.push(warps);
    }
    let header = Header {
        kernel: program.name.clone(),
        id: 1,
        grid: launch.grid,
        block: launch.block,
        shared_bytes: program.shared_bytes + launch.dynamic_shared_bytes,
        registers: program.num_regs,
        architecture: 75,
        shared_base: SHARED_BASE,
        local_base: LOCAL_BASE,
        version,
        line_info: false,
        notes: std::collections::BTreeMap::new(),
    };
    (program, header, ctas)
}

/// Executes one instruction of a warp; false when the warp waits or has ended.
fn step(golden: &mut Golden, cta: u64, warp: u32, program: &Program, out: &mut Vec<Executed>) -> bool {
    let waits = golden.waits_at(cta, warp).expect("running").is_some();
    if waits || golden.next(cta, warp).expect("running").is_none() {
        return false;
    }
    let expected = golden.issue(cta, warp, Tag(0)).expect("the kernel is right");
    let (pc, exec, access) = (expected.pc, expected.exec, expected.kind != AccessKind::None);
    let generic = program.instrs[pc.index()].memory_space() == Some(Space::Generic);
    let mut addresses = Vec::new();
    if access {
        for lane in exec.lanes() {
            let address = expected.addresses[lane];
            addresses.push(match expected.spaces.of_lane(lane) {
                Some(Space::Shared) if generic => SHARED_BASE + address,
                Some(Space::Local) if generic => LOCAL_BASE + address,
                Some(Space::Shared | Space::Local) => address,
                _ => GLOBAL_BASE + address,
            });
        }
        if !exec.is_empty() {
            golden.performed(Tag(0), exec).expect("the access is right");
        }
    }
    golden.retire(Tag(0)).expect("performed");
    out.push((pc.0, exec.0, addresses));
    true
}

/// The registers of an instruction in pieces that a trace line can name: destination, sources.
fn pieces(instr: &Instr) -> Vec<(Option<u8>, Vec<u8>)> {
    let byte = |r: heddle_port::Reg| u8::try_from(r.0).expect("allocated");
    let sources: Vec<u8> = instr.source_regs().into_iter().map(byte).collect();
    let mut lists = sources.chunks(4).map(<[u8]>::to_vec);
    let first = lists.next().unwrap_or_default();
    let mut all = vec![(instr.dsts.first().copied().map(byte), first)];
    all.extend(lists.map(|list| (None, list)));
    all.extend(instr.dsts.iter().skip(1).map(|&r| (Some(byte(r)), Vec::new())));
    all
}

/// Whether `registers` are one aligned operand.
fn is_wide(registers: &[u8], count: usize) -> bool {
    let first = registers.first().copied().unwrap_or(0);
    registers.len() == count
        && usize::from(first).is_multiple_of(count)
        && registers.iter().zip(first..).all(|(&r, n)| r == n)
}

/// Lines of one executed instruction, in SASS that accesses the same registers and memory.
fn lines<'a>(program: &'a Program, (pc, mask, addresses): &'a Executed) -> Vec<Line<'a>> {
    let instr = &program.instrs[*pc as usize];
    let plain = |opcode: &str, destination, sources| Line {
        pc: pc * PC_STEP,
        mask: *mask,
        opcode: opcode.to_owned(),
        destination,
        sources,
        access: None,
        immediate: 0,
    };
    match instr.op {
        Op::Exit => return vec![plain("EXIT", None, Vec::new())],
        Op::Bra { .. } => return vec![plain("BRA", None, Vec::new())],
        Op::Nop => return vec![plain("NOP", None, Vec::new())],
        Op::Fence { .. } => return vec![plain("MEMBAR.SC.GPU", None, Vec::new())],
        Op::Bar { .. } => return vec![plain("BAR.SYNC", None, Vec::new())],
        _ => {}
    }
    let (name, elements, bytes) = match instr.op {
        Op::Ld { ty, vector, .. } if instr.memory_space().is_some() => {
            ("LD", usize::from(vector), ty.bytes())
        }
        Op::St { ty, vector, .. } => ("ST", usize::from(vector), ty.bytes()),
        Op::Atom { ty, .. } => (if instr.dsts.is_empty() { "RED" } else { "ATOM" }, 1, ty.bytes()),
        _ => ("", 0, 0),
    };
    let mut all: Vec<Line<'a>> = Vec::new();
    if elements == 0 {
        let wide: Vec<u8> = instr.dsts.iter().map(|r| r.0 as u8).collect();
        let pairs = instr.srcs.iter().all(|s| matches!(s, Operand::Pair(_)));
        if is_wide(&wide, 2) && pairs && (1..=3).contains(&instr.srcs.len()) {
            let first = |s: &Operand| if let Operand::Pair(r) = s { r.0 as u8 } else { 255 };
            return vec![plain("DFMA", Some(wide[0]), instr.srcs.iter().map(first).collect())];
        }
    } else {
        let wide = if bytes * elements as u32 > 4 {
            format!(".{}", bytes * 8 * elements as u32)
        } else {
            String::new()
        };
        let suffix = match instr.memory_space() {
            Some(Space::Shared) => "S",
            Some(Space::Local) => "L",
            Some(Space::Global) if name != "RED" => "G",
            _ => "",
        };
        let e = if matches!(instr.srcs.first(), Some(Operand::Pair(_))) { ".E" } else { "" };
        let narrow = match bytes * elements as u32 {
            1 => ".U8",
            2 => ".U16",
            _ => "",
        };
        let mut access = plain(&format!("{name}{suffix}{e}{narrow}{wide}"), None, Vec::new());
        access.access = Some((bytes * elements as u32, addresses));
        let data: Vec<u8> = instr.source_regs().into_iter().map(|r| r.0 as u8).collect();
        let base = match instr.srcs.first() {
            Some(Operand::Pair(_)) => 2,
            Some(Operand::Reg(_)) => 1,
            _ => 0,
        };
        let words = (bytes * elements as u32).div_ceil(4) as usize;
        let destinations: Vec<u8> = instr.dsts.iter().map(|r| r.0 as u8).collect();
        let fits = match name {
            "LD" => is_wide(&destinations, words),
            _ => destinations.is_empty() && is_wide(&data[base..], words),
        };
        access.sources = if base == 0 { vec![255] } else { vec![data[0]] };
        if fits {
            if name == "LD" {
                access.destination = Some(destinations[0]);
            } else {
                access.sources.push(data[base]);
            }
            return vec![access];
        }
        if name == "ATOM" {
            access.opcode = access.opcode.replacen("ATOM", "LD", 1);
        }
        all.push(Line { destination: None, ..access });
    }
    for (destination, sources) in pieces(instr) {
        let opcode = if destination.is_some() { "IADD3" } else { "ISETP.NE.AND" };
        all.push(plain(opcode, destination, sources));
    }
    for (index, line) in (0u32..).zip(&mut all) {
        line.pc += 16 * index;
    }
    all
}

/// One line of a trace, owned.
struct Line<'a> {
    pc: u32,
    mask: u32,
    opcode: String,
    destination: Option<u8>,
    sources: Vec<u8>,
    access: Option<(u32, &'a [u64])>,
    immediate: u64,
}

/// Writes the trace of a workload's first launch into `folder` and returns its path.
fn write(name: &str, version: u32, mode: AddressMode, path: &Path) -> Vec<Vec<Vec<Executed>>> {
    let (program, header, ctas) = execute(name, version);
    let mut writer = Writer::create(path, &header, mode).expect("writable");
    for warps in &ctas {
        writer.begin_cta().expect("writable");
        for (warp, executed) in (0u32..).zip(warps) {
            let all: Vec<Line<'_>> = executed.iter().flat_map(|e| lines(&program, e)).collect();
            let written: Vec<Written<'_>> = all
                .iter()
                .map(|l| Written {
                    pc: l.pc,
                    mask: l.mask,
                    destination: l.destination,
                    opcode: &l.opcode,
                    sources: &l.sources,
                    access: l.access,
                    immediate: l.immediate,
                })
                .collect();
            writer.warp(warp, &written).expect("writable");
        }
        writer.end_cta().expect("writable");
    }
    writer.finish().expect("writable");
    ctas
}

#[test]
fn what_is_read_is_what_the_golden_machine_executed() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let cases = [
        ("vectoradd", 3, AddressMode::Short, "a.traceg"),
        ("reduction", 5, AddressMode::Distances, "b.traceg.xz"),
        ("divergence", 2, AddressMode::Each, "c.traceg"),
        ("hotspot", 5, AddressMode::Short, "d.traceg.xz"),
    ];
    for (name, version, mode, file) in cases {
        let path = folder.path().join(file);
        let executed = write(name, version, mode, &path);
        let mut reader = Reader::open(&Source::from(&path)).expect("just written");
        for warps in &executed {
            let mut read: Vec<Vec<Executed>> = vec![Vec::new(); warps.len()];
            let cta = reader.next_cta(|warp, _, i| {
                if i.pc.is_multiple_of(PC_STEP) {
                    read[warp as usize].push((i.pc / PC_STEP, i.mask, i.addresses.clone()));
                }
                Ok(())
            });
            assert!(cta.expect("well formed").is_some());
            assert!(read == *warps, "{name}");
        }
        assert_eq!(reader.next_cta(|_, _, _| Ok(())), Ok(None));
    }
}

fn spec(design: &str, trace: &Path, engine: Engine, folder: &Path) -> RunSpec {
    let mut spec = RunSpec::new(common::root(), design, Kernel::Trace(trace.to_owned()), engine);
    spec.results = folder.to_owned();
    spec
}

fn run(design: &str, trace: &Path, engine: Engine, folder: &Path) -> Result<RunReport, RunError> {
    Session::new(spec(design, trace, engine, folder)).and_then(|mut s| s.run(&mut ()))
}

/// A list of two kernels in `folder`.
fn list(folder: &Path) -> PathBuf {
    write("reduction", 5, AddressMode::Short, &folder.join("kernel-1.traceg.xz"));
    write("divergence", 3, AddressMode::Short, &folder.join("kernel-2.traceg"));
    let list = folder.join("kernelslist.g");
    let text = "MemcpyHtoD,0x00007fb600000000,4096\nkernel-1.traceg.xz\nkernel-2.traceg\n";
    std::fs::write(&list, text).expect("writable");
    list
}

#[test]
fn a_list_runs_with_model_and_rtl_and_every_operand_is_compared() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let list = list(folder.path());
    for design in common::designs() {
        let sim = run(&design, &list, Engine::Sim, folder.path()).expect("passes");
        let cosim = run(&design, &list, Engine::Cosim, folder.path()).expect("passes");
        assert_eq!((sim.cycles, sim.warp_instructions), (cosim.cycles, cosim.warp_instructions), "{design}");
        assert_eq!((cosim.launches, cosim.reference_words_compared), (2, None));
        assert!(cosim.operands_compared > 100_000, "{design}: {} operands", cosim.operands_compared);
        assert!(cosim.results_compared > 0 && cosim.memory_words_compared > 0 && cosim.controls_compared > 0);
    }
}

#[test]
fn a_planted_bug_is_found_in_a_trace() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let list = list(folder.path());
    for design in common::designs() {
        let manifest = heddle_rtl::Manifest::load(&common::root(), &design).expect("ships");
        let mut bugs = heddle_rtl::planted::load(&common::root(), &manifest).expect("ships");
        // The first that shows as a stale operand is enough, and of these classes one soon does; kernels with values find them all.
        bugs.sort_by_key(|bug| !matches!(bug.class, BugClass::LaneMask | BugClass::Addressing));
        let found = bugs.iter().any(|bug| {
            let mut spec = spec(&design, &list, Engine::Cosim, folder.path());
            spec.fault = Some(Fault::new(&bug.id));
            let mut session = Session::new(spec).expect("known");
            match session.run(&mut ()) {
                Err(RunError::Mismatch(mismatch)) => {
                    println!("{design} {}: {} at cycle {}", bug.id, mismatch.what, mismatch.place.cycle);
                    mismatch.check == Check::Operand
                }
                Err(RunError::FaultNotFound { .. }) => false,
                Ok(_) => panic!("{design} {}: a run with a planted bug ends well", bug.id),
                Err(other) => panic!("{design} {}: {other}", bug.id),
            }
        });
        assert!(found, "{design}: no planted bug of {} showed as a stale operand", bugs.len());
    }
}

#[test]
fn a_trace_that_is_wrong_is_bad_input_with_its_place() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("kernel-1.traceg");
    write("vectoradd", 5, AddressMode::Short, &path);
    let text = std::fs::read_to_string(&path).expect("written");
    std::fs::write(&path, text.replacen("IADD3", "QADD3", 1)).expect("writable");
    let error = run("baseline", &path, Engine::Sim, folder.path()).expect_err("no such opcode");
    assert_eq!(error.exit_code(), 2);
    let text = error.to_string();
    assert!(text.contains("kernel-1.traceg:") && text.contains("QADD3"), "{text}");
}
