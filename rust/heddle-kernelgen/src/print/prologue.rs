//! Begin and end of a kernel: inputs to variables, variables to outputs.

use super::{Needs, Writer};
use crate::GeneratedKernel;
use crate::forms::Class;
use crate::instance::{INPUTS, Layout, SLOTS};

use std::fmt::Write;

impl Writer {
    /// Loads the inputs of the thread and gives every variable that is needed a value.
    pub(super) fn prologue(&mut self, needs: &Needs) {
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
        if needs.global_counters {
            emit!(self, "ld.param.u64 \t%counters, [{name}_param_3];");
            emit!(self, "cvta.to.global.u64 \t%counters, %counters;");
        }
        if needs.exchange {
            emit!(self, "ld.param.u64 \t%exchange, [{name}_param_4];");
            emit!(self, "cvta.to.global.u64 \t%exchange, %exchange;");
        }
        if needs.shared_counters {
            self.begin_shared_counters();
        }
        self.initialise(needs);
    }

    fn initialise(&mut self, needs: &Needs) {
        let name = GeneratedKernel::ENTRY;
        let all = [&needs.ints, &needs.floats, &needs.wides, &needs.preds];
        if !needs.local && all.iter().all(|set| set.is_empty()) {
            return;
        }
        let (param, offset, at) = (self.address(), self.address(), self.address());
        let inputs: Vec<_> = (0..INPUTS).map(|_| self.temp()).collect();
        emit!(self, "ld.param.u64 \t{param}, [{name}_param_0];");
        emit!(self, "cvta.to.global.u64 \t{param}, {param};");
        emit!(self, "mul.wide.u32 \t{offset}, %gid, {};", 4 * INPUTS);
        emit!(self, "add.s64 \t{at}, {param}, {offset};");
        emit!(self, "ld.global.v{INPUTS}.u32 \t{{{}}}, [{at}];", inputs.join(", "));
        if needs.local {
            let words = inputs.join(", ");
            for offset in (0..4 * SLOTS).step_by(4 * INPUTS as usize) {
                emit!(self, "st.local.v{INPUTS}.u32 \t[depot+{offset}], {{{words}}};");
            }
        }
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

    /// Stores the variables that the kernel shows at its end.
    pub(super) fn outputs(&mut self, kernel: &GeneratedKernel, layout: &Layout) {
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
}
