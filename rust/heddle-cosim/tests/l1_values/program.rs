//! Small programs, a CTA an SM.

use std::sync::{Arc, Mutex};

use heddle_cosim::{Engine, Kernel, MadeKernel, RtlSms, RunError, RunReport, RunSpec, Session};
use heddle_workloads::Instance;
use heddle_workloads::buffers::Host;
use heddle_workloads::script::Script;

/// Bytes from one word that CTAs share to the next: lines of their own.
const APART: usize = 256;

/// Names the host code in messages.
const HOST: Host = Host { workload: "l1-values" };

/// What each CTA does, in PTX, with `[%x]`, `[%y]`, ... the words that they share, `%r0` to `%r9` to fill, and `%t` the lane, `%w` the warp (of a power of two).
/// At its end it leaves `%r0` to `%r9` of each thread.
#[derive(Debug, Clone)]
pub struct Program {
    /// The code of each CTA.
    pub ctas: Vec<String>,
    /// Warps of each CTA, which do the same.
    pub warps: usize,
    /// Bytes that the CTAs share.
    pub shared: usize,
}

/// Registers that a lane leaves.
const LEFT: usize = 10;

/// `%x`, `%y`, `%z`.
const NAMES: [&str; 3] = ["x", "y", "z"];

impl Program {
    /// CTAs that share the words x, y and z.
    pub fn of_words(ctas: impl IntoIterator<Item = String>) -> Self {
        Self { ctas: ctas.into_iter().collect(), warps: 1, shared: NAMES.len() * APART }
    }

    fn ptx(&self) -> String {
        let names: String = NAMES
            .iter()
            .enumerate()
            .map(|(i, name)| format!("add.s64 %{name}, %shared, {};\n", i * APART))
            .collect();
        let zeroed: String = (0..LEFT).map(|r| format!("mov.u32 %r{r}, 0;\n")).collect();
        let left: String = (0..LEFT).map(|r| format!("st.global.u32 [%out+{}], %r{r};\n", 4 * r)).collect();
        let mut branches = String::new();
        let mut bodies = String::new();
        for (cta, body) in self.ctas.iter().enumerate() {
            branches += &format!("setp.eq.u32 %p, %cta, {cta};\n@%p bra CTA{cta};\n");
            bodies += &format!("CTA{cta}:\n{body}\nbra LEAVE;\n");
        }
        format!(
            ".version 8.6\n.target sm_70\n.address_size 64\n\
             .visible .entry k(.param .u64 shared, .param .u64 out)\n{{\n\
             .reg .pred %p, %q;\n.reg .b32 %r<{LEFT}>, %t, %cta, %w, %n, %k, %v<8>;\n\
             .reg .b64 %shared, %out, %own, %at, %x, %y, %z, %u<4>;\n.reg .b16 %h<4>;\n\
             ld.param.u64 %shared, [shared];\nld.param.u64 %out, [out];\n\
             mov.u32 %t, %tid.x;\nmov.u32 %cta, %ctaid.x;\n\
             mad.lo.u32 %n, %cta, {threads}, %t;\nmov.u32 %t, %laneid;\nshr.u32 %w, %n, 5;\nand.b32 %w, %w, {last};\nmul.wide.u32 %own, %n, {each};\nadd.s64 %out, %out, %own;\n\
             {names}{zeroed}{branches}bra LEAVE;\n{bodies}LEAVE:\n{left}ret;\n}}\n",
            each = 4 * LEFT,
            threads = 32 * self.warps,
            last = self.warps - 1
        )
    }

    /// Runs it on as many SMs as it has CTAs, of which `rtl` are RTL, in lock-step with the golden machine. `%r0` to `%r9` of
    /// lane 0 of each CTA.
    pub fn run(&self, preset: &str, rtl: &[u32]) -> (Vec<[u32; LEFT]>, RunReport) {
        let rtl = RtlSms::Some(rtl.iter().copied().collect());
        self.run_with(preset, |spec| spec.rtl_sms = rtl)
    }

    /// The same with what `change` does to the run.
    pub fn run_with(&self, preset: &str, change: impl FnOnce(&mut RunSpec)) -> (Vec<[u32; LEFT]>, RunReport) {
        self.try_run(preset, change).unwrap_or_else(|e| panic!("{preset}: {e}\n{}", self.ptx()))
    }

    /// The same, which may fail.
    pub fn try_run(
        &self,
        preset: &str,
        change: impl FnOnce(&mut RunSpec),
    ) -> Result<(Vec<[u32; LEFT]>, RunReport), RunError> {
        let ctas = self.ctas.len();
        let threads = 32 * self.warps;
        let left = Arc::new(Mutex::new(Vec::new()));
        let made = Made { program: self.clone(), left: Arc::clone(&left) };
        let folder = tempfile::tempdir().expect("temporary folder");
        let kernel = Kernel::Made(Arc::new(made));
        let mut spec = RunSpec::new(crate::common::root(), "baseline", kernel, Engine::Cosim);
        spec.preset = Some(preset.to_owned());
        spec.results = folder.path().to_owned();
        spec.sms = ctas as u32;
        change(&mut spec);
        let report = Session::new(spec).and_then(|mut session| session.run(&mut ()))?;
        let left = left.lock().expect("the check has run");
        let of_cta = |cta: usize| std::array::from_fn(|r| left[cta * threads * LEFT + r]);
        Ok(((0..ctas).map(of_cta).collect(), report))
    }
}

/// A program with its host code, which notes what it left.
#[derive(Debug)]
struct Made {
    program: Program,
    left: Arc<Mutex<Vec<u32>>>,
}

impl MadeKernel for Made {
    fn name(&self) -> String {
        HOST.workload.to_owned()
    }

    fn ptx(&self) -> String {
        self.program.ptx()
    }

    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        let Program { ctas, warps, shared } = &self.program;
        let (ctas, threads, left) = (ctas.len(), 32 * warps, Arc::clone(&self.left));
        let mut s = Script::new(HOST);
        let shared = s.input("shared", &vec![0u32; shared / 4]);
        let out = s.input("out", &vec![0u32; ctas * threads * LEFT]);
        s.launch("k", [ctas, 1, 1], [threads, 1, 1]).pointer(shared).pointer(out);
        s.judge(move |r| {
            let found: Vec<u32> = r.read(out)?;
            r.property(out, found.len() as u64, None)?;
            if let Ok(mut left) = left.lock() {
                *left = found;
            }
            Ok(())
        });
        Box::new(s)
    }
}

/// A loop of so many rounds, then `code`.
pub fn after(rounds: u32, code: &str) -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static LABELS: AtomicU32 = AtomicU32::new(0);
    let label = LABELS.fetch_add(1, Ordering::Relaxed);
    format!(
        "mov.u32 %k, 0;\nWAIT{label}:\nadd.u32 %k, %k, 1;\nsetp.lt.u32 %q, %k, {rounds};\n@%q bra WAIT{label};\n{code}"
    )
}
