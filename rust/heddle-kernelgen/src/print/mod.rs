//! From the tree to PTX.
//!
//! Registers: `%r` `%f` `%rd` `%q` are the variables, `%t` `%a` `%p` temporaries. Of the variables only
//! those that the code names are declared with a value, so that a kernel that was shrunk is short.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::GeneratedKernel;
use crate::ast::{PredRef, Source, Var};
use crate::forms::{ATOMICS, Class, TABLE};
use crate::instance::{Layout, SLOTS};

/// One instruction, with a tab before it.
macro_rules! emit {
    ($writer:expr, $($arg:tt)*) => {{
        $writer.text.push('\t');
        // Writing to a String cannot fail.
        let _ = writeln!($writer.text, $($arg)*);
    }};
}

mod gather;
mod memory;
mod prologue;
mod statements;

/// Parameters of a kernel: inputs, outputs, slots, counters, exchange; all are addresses.
const PARAMS: usize = 5;

/// Parts of the prologue that the code needs.
#[derive(Default)]
struct Needs {
    ints: BTreeSet<u16>,
    floats: BTreeSet<u16>,
    wides: BTreeSet<u16>,
    preds: BTreeSet<u16>,
    /// The thread's part of the global buffer.
    scratch: bool,
    /// The thread's local memory.
    local: bool,
    /// The shared words of exchanges.
    slots: bool,
    /// The global words of exchanges.
    exchange: bool,
    shared_counters: bool,
    global_counters: bool,
    /// The constant table.
    table: bool,
}

/// Writes code and hands out temporaries.
#[derive(Default)]
struct Writer {
    text: String,
    needs: Needs,
    temps: u32,
    addresses: u32,
    preds: u32,
    labels: u32,
    threads: u32,
}

pub(crate) fn ptx(kernel: &GeneratedKernel) -> String {
    let layout = Layout::of(kernel);
    let mut code = Writer { threads: kernel.options.threads, ..Writer::default() };
    code.block(&kernel.code.body);
    if code.needs.shared_counters {
        code.dump_shared_counters();
    }
    code.block(&kernel.code.tail);
    code.outputs(kernel, &layout);

    let mut head =
        Writer { temps: code.temps, addresses: code.addresses, preds: code.preds, ..Writer::default() };
    head.prologue(&code.needs);
    assemble(kernel, &code, &head)
}

fn assemble(kernel: &GeneratedKernel, code: &Writer, head: &Writer) -> String {
    let name = GeneratedKernel::ENTRY;
    let o = &kernel.options;
    let mut text =
        format!("// Generated from seed {}.\n.version 7.5\n.target sm_80\n.address_size 64\n\n", kernel.seed);
    if code.needs.table {
        let words = TABLE.map(|w| w.to_string()).join(", ");
        let _ = writeln!(text, ".const .align 4 .u32 table[{}] = {{{words}}};\n", TABLE.len());
    }
    let _ = writeln!(text, ".visible .entry {name}(");
    let params = (0..PARAMS).map(|i| format!("\t.param .u64 {name}_param_{i}"));
    text += &params.collect::<Vec<_>>().join(",\n");
    text += "\n)\n{\n";
    let registers = [
        ("pred", "q", u32::from(o.preds)),
        ("pred", "p", head.preds),
        ("f32", "f", u32::from(o.floats)),
        ("b32", "r", u32::from(o.ints)),
        ("b32", "t", head.temps),
        ("b64", "rd", u32::from(o.wides)),
        ("b64", "a", head.addresses),
    ];
    for (class, prefix, n) in registers.into_iter().filter(|r| r.2 > 0) {
        let _ = writeln!(text, "\t.reg .{class} \t%{prefix}<{n}>;");
    }
    text += "\t.reg .b32 \t%lin, %gid;\n\t.reg .b64 \t%scratch, %counters, %exchange;\n";
    let memories = [
        (code.needs.slots, ".shared .align 4 .b8 slots", 4 * o.threads as usize),
        (code.needs.shared_counters, ".shared .align 4 .b8 counters", 4 * ATOMICS.len()),
        (code.needs.local, ".local .align 16 .b8 depot", 4 * SLOTS as usize),
    ];
    for (_, declaration, bytes) in memories.into_iter().filter(|m| m.0) {
        let _ = writeln!(text, "\t{declaration}[{bytes}];");
    }
    text + "\n" + &head.text + &code.text + "\tret;\n}\n"
}

impl Writer {
    fn temp(&mut self) -> String {
        self.temps += 1;
        format!("%t{}", self.temps - 1)
    }

    fn address(&mut self) -> String {
        self.addresses += 1;
        format!("%a{}", self.addresses - 1)
    }

    fn fresh_pred(&mut self) -> String {
        self.preds += 1;
        format!("%p{}", self.preds - 1)
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("$L{}", self.labels)
    }

    fn var(&mut self, var: Var) -> String {
        let (set, prefix) = match var.class {
            Class::Int => (&mut self.needs.ints, "r"),
            Class::Float => (&mut self.needs.floats, "f"),
            Class::Wide => (&mut self.needs.wides, "rd"),
        };
        set.insert(var.index);
        format!("%{prefix}{}", var.index)
    }

    fn source(&mut self, source: Source) -> String {
        match source {
            Source::Var(v) => self.var(v),
            Source::Imm(i) => i.to_string(),
            Source::Special(name) => {
                let temp = self.temp();
                emit!(self, "mov.u32 \t{temp}, {name};");
                temp
            }
        }
    }

    /// The predicate as a source: `%q1` or `!%q1`.
    fn pred(&mut self, pred: PredRef) -> String {
        self.needs.preds.insert(pred.index);
        let sign = if pred.negated { "!" } else { "" };
        format!("{sign}%q{}", pred.index)
    }

    fn guard(&mut self, guard: Option<PredRef>) -> String {
        guard.map_or(String::new(), |p| format!("@{} ", self.pred(p)))
    }
}
