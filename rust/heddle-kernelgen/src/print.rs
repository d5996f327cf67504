//! From the tree to PTX.
//!
//! Registers: `%r` `%f` `%rd` `%q` are the variables, `%t` `%a` `%p` temporaries. Of the variables only
//! those that the code names are declared with a value, so that a kernel that was shrunk is short.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::GeneratedKernel;
use crate::ast::{Access, Cond, Counter, PredRef, Slot, Source, Stmt, Trips, Var};
use crate::forms::Class;
use crate::instance::{INPUTS, Layout, SLOTS};

/// Parts of the prologue that the code needs.
#[derive(Default)]
struct Needs {
    ints: BTreeSet<u16>,
    floats: BTreeSet<u16>,
    wides: BTreeSet<u16>,
    preds: BTreeSet<u16>,
    scratch: bool,
    exchange: bool,
    shared_counter: bool,
    global_counter: bool,
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

/// One instruction, with a tab before it.
macro_rules! emit {
    ($writer:expr, $($arg:tt)*) => {{
        $writer.text.push('\t');
        // Writing to a String cannot fail.
        let _ = writeln!($writer.text, $($arg)*);
    }};
}

pub(crate) fn ptx(kernel: &GeneratedKernel) -> String {
    let layout = Layout::of(kernel);
    let mut code = Writer { threads: kernel.options.threads, ..Writer::default() };
    code.block(&kernel.code.body);
    if code.needs.shared_counter {
        code.dump_shared_counter();
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
    let mut text = format!(
        "// Generated from seed {}.\n.version 7.5\n.target sm_75\n.address_size 64\n\n\
         .visible .entry {name}(\n",
        kernel.seed
    );
    let params = (0..4).map(|i| format!("\t.param .u64 {name}_param_{i}"));
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
    text += "\t.reg .b32 \t%lin, %gid;\n\t.reg .b64 \t%scratch, %counters;\n";
    if code.needs.exchange {
        let _ = writeln!(text, "\t.shared .align 4 .b8 slots[{}];", 4 * o.threads);
    }
    if code.needs.shared_counter {
        text += "\t.shared .align 4 .b8 counter[4];\n";
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

    /// Evaluates a condition to a predicate source.
    fn cond(&mut self, cond: Cond) -> String {
        match cond {
            Cond::Pred(p) => self.pred(p),
            Cond::Compare { compare, sources, combine } => {
                let [left, right] = sources.map(|s| self.source(s));
                let result = self.fresh_pred();
                let (operator, suffix) = (compare.operator, compare.suffix);
                if let Some((with, pred)) = combine {
                    let pred = self.pred(pred);
                    emit!(self, "setp.{operator}.{with}.{suffix} \t{result}, {left}, {right}, {pred};");
                } else {
                    emit!(self, "setp.{operator}.{suffix} \t{result}, {left}, {right};");
                }
                result
            }
        }
    }

    fn block(&mut self, list: &[Stmt]) {
        for stmt in list {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign { .. } => self.assign(stmt),
            Stmt::Unpack { low, high, wide } => {
                let (low, high, wide) = (self.var(*low), self.var(*high), self.var(*wide));
                emit!(self, "mov.b64 \t{{{low}, {high}}}, {wide};");
            }
            Stmt::Decide { index, cond } => self.decide(*index, *cond),
            Stmt::If { cond, then, otherwise } => self.branch(*cond, then, otherwise),
            Stmt::Loop { trips, body, leave } => self.repeat(*trips, body, *leave),
            Stmt::Store(access) => self.access("st", access),
            Stmt::Load(access) => self.access("ld", access),
            Stmt::Add { counter, var, guard } => self.add(*counter, *var, *guard),
            Stmt::Exchange { shown, taken, distance } => self.exchange(*shown, *taken, *distance),
            Stmt::Exit { cond } => {
                let cond = self.cond(*cond);
                emit!(self, "@{cond} exit;");
            }
        }
    }

    fn assign(&mut self, stmt: &Stmt) {
        let Stmt::Assign { form, destination, sources, select, guard } = stmt else {
            return;
        };
        let mut given = sources.iter();
        let mut texts = Vec::new();
        for kind in form.sources {
            if *kind == crate::forms::Kind::Pred {
                // `selp` takes no negated predicate.
                let plain = PredRef { negated: false, ..*select };
                texts.push(self.pred(plain));
                continue;
            }
            let Some(&source) = given.next() else {
                continue;
            };
            let mut text = self.source(source);
            if *kind == crate::forms::Kind::Odd {
                let odd = self.temp();
                emit!(self, "or.b32 \t{odd}, {text}, 1;");
                text = odd;
            }
            texts.push(text);
        }
        let sources = if form.packed { format!("{{{}}}", texts.join(", ")) } else { texts.join(", ") };
        let guard = self.guard(*guard);
        let destination = self.var(*destination);
        emit!(self, "{guard}{} \t{destination}, {sources};", form.text);
    }

    fn decide(&mut self, index: u16, cond: Cond) {
        let from = self.cond(cond);
        let (negated, from) = from.strip_prefix('!').map_or((false, from.as_str()), |f| (true, f));
        let operation = if negated { "not" } else { "mov" };
        let target = self.pred(PredRef { index, negated: false });
        emit!(self, "{operation}.pred \t{target}, {from};");
    }

    /// Branches to `label` where `cond` fails.
    fn branch_unless(&mut self, cond: &str, label: &str) {
        match cond.strip_prefix('!') {
            Some(pred) => emit!(self, "@{pred} bra \t{label};"),
            None => emit!(self, "@!{cond} bra \t{label};"),
        }
    }

    fn branch(&mut self, cond: Cond, then: &[Stmt], otherwise: &[Stmt]) {
        let cond = self.cond(cond);
        let (middle, end) = (self.label(), self.label());
        self.branch_unless(&cond, &middle);
        self.block(then);
        if otherwise.is_empty() {
            let _ = writeln!(self.text, "{middle}:");
        } else {
            emit!(self, "bra.uni \t{end};");
            let _ = writeln!(self.text, "{middle}:");
            self.block(otherwise);
            let _ = writeln!(self.text, "{end}:");
        }
    }

    fn repeat(&mut self, trips: Trips, body: &[Stmt], leave: Option<(usize, Cond)>) {
        let left = self.temp();
        match trips {
            Trips::Const(n) => emit!(self, "mov.u32 \t{left}, {n};"),
            Trips::Lane { var, mask } => {
                let var = self.var(var);
                emit!(self, "and.b32 \t{left}, {var}, {mask};");
            }
        }
        let (begin, end) = (self.label(), self.label());
        let done = self.fresh_pred();
        let _ = writeln!(self.text, "{begin}:");
        emit!(self, "setp.eq.s32 \t{done}, {left}, 0;");
        emit!(self, "@{done} bra \t{end};");
        let behind = leave.map_or(body.len(), |(n, _)| n.min(body.len()));
        self.block(&body[..behind]);
        if let Some((_, cond)) = leave {
            let cond = self.cond(cond);
            emit!(self, "@{cond} bra \t{end};");
        }
        self.block(&body[behind..]);
        emit!(self, "add.s32 \t{left}, {left}, -1;");
        emit!(self, "bra.uni \t{begin};");
        let _ = writeln!(self.text, "{end}:");
    }

    fn access(&mut self, operation: &str, access: &Access) {
        self.needs.scratch = true;
        let place = match access.slot {
            Slot::Fixed(slot) => format!("[%scratch+{}]", 4 * slot),
            Slot::Dynamic(var) => {
                let var = self.var(var);
                let (slot, offset, at) = (self.temp(), self.address(), self.address());
                emit!(self, "and.b32 \t{slot}, {var}, {};", SLOTS - 1);
                emit!(self, "mul.wide.u32 \t{offset}, {slot}, 4;");
                emit!(self, "add.s64 \t{at}, %scratch, {offset};");
                format!("[{at}]")
            }
        };
        let vars: Vec<_> = access.vars.iter().map(|&v| self.var(v)).collect();
        let vars = match vars.as_slice() {
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(", ")),
        };
        let guard = self.guard(access.guard);
        let suffix = access.suffix;
        if operation == "st" {
            emit!(self, "{guard}st.global.{suffix} \t{place}, {vars};");
        } else {
            emit!(self, "{guard}ld.global.{suffix} \t{vars}, {place};");
        }
    }

    fn add(&mut self, counter: Counter, var: Var, guard: Option<PredRef>) {
        let (space, place) = match counter {
            Counter::Shared => {
                self.needs.shared_counter = true;
                ("shared", "[counter]")
            }
            Counter::Global => {
                self.needs.global_counter = true;
                ("global", "[%counters]")
            }
        };
        let guard = self.guard(guard);
        let odd = var.index % 2 == 1;
        let var = self.var(var);
        if odd {
            let old = self.temp();
            emit!(self, "{guard}atom.{space}.add.u32 \t{old}, {place}, {var};");
        } else {
            emit!(self, "{guard}red.{space}.add.u32 \t{place}, {var};");
        }
    }

    fn exchange(&mut self, shown: Var, taken: Var, distance: u32) {
        self.needs.exchange = true;
        let (base, own, other, offset) = (self.temp(), self.temp(), self.temp(), self.temp());
        let (shown, taken) = (self.var(shown), self.var(taken));
        let threads = self.threads;
        emit!(self, "mov.u32 \t{base}, slots;");
        emit!(self, "mad.lo.s32 \t{own}, %lin, 4, {base};");
        emit!(self, "st.shared.u32 \t[{own}], {shown};");
        emit!(self, "bar.sync \t0;");
        emit!(self, "add.s32 \t{other}, %lin, {distance};");
        emit!(self, "rem.u32 \t{other}, {other}, {threads};");
        emit!(self, "mad.lo.s32 \t{offset}, {other}, 4, {base};");
        emit!(self, "ld.shared.u32 \t{taken}, [{offset}];");
        emit!(self, "bar.sync \t0;");
    }

    /// Thread 0 stores the counter of its CTA when all threads have added.
    fn dump_shared_counter(&mut self) {
        self.needs.global_counter = true;
        let (first, value, cta) = (self.fresh_pred(), self.temp(), self.temp());
        let (offset, at, skip) = (self.address(), self.address(), self.label());
        emit!(self, "bar.sync \t0;");
        emit!(self, "setp.ne.s32 \t{first}, %lin, 0;");
        emit!(self, "@{first} bra \t{skip};");
        emit!(self, "ld.shared.u32 \t{value}, [counter];");
        emit!(self, "mov.u32 \t{cta}, %ctaid.x;");
        emit!(self, "mul.wide.u32 \t{offset}, {cta}, 4;");
        emit!(self, "add.s64 \t{at}, %counters, {offset};");
        emit!(self, "st.global.u32 \t[{at}+4], {value};");
        let _ = writeln!(self.text, "{skip}:");
    }

    fn outputs(&mut self, kernel: &GeneratedKernel, layout: &Layout) {
        if kernel.code.outputs.is_empty() {
            return;
        }
        let (param, offset, at) = (self.address(), self.address(), self.address());
        let name = GeneratedKernel::ENTRY;
        emit!(self, "ld.param.u64 \t{param}, [{name}_param_1];");
        emit!(self, "cvta.to.global.u64 \t{param}, {param};");
        emit!(self, "mul.wide.u32 \t{offset}, %gid, {};", layout.record);
        emit!(self, "add.s64 \t{at}, {param}, {offset};");
        for (&var, offset) in kernel.code.outputs.iter().zip(&layout.offsets) {
            let suffix = match var.class {
                Class::Int => "u32",
                Class::Float => "f32",
                Class::Wide => "u64",
            };
            let var = self.var(var);
            emit!(self, "st.global.{suffix} \t[{at}+{offset}], {var};");
        }
    }

    /// Loads the inputs of the thread and gives every variable that is needed a value.
    fn prologue(&mut self, needs: &Needs) {
        let name = GeneratedKernel::ENTRY;
        let (ntid, ctaid) = (self.temp(), self.temp());
        emit!(self, "mov.u32 \t%lin, %tid.x;");
        emit!(self, "mov.u32 \t{ntid}, %ntid.x;");
        emit!(self, "mov.u32 \t{ctaid}, %ctaid.x;");
        emit!(self, "mad.lo.s32 \t%gid, {ctaid}, {ntid}, %lin;");
        if needs.scratch {
            let offset = self.address();
            emit!(self, "ld.param.u64 \t%scratch, [{name}_param_2];");
            emit!(self, "cvta.to.global.u64 \t%scratch, %scratch;");
            emit!(self, "mul.wide.u32 \t{offset}, %gid, {};", 4 * SLOTS);
            emit!(self, "add.s64 \t%scratch, %scratch, {offset};");
        }
        if needs.global_counter {
            emit!(self, "ld.param.u64 \t%counters, [{name}_param_3];");
            emit!(self, "cvta.to.global.u64 \t%counters, %counters;");
        }
        if needs.shared_counter {
            let (other, zero) = (self.fresh_pred(), self.temp());
            emit!(self, "setp.eq.s32 \t{other}, %lin, 0;");
            emit!(self, "mov.u32 \t{zero}, 0;");
            emit!(self, "@{other} st.shared.u32 \t[counter], {zero};");
            emit!(self, "bar.sync \t0;");
        }
        self.initialise(needs);
    }

    fn initialise(&mut self, needs: &Needs) {
        let name = GeneratedKernel::ENTRY;
        let all = [&needs.ints, &needs.floats, &needs.wides, &needs.preds];
        if all.iter().all(|set| set.is_empty()) {
            return;
        }
        let (param, offset, at) = (self.address(), self.address(), self.address());
        let inputs: Vec<_> = (0..INPUTS).map(|_| self.temp()).collect();
        emit!(self, "ld.param.u64 \t{param}, [{name}_param_0];");
        emit!(self, "cvta.to.global.u64 \t{param}, {param};");
        emit!(self, "mul.wide.u32 \t{offset}, %gid, {};", 4 * INPUTS);
        emit!(self, "add.s64 \t{at}, {param}, {offset};");
        emit!(self, "ld.global.v{INPUTS}.u32 \t{{{}}}, [{at}];", inputs.join(", "));
        let input = |k: u16| &inputs[usize::from(k) % inputs.len()];
        for &k in &needs.ints {
            let factor = 2 * (u32::from(k) / INPUTS) + 1;
            emit!(self, "mad.lo.s32 \t%r{k}, {}, {factor}, {k};", input(k));
        }
        for &k in &needs.floats {
            let (small, sum) = (self.temp(), self.temp());
            emit!(self, "shr.s32 \t{small}, {}, {};", input(k), 4 + k % 24);
            emit!(self, "add.s32 \t{sum}, {small}, {k};");
            emit!(self, "cvt.rn.f32.s32 \t%f{k}, {sum};");
        }
        for &k in &needs.wides {
            let high = self.temp();
            emit!(self, "xor.b32 \t{high}, {}, {k};", input(k + 1));
            emit!(self, "mov.b64 \t%rd{k}, {{{}, {high}}};", input(k));
        }
        for &k in &needs.preds {
            let bit = self.temp();
            emit!(self, "and.b32 \t{bit}, {}, {};", input(k), 1 << (k % 31));
            emit!(self, "setp.ne.s32 \t%q{k}, {bit}, 0;");
        }
    }
}
