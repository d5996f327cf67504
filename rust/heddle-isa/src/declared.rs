//! What a kernel declares of its launches, and the limits of every block.

/// Most threads of a block.
pub const MAX_BLOCK_THREADS: u64 = 1024;
/// Most threads of a block in x, y and z.
pub const MAX_BLOCK: [u64; 3] = [1024, 1024, 64];

/// What a kernel declares of its launches (PTX ISA, performance-tuning directives).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Declared {
    /// `.reqntid`: the dimensions that each block has.
    pub block: Option<[u32; 3]>,
    /// `.maxntid`: most threads of a block.
    pub threads: Option<u64>,
    /// `.maxnreg`: most registers of a thread.
    pub registers: Option<u32>,
}

impl Declared {
    /// What blocks are expected, where one of these dimensions is none of them.
    #[must_use]
    pub fn expected_block(&self, block: [u32; 3]) -> Option<String> {
        match *self {
            Self { block: Some(only), .. } if only != block => {
                Some(format!("{only:?}, as .reqntid declares"))
            }
            Self { threads: Some(most), .. } if threads_of(block) > most => {
                Some(format!("at most {most} threads, as .maxntid declares"))
            }
            _ => None,
        }
    }
}

/// Threads of a block of these dimensions; the largest number of 64 bits where they are more.
#[must_use]
pub fn threads_of(block: [u32; 3]) -> u64 {
    block.iter().fold(1, |threads, &n| threads.saturating_mul(n.into()))
}
