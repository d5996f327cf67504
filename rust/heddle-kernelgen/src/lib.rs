//! Random kernels that are right by construction, to put machines and compilers to the test.
//!
//! [`generate`] makes PTX and a launch from a seed: nested loops with bounded trip counts, branches and
//! guards that depend on the lane, exchanges through shared and global memory between barriers, loads
//! and stores to slots of the thread's own in global and local memory, by space or generic, with all
//! cache operators, shuffles, votes and barriers with reductions where all threads are together, atomic counters, a constant table, fences, and integer, exactly rounded float,
//! double and 64-bit arithmetic. Such a kernel
//!
//! - ends: each loop has at most seven trips and the product over nested loops is limited;
//! - reads nothing that was not written: every variable and every slot has a value at the start;
//! - has no races: a thread touches its own slots only, but for exchanges, which lie between barriers
//!   that all threads meet, and for counters, whose atomic operations commute;
//! - leaves a memory that depends on nothing but the semantics of PTX, so any two right machines agree.
//!
//! There is no reference: final memories of two machines are compared with each other. When they differ,
//! [`shrink`] removes from the kernel what the difference does not need.
//!
//! ```
//! use heddle_kernelgen::{GenOptions, generate, shrink};
//!
//! let kernel = generate(7, &GenOptions::default());
//! assert!(kernel.ptx().contains(".visible .entry generated"));
//! // Pretend that 64-bit products are wrong: what is left has one, and next to nothing else.
//! let wrong = |ptx: &str| ptx.contains("mul.wide");
//! if wrong(&kernel.ptx()) {
//!     let small = shrink(&kernel, |k| wrong(&k.ptx()));
//!     assert!(wrong(&small.ptx()) && small.statements() <= 1);
//! }
//! ```

mod ast;
mod choose;
mod forms;
mod instance;
mod print;
mod shrink;

use heddle_workloads::random::SplitMix64;

pub use shrink::shrink;

/// Size and contents of generated kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenOptions {
    /// Threads of a CTA, 1 to 1024; need not be whole warps.
    pub threads: u32,
    /// CTAs, at least 1.
    pub ctas: u32,
    /// 32-bit integer variables, at least 2. All variables live from begin to end, so their number is
    /// the register pressure: `ints + floats + 2 * wides`, and some temporaries.
    pub ints: u16,
    /// Float variables, at least 1.
    pub floats: u16,
    /// 64-bit variables, at least 1.
    pub wides: u16,
    /// Predicate variables, at least 1.
    pub preds: u16,
    /// Statements in the text, about.
    pub statements: u32,
    /// Statements that a thread executes, at most about.
    pub executed: u32,
    /// Depth of nesting of loops and branches.
    pub depth: u32,
    /// Exchanges between threads, with barriers, and operations between the threads of a warp.
    pub barriers: bool,
    /// Atomic operations.
    pub atomics: bool,
    /// Threads that exit early.
    pub exits: bool,
}

impl Default for GenOptions {
    fn default() -> Self {
        Self {
            threads: 64,
            ctas: 2,
            ints: 10,
            floats: 4,
            wides: 3,
            preds: 3,
            statements: 60,
            executed: 600,
            depth: 3,
            barriers: true,
            atomics: true,
            exits: true,
        }
    }
}

impl GenOptions {
    /// Options that differ from seed to seed: from a few live values to more than a partition of
    /// sixteen registers holds, from one warp with idle lanes to several CTAs.
    #[must_use]
    pub fn varied(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed, 1);
        let mut between = |low: u32, high: u32| low + random.below(high - low + 1);
        let small = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
        // One kernel in eight has three times the values, up to 130 registers.
        let most = if between(0, 7) == 0 { 3 } else { 1 };
        Self {
            threads: [32, 24, 64, 100, 128, 33][between(0, 5) as usize],
            ctas: between(1, 3),
            ints: small(between(2, 24 * most)),
            floats: small(between(1, 10 * most)),
            wides: small(between(1, 5 * most)),
            preds: small(between(1, 4)),
            statements: between(10, 120),
            executed: between(100, 800),
            depth: between(1, 4),
            barriers: between(0, 3) != 0,
            atomics: between(0, 3) != 0,
            exits: between(0, 1) != 0,
        }
    }

    /// The options with values that are too small or too large set to the nearest possible.
    #[must_use]
    fn clamped(&self) -> Self {
        Self {
            threads: self.threads.clamp(1, 1024),
            ctas: self.ctas.clamp(1, 1 << 16),
            ints: self.ints.clamp(2, 200),
            floats: self.floats.clamp(1, 200),
            wides: self.wides.clamp(1, 100),
            preds: self.preds.clamp(1, 100),
            ..self.clone()
        }
    }
}

/// A generated kernel with its launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedKernel {
    /// The seed that it came from; also the seed of its inputs.
    pub seed: u64,
    options: GenOptions,
    code: ast::Code,
}

/// The kernel of `seed`: equal arguments give equal kernels.
#[must_use]
pub fn generate(seed: u64, options: &GenOptions) -> GeneratedKernel {
    let options = options.clamped();
    let code = choose::code(seed, &options);
    GeneratedKernel { seed, options, code }
}

impl GeneratedKernel {
    /// Name of the entry.
    pub const ENTRY: &'static str = "generated";

    /// The PTX text.
    #[must_use]
    pub fn ptx(&self) -> String {
        print::ptx(self)
    }

    /// Number of statements, branches and loops counted with what is in them.
    #[must_use]
    pub fn statements(&self) -> usize {
        ast::count(&self.code.body) + ast::count(&self.code.tail)
    }

    /// Size of the launch and numbers of variables.
    #[must_use]
    pub fn options(&self) -> &GenOptions {
        &self.options
    }
}
