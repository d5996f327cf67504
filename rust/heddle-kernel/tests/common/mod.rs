//! Helpers of the integration tests.

use std::path::{Path, PathBuf};

use heddle_isa::Program;
use heddle_kernel::{Diagnostics, lower, parse};

/// A kernel with registers of every type around `body`.
pub fn kernel(body: &str) -> String {
    format!(
        ".version 8.5\n.target sm_75\n.address_size 64\n\
         .global .align 4 .b8 table[64];\n.const .align 4 .f32 weights[4] = {{0f3F800000, 2.0, 3.0}};\n\
         .extern .shared .align 16 .b8 dynamic[];\n\
         .visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{{\n\
         .reg .pred %p<9>;\n.reg .b8 %c<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n\
         .reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n.shared .align 8 .b8 buffer[128];\n\
         .local .align 8 .b8 depot[32];\n{body}\nret;\n}}\n"
    )
}

/// The kernel around `body`, lowered.
pub fn lowered(body: &str) -> Result<Program, Diagnostics> {
    let module = parse("test.ptx", &kernel(body))?;
    Ok(lower(&module)?.remove(0))
}

/// Every PTX file that nvcc made: of the workloads, and of this crate's coverage kernels.
pub fn nvcc_files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("tests/data/coverage.ptx")];
    let kernels = root.join("../workloads/kernels");
    for folder in std::fs::read_dir(&kernels).expect("the workloads' kernels") {
        let folder = folder.expect("a folder").path();
        for file in std::fs::read_dir(&folder).expect("a kernel's folder") {
            let file = file.expect("a file").path();
            if file.extension().is_some_and(|e| e == "ptx") {
                files.push(file);
            }
        }
    }
    assert!(files.len() >= 5, "PTX files are missing: {files:?}");
    files.sort();
    files
        .into_iter()
        .map(|f| {
            let text = std::fs::read_to_string(&f).expect("a readable PTX file");
            (f, text)
        })
        .collect()
}

/// A small deterministic generator (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).expect("below n")
    }
}

/// Runs the only kernel of `text`, whose one parameter is the address of `words` output words, with
/// `threads` threads on the golden machine: as parsed, and allocated to 255 and to 16 registers, which
/// must agree. The words that nothing wrote are 0.
pub fn run_words(text: &str, threads: u32, words: u32) -> Vec<u32> {
    let parsed = heddle_kernel::lower_entry(&parse("test.ptx", text).unwrap_or_else(|e| panic!("{e}")), None)
        .unwrap_or_else(|e| panic!("{e}"));
    let expected = golden_words(&parsed, threads, words).unwrap_or_else(|e| panic!("{e}"));
    for max_registers in [16, 255] {
        let options = heddle_kernel::AllocOptions { max_registers };
        let allocated = heddle_kernel::allocate(&parsed, options).unwrap_or_else(|e| panic!("{e}"));
        let found = golden_words(&allocated, threads, words).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(found, expected, "{max_registers} registers");
    }
    expected
}

/// The output words of a program on the golden machine.
pub fn golden_words(
    program: &Program,
    threads: u32,
    words: u32,
) -> Result<Vec<u32>, heddle_functional::GoldenError> {
    let mut memory = heddle_isa::DeviceMemory::new();
    program.load_globals(&mut memory).expect("room for the variables");
    let address = memory.allocate("out", 4 * words).expect("room");
    memory.write_bytes(address, &vec![0; 4 * words as usize]).expect("inside");
    let launch = heddle_isa::KernelLaunch {
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        params: u64::from(address).to_le_bytes().to_vec(),
        ..Default::default()
    };
    let program = std::sync::Arc::new(program.clone());
    let mut golden = heddle_functional::Golden::new(program, &launch, memory)?;
    golden.run_all(0..1, Some(1_000_000))?;
    let out = golden.memory().regions().iter().find(|r| r.start == address).expect("the buffer");
    Ok(out.data.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().expect("4 bytes"))).collect())
}
