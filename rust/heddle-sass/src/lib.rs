//! Control-flow graphs of machine code, as `nvdisasm -cfg` writes them in Graphviz's DOT language, Kepler to Hopper.
//!
//! [`read`] makes a [`Program`](heddle_isa::Program) of each function: its instructions with all the registers that
//! they read and write, and where control goes on. What an instruction computes is not known, so that such a program
//! can be analysed by the compiler's passes but not run. `docs/binaries.md` has the format and its limits.
//!
//! ```
//! let text = r#"digraph f {
//! "k" [label="{<entry>k:\l0000:\ \ \ S2R\ R0,\ SR_TID.X\ ;\l0010:\ \ \ EXIT\ ;\l}"]
//! }"#;
//! let functions = heddle_sass::read("k.dot", text, Some(70)).expect("a graph");
//! assert_eq!(functions[0].program.instrs.len(), 2);
//! ```

mod architecture;
mod dot;
mod error;
mod flow;
mod function;
mod instruction;
mod label;
mod operand;
mod registers;
mod texture;
mod warpgroup;

pub use architecture::ARCHITECTURES;
pub use error::{Fault, Place, SassError};
pub use function::{Function, read};

/// A graph as a file: text of at most 64 MiB.
pub const DOT_FILE: heddle_files::Input =
    heddle_files::Input { expected: "a control-flow graph as nvdisasm -cfg writes it", most: 64 << 20 };
