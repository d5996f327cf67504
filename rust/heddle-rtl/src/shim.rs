//! The adapter that stands between a verilated top and the runtime.

use heddle_manifest::Manifest;
use heddle_port::{
    Issue, MemLowerRequest, MemLowerResponse, MemRequest, MemResponse, Operands, PortStruct, ResultWrite,
};
use verilated_runtime::build::Shim;

const SHIM: &str = include_str!("../cpp/register_file_shim.cpp");

/// What the adapter of a model with mutants has besides.
const MUTANTS: &str = include_str!("../cpp/mutants.h");

/// What is put into a design's sources before they are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Added {
    /// Nothing: the design as it is.
    Nothing,
    /// Planted bugs.
    Bugs,
    /// Mutants.
    Mutants,
}

pub(crate) fn shim(manifest: &Manifest, added: Added) -> Shim {
    let top = &manifest.top;
    let (mutants, adapter) = match added {
        Added::Nothing | Added::Bugs => ("", "Adapter"),
        Added::Mutants => (MUTANTS, "MutantAdapter"),
    };
    let text = format!(
        "#define HEDDLE_MODEL V{top}\n\
         #define HEDDLE_MODEL_HEADER \"V{top}.h\"\n\
         #define HEDDLE_ISSUE_BITS {}\n\
         #define HEDDLE_OPERANDS_BITS {}\n\
         #define HEDDLE_RESULT_BITS {}\n\
         #define HEDDLE_MEM_REQUEST_BITS {}\n\
         #define HEDDLE_MEM_RESPONSE_BITS {}\n\
         #define HEDDLE_MEM_LOWER_REQUEST_BITS {}\n\
         #define HEDDLE_MEM_LOWER_RESPONSE_BITS {}\n\
         #define HEDDLE_FAULTS {}\n\
         #define HEDDLE_MEMORY {}\n\
         #line 1 \"register_file_shim.cpp\"\n\
         {SHIM}{mutants}\n\
         VERILATED_RUNTIME_MODEL({adapter})\n",
        Issue::BITS,
        Operands::BITS,
        ResultWrite::BITS,
        MemRequest::BITS,
        MemResponse::BITS,
        MemLowerRequest::BITS,
        MemLowerResponse::BITS,
        u8::from(added == Added::Bugs),
        u8::from(manifest.memory_port.any()),
    );
    Shim::new("register_file_shim.cpp", text)
}
