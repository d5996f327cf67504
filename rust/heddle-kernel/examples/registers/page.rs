//! The page of register counts, from the PTX of the workloads and from `rust/workloads/data/ptxas.csv`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use heddle_isa::Program;
use heddle_kernel::alloc::{Allocation, MIN_REGISTERS};
use heddle_kernel::{
    AllocOptions, allocate_traced, check_allocation, check_order, lower, parse, with_early_loads,
};

/// Ratios of registers, ours to those of ptxas, between which a count needs no reason.
pub const NEAR: std::ops::RangeInclusive<f64> = 0.8..=1.25;

/// The limit at which spilling is listed.
const SPILL_LIMIT: u32 = 16;

/// Registers that loads which come early may take: most of what ptxas gives kernels that do not need more.
const EARLY: u32 = 64;

/// One kernel.
pub struct Row {
    pub file: String,
    pub entry: String,
    /// Most registers of a thread, where the source limits them.
    pub limit: Option<u32>,
    /// Registers that Heddle gives.
    pub ours: u32,
    /// The same with loads early.
    pub early: u32,
    /// Most registers live at once in the order of the text.
    pub live: u32,
    /// Registers that ptxas gives at `-O1` and `-O3`.
    pub o1: u32,
    pub o3: u32,
    /// A smaller limit, that of ptxas, which needs no spill slots: what does not fit is computed again.
    pub fits: Option<u32>,
    /// Stores and loads of spills in the text of the program with 16 registers, and bytes of a thread.
    pub spills: [u32; 3],
    /// Instructions of the program with 16 registers, and with all.
    pub instructions: [usize; 2],
}

impl Row {
    pub fn ratio(&self) -> f64 {
        f64::from(self.ours) / f64::from(self.o3)
    }

    /// Why the count is far from that of ptxas; `None` when it is near.
    pub fn reason(&self) -> Option<String> {
        if NEAR.contains(&self.ratio()) {
            return None;
        }
        let near_o1 = NEAR.contains(&(f64::from(self.ours) / f64::from(self.o1)));
        let Self { o1, o3, ours, live, .. } = self;
        Some(if ours < o3 && near_o1 && o1 < o3 {
            format!("at -O3 ptxas unrolls and loads early: at -O1 it takes {o1}")
        } else if ours < o3 {
            format!("the text has {live} live at once; ptxas changes the order, and unrolls loops")
        } else if let Some(limit) = self.fits {
            format!("fits {limit} without slots: ptxas takes parameters and constants as operands")
        } else if *ours <= live + 1 {
            format!("the text has {live} live at once; ptxas changes the order")
        } else {
            format!("pairs and joined copies take {} more than the {live} live at once", ours - live)
        })
    }
}

/// Top folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All kernels, in the order of the table of ptxas.
pub fn rows() -> Result<Vec<Row>, String> {
    let kernels = root().join("rust/workloads/kernels");
    let table = root().join("rust/workloads/data/ptxas.csv");
    let text = std::fs::read_to_string(&table).map_err(|e| format!("{}: {e}", table.display()))?;
    let mut known: Vec<(String, String)> = Vec::new();
    let mut rows = Vec::new();
    let mut module: Option<(String, Vec<Program>)> = None;
    for (line, number) in text.lines().zip(1..).skip(1) {
        let bad = |what: &str| format!("{}:{number}: {what}", table.display());
        let [file, entry, limit, o1, o3] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(bad("expected five fields"));
        };
        let count = |s: &str| s.parse::<u32>().map_err(|e| bad(&format!("'{s}': {e}")));
        if module.as_ref().is_none_or(|(name, _)| name != file) {
            module = Some((file.to_owned(), programs(&kernels.join(file))?));
        }
        let program = module.as_ref().and_then(|(_, list)| list.iter().find(|p| p.name == entry));
        let program = program.ok_or_else(|| bad("the PTX has no such entry; run scripts/registers.sh"))?;
        let limit = if limit.is_empty() { None } else { Some(count(limit)?) };
        let most = allocated(program, limit.unwrap_or(255))?;
        let least = allocated(program, SPILL_LIMIT)?;
        let early = with_loads_early(program, limit.unwrap_or(255), &most)?;
        let (o1, o3) = (count(o1)?, count(o3)?);
        let smaller = o3.clamp(MIN_REGISTERS, 255);
        let no_slots = |a: Allocation| a.program.local_bytes == program.local_bytes;
        let fits = most.program.num_regs > smaller && no_slots(allocated(program, smaller)?);
        known.push((file.to_owned(), entry.to_owned()));
        rows.push(Row {
            file: file.to_owned(),
            entry: entry.to_owned(),
            limit,
            ours: most.program.num_regs,
            early,
            live: most.pressure,
            o1,
            o3,
            fits: fits.then_some(smaller),
            spills: spills(program, &least),
            instructions: [least.program.instrs.len(), most.program.instrs.len()],
        });
    }
    for file in ptx_files(&kernels)? {
        for program in programs(&kernels.join(&file))? {
            if !known.contains(&(file.clone(), program.name.clone())) {
                return Err(format!(
                    "{file}: '{}' is not in ptxas.csv; run scripts/registers.sh",
                    program.name
                ));
            }
        }
    }
    Ok(rows)
}

