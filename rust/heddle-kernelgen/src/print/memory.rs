//! Loads, stores, look-ups, counters and exchanges.

use std::fmt::Write;

use super::Writer;
use crate::ast::{Access, Counters, PredRef, Private, Slot, Through, Var};
use crate::forms::{ATOMICS, TABLE};
use crate::instance::SLOTS;

impl Writer {
    pub(super) fn access(&mut self, access: &Access) {
        let (space, base) = match access.private {
            Private::Global => {
                self.needs.scratch = true;
                ("global", "%scratch")
            }
            Private::Local => {
                self.needs.local = true;
                ("local", "depot")
            }
        };
        let mut place = match access.slot {
            Slot::Fixed(slot) => format!("{base}+{}", 4 * slot),
            Slot::Dynamic(var) => {
                let var = self.var(var);
                let slot = self.temp();
                emit!(self, "and.b32 \t{slot}, {var}, {};", SLOTS - 1);
                self.element(base, &slot)
            }
        };
        let mut space = format!(".{space}");
        if access.generic {
            let (at, base, offset) = (self.address(), self.address(), place.split_once('+'));
            let (symbol, offset) = offset.unwrap_or((&place, "0"));
            emit!(self, "mov.u64 \t{base}, {symbol};");
            emit!(self, "cvta{space}.u64 \t{at}, {base};");
            place = format!("{at}+{offset}");
            space.clear();
        }
        let vars: Vec<_> = access.vars.iter().map(|&v| self.var(v)).collect();
        let vars = match vars.as_slice() {
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(", ")),
        };
        let guard = self.guard(access.guard);
        // `.volatile` stands before the space, cache operators behind it.
        let modifiers = match access.cache {
            ".volatile" => format!(".volatile{space}"),
            cache => format!("{space}{cache}"),
        };
        let suffix = access.suffix;
        if access.load {
            emit!(self, "{guard}ld{modifiers}.{suffix} \t{vars}, [{place}];");
        } else {
            emit!(self, "{guard}st{modifiers}.{suffix} \t[{place}], {vars};");
        }
    }

    /// The address of word `index` of `base`, which is a symbol or an address.
    fn element(&mut self, base: &str, index: &str) -> String {
        let (begin, offset, at) = (self.address(), self.address(), self.address());
        emit!(self, "mov.u64 \t{begin}, {base};");
        emit!(self, "mul.wide.u32 \t{offset}, {index}, 4;");
        emit!(self, "add.s64 \t{at}, {begin}, {offset};");
        at
    }

    pub(super) fn lookup(&mut self, destination: Var, index: Var) {
        self.needs.table = true;
        let (destination, index) = (self.var(destination), self.var(index));
        let element = self.temp();
        emit!(self, "and.b32 \t{element}, {index}, {};", TABLE.len() - 1);
        let at = self.element("table", &element);
        emit!(self, "ld.const.u32 \t{destination}, [{at}];");
    }

    pub(super) fn count(&mut self, counters: Counters, operation: usize, var: Var, guard: Option<PredRef>) {
        let (space, base) = match counters {
            Counters::Shared => {
                self.needs.shared_counters = true;
                ("shared", "counters")
            }
            Counters::Global => {
                self.needs.global_counters = true;
                ("global", "%counters")
            }
        };
        let guard = self.guard(guard);
        let returns = var.index % 2 == 1;
        let var = self.var(var);
        let (text, place) = (ATOMICS[operation].text, format!("[{base}+{}]", 4 * operation));
        if returns {
            let old = self.temp();
            emit!(self, "{guard}atom.{space}.{text} \t{old}, {place}, {var};");
        } else {
            emit!(self, "{guard}red.{space}.{text} \t{place}, {var};");
        }
    }

    pub(super) fn exchange(&mut self, through: Through, shown: Var, taken: Var, distance: u32) {
        let (other, threads) = (self.temp(), self.threads);
        emit!(self, "add.s32 \t{other}, %lin, {distance};");
        emit!(self, "rem.u32 \t{other}, {other}, {threads};");
        let (space, own, other) = match through {
            Through::Shared => {
                self.needs.slots = true;
                let (base, own, from) = (self.temp(), self.temp(), self.temp());
                emit!(self, "mov.u32 \t{base}, slots;");
                emit!(self, "mad.lo.s32 \t{own}, %lin, 4, {base};");
                emit!(self, "mad.lo.s32 \t{from}, {other}, 4, {base};");
                (".shared", own, from)
            }
            Through::SharedGeneric => {
                self.needs.slots = true;
                let (base, generic) = (self.address(), self.address());
                emit!(self, "mov.u64 \t{base}, slots;");
                emit!(self, "cvta.shared.u64 \t{generic}, {base};");
                ("", self.element(&generic, "%lin"), self.element(&generic, &other))
            }
            Through::Global => {
                self.needs.exchange = true;
                let from = self.temp();
                // The other thread's number in the grid: of the same CTA.
                emit!(self, "sub.s32 \t{from}, %gid, %lin;");
                emit!(self, "add.s32 \t{from}, {from}, {other};");
                (".global", self.element("%exchange", "%gid"), self.element("%exchange", &from))
            }
        };
        let (shown, taken) = (self.var(shown), self.var(taken));
        emit!(self, "st{space}.u32 \t[{own}], {shown};");
        emit!(self, "bar.sync \t0;");
        emit!(self, "ld{space}.u32 \t{taken}, [{other}];");
        emit!(self, "bar.sync \t0;");
    }

    /// Thread 0 gives the counters of the CTA their first values.
    pub(super) fn begin_shared_counters(&mut self) {
        let (first, value) = (self.fresh_pred(), self.temp());
        emit!(self, "setp.eq.s32 \t{first}, %lin, 0;");
        for (i, atomic) in ATOMICS.iter().enumerate() {
            emit!(self, "mov.u32 \t{value}, {};", atomic.begin);
            emit!(self, "@{first} st.shared.u32 \t[counters+{}], {value};", 4 * i);
        }
        emit!(self, "bar.sync \t0;");
    }

    /// Thread 0 stores the counters of its CTA when all threads have added.
    pub(super) fn dump_shared_counters(&mut self) {
        self.needs.global_counters = true;
        let (others, cta, skip) = (self.fresh_pred(), self.temp(), self.label());
        let (offset, at) = (self.address(), self.address());
        emit!(self, "bar.sync \t0;");
        emit!(self, "setp.ne.s32 \t{others}, %lin, 0;");
        emit!(self, "@{others} bra \t{skip};");
        emit!(self, "mov.u32 \t{cta}, %ctaid.x;");
        emit!(self, "mul.wide.u32 \t{offset}, {cta}, {};", 4 * ATOMICS.len());
        emit!(self, "add.s64 \t{at}, %counters, {offset};");
        for i in 0..ATOMICS.len() {
            let value = self.temp();
            emit!(self, "ld.shared.u32 \t{value}, [counters+{}];", 4 * i);
            emit!(self, "st.global.u32 \t[{at}+{}], {value};", 4 * (ATOMICS.len() + i));
        }
        let _ = writeln!(self.text, "{skip}:");
    }
}
