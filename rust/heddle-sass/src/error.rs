//! What can be wrong with a graph.

use std::fmt;

/// Most characters of a file that a message shows.
pub(crate) const MOST_SHOWN: usize = 80;

/// A place in a file: line and column from 1, the column in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A file that is no control-flow graph of machine code, or one that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct SassError {
    /// Where.
    pub at: Place,
    /// What.
    #[source]
    pub fault: Fault,
}

/// What is wrong at a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text is not in the part of DOT that nvdisasm writes.
    #[error("expected {expected}, found {found}")]
    Dot {
        /// What could stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// Two attributes `label` of one node.
    #[error("a second label; expected one")]
    SecondLabel,
    /// Two subgraphs of one name.
    #[error("a second subgraph '{name}'; expected each function once")]
    SecondCluster {
        /// The name.
        name: String,
    },
    /// Two instructions at one offset of a function.
    #[error("a second instruction at {address:04x}; expected each offset once in a function")]
    SecondAt {
        /// The offset.
        address: u64,
    },
    /// Two nodes of one name.
    #[error("a second node '{node}'; expected each block once in a function")]
    Twice {
        /// The name.
        node: String,
    },
    /// An edge to or from a node that the graph does not have.
    #[error("an edge to or from '{node}'; the graph has no such node")]
    UnknownNode {
        /// The name.
        node: String,
    },
    /// An edge that leaves a block at no instruction.
    #[error(
        "an edge that leaves '{node}' at '{port}'; expected an instruction there, or one in the block that names \
         the target '{target}'"
    )]
    Port {
        /// The block.
        node: String,
        /// The port.
        port: String,
        /// Where the edge leads.
        target: String,
    },
    /// A direct branch that the graph leads nowhere.
    #[error("'{branch}' in '{node}' has no edge; expected one to where it leads")]
    Branch {
        /// The branch.
        branch: String,
        /// Its block.
        node: String,
    },
    /// More ways from instruction to instruction than a program has.
    #[error("the function has more than {most} ways from an instruction to one that may follow")]
    Ways {
        /// Most that are read.
        most: usize,
    },
    /// A line of a label that is no instruction.
    #[error("'{found}' is no instruction; expected an opcode and operands, after a guard if there is one")]
    Instruction {
        /// The line.
        found: String,
    },
    /// A number that no register has.
    #[error("'{found}' is no register; expected {expected}")]
    Register {
        /// The operand's part.
        found: String,
        /// Registers with these letters.
        expected: &'static str,
    },
    /// An opcode that the tables do not have.
    #[error("opcode '{opcode}' is not known for sm_{architecture}; --arch names another architecture")]
    UnknownOpcode {
        /// Opcode with modifiers.
        opcode: String,
        /// The architecture.
        architecture: u32,
    },
    /// Registers that an opcode does not have.
    #[error("{opcode}: {reason}")]
    Operands {
        /// Opcode with modifiers.
        opcode: String,
        /// Why.
        reason: String,
    },
    /// An architecture whose opcodes are not known.
    #[error("sm_{architecture} is not known; expected one of {:?}", crate::ARCHITECTURES)]
    Architecture {
        /// The number.
        architecture: u32,
    },
    /// No block has an instruction.
    #[error("no function with instructions; expected the output of nvdisasm -cfg")]
    Empty,
}