fn ptx_files(kernels: &Path) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    let list = |folder: &Path| std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()));
    for folder in list(kernels)? {
        let folder = folder.map_err(|e| e.to_string())?.path();
        for file in list(&folder)? {
            let file = file.map_err(|e| e.to_string())?.path();
            if file.extension().is_some_and(|e| e == "ptx") {
                let relative = file.strip_prefix(kernels).map_err(|e| e.to_string())?;
                files.push(relative.to_string_lossy().into_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn programs(path: &Path) -> Result<Vec<Program>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let module = parse(&path.display().to_string(), &text).map_err(|e| e.to_string())?;
    lower(&module).map_err(|e| e.to_string())
}

fn allocated(program: &Program, max_registers: u32) -> Result<Allocation, String> {
    let allocation = allocate_traced(program, AllocOptions { max_registers }).map_err(|e| e.to_string())?;
    check_allocation(program, &allocation).map_err(|e| e.to_string())?;
    Ok(allocation)
}

/// Registers with loads early, unless they would spill more than in the order of the text, whose allocation is `text`.
fn with_loads_early(program: &Program, max_registers: u32, text: &Allocation) -> Result<u32, String> {
    let ordered = with_early_loads(program, EARLY.min(max_registers));
    check_order(program, &ordered).map_err(|e| e.to_string())?;
    let early = allocated(&ordered.program, max_registers)?;
    let spills = early.program.local_bytes > text.program.local_bytes;
    Ok(if spills { text } else { &early }.program.num_regs)
}

/// Spill stores and loads, and bytes.
fn spills(program: &Program, allocation: &Allocation) -> [u32; 3] {
    use heddle_isa::{Op, Space};
    let mut counts = [0, 0, allocation.program.local_bytes - program.local_bytes];
    for (instr, origin) in allocation.program.instrs.iter().zip(&allocation.origins) {
        match instr.op {
            Op::St { space: Space::Local, .. } if origin.inserted => counts[0] += 1,
            Op::Ld { space: Space::Local, .. } if origin.inserted => counts[1] += 1,
            _ => {}
        }
    }
    counts
}

/// The value in the middle, or the mean of the two there.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 { f64::NAN } else { (values[(n - 1) / 2] + values[n / 2]) / 2.0 }
}

/// The page.
pub fn text(rows: &[Row]) -> String {
    let near = rows.iter().filter(|r| r.reason().is_none()).count();
    let near_early = rows.iter().filter(|r| NEAR.contains(&(f64::from(r.early) / f64::from(r.o3)))).count();
    let o1 = rows.iter().map(|r| f64::from(r.ours) / f64::from(r.o1)).collect();
    let mut page = format!(
        "# Registers per thread\n\n\
         Made by `scripts/registers.sh` from the PTX of `rust/workloads/kernels`; `make test` fails when it is stale.\n\
         How registers are allocated is told in [compiler.md](compiler.md).\n\n\
         - *Heddle*: registers of `heddle compile`, or with the limit that the kernel's source names.\n\
         - *early*: the same with `--early-loads {EARLY}`: loads begin early while at most so many registers are live.\n\
         - *live*: most registers live at once in the order of the text; no allocation of it has fewer without spilling.\n\
         - *ptxas -O1*, *-O3*: ptxas 13.0 for sm_75. At -O1 it keeps nearer to the order of the text.\n\
         - *ratio*: Heddle to ptxas -O3. Outside {} to {} the reason is given.\n\n\
         {} kernels. Median of the ratio to ptxas -O3: {:.2}; to ptxas -O1: {:.2}. {near} are within {} to {}; \
         with loads early {near_early}.\n\n\
         | file | entry | Heddle | early | live | ptxas -O1 | ptxas -O3 | ratio | reason |\n|---|---|--:|--:|--:|--:|--:|--:|---|\n",
        NEAR.start(),
        NEAR.end(),
        rows.len(),
        median(rows.iter().map(Row::ratio).collect()),
        median(o1),
        NEAR.start(),
        NEAR.end(),
    );
    for r in rows {
        let name = r.file.rsplit('/').next().unwrap_or(&r.file);
        let limit = r.limit.map(|l| format!(" (limit {l})")).unwrap_or_default();
        let (early, live, o1, o3, ratio) = (r.early, r.live, r.o1, r.o3, r.ratio());
        let reason = r.reason().unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{name}` | `{}` | {}{limit} | {early} | {live} | {o1} | {o3} | {ratio:.2} | {reason} |",
            r.entry, r.ours
        );
    }
    let _ = write!(
        page,
        "\n## With {SPILL_LIMIT} registers\n\n\
         Kernels that do not fit {SPILL_LIMIT} registers: spill stores and loads in the text, bytes of local memory a thread for \
         them,\nand instructions of the text compared with the program that has all registers.\n\n\
         | file | entry | stores | loads | bytes | instructions | all registers |\n|---|---|--:|--:|--:|--:|--:|\n"
    );
    for r in rows.iter().filter(|r| r.ours > SPILL_LIMIT) {
        let name = r.file.rsplit('/').next().unwrap_or(&r.file);
        let ([stores, loads, bytes], [least, most]) = (r.spills, r.instructions);
        let _ =
            writeln!(page, "| `{name}` | `{}` | {stores} | {loads} | {bytes} | {least} | {most} |", r.entry);
    }
    page
}
