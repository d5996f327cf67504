//! Arithmetic, predicates, branches and loops.

use std::fmt::Write;

use super::Writer;
use crate::ast::{Cond, PredRef, Source, Stmt, Trips};
use crate::forms::{Compare, Kind};

impl Writer {
    pub(super) fn block(&mut self, list: &[Stmt]) {
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
            Stmt::Decide { index, complement, cond } => self.decide(*index, *complement, *cond),
            Stmt::If { cond, then, otherwise } => self.branch(*cond, then, otherwise),
            Stmt::Loop { trips, body, leave } => self.repeat(*trips, body, *leave),
            Stmt::Access(access) => self.access(access),
            Stmt::Lookup { destination, index } => self.lookup(*destination, *index),
            Stmt::Count { counters, operation, var, guard } => {
                self.count(*counters, *operation, *var, *guard);
            }
            Stmt::Exchange { through, shown, taken, distance } => {
                self.exchange(*through, *shown, *taken, *distance);
            }
            Stmt::Gather { gather, destination, source, pred, choice } => {
                self.gather(gather, *destination, *source, *pred, *choice);
            }
            Stmt::Fence(level) => emit!(self, "membar.{level};"),
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
            if *kind == Kind::Pred {
                // `selp` takes no negated predicate.
                let plain = PredRef { negated: false, ..*select };
                texts.push(self.pred(plain));
                continue;
            }
            let Some(&source) = given.next() else {
                continue;
            };
            let mut text = self.source(source);
            if *kind == Kind::Odd {
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

    fn decide(&mut self, index: u16, complement: Option<u16>, cond: Cond) {
        let target = self.pred(PredRef { index, negated: false });
        if let (Some(other), Cond::Compare { compare, sources, combine }) = (complement, cond) {
            let other = self.pred(PredRef { index: other, negated: false });
            self.compare(&format!("{target}|{other}"), compare, sources, combine);
            return;
        }
        let from = self.cond(cond);
        let (negated, from) = from.strip_prefix('!').map_or((false, from.as_str()), |f| (true, f));
        let operation = if negated { "not" } else { "mov" };
        emit!(self, "{operation}.pred \t{target}, {from};");
    }

    /// Evaluates a condition to a predicate source.
    fn cond(&mut self, cond: Cond) -> String {
        match cond {
            Cond::Pred(p) => self.pred(p),
            Cond::Compare { compare, sources, combine } => {
                let result = self.fresh_pred();
                self.compare(&result, compare, sources, combine);
                result
            }
        }
    }

    fn compare(
        &mut self,
        result: &str,
        compare: Compare,
        sources: [Source; 2],
        combine: Option<(&str, PredRef)>,
    ) {
        let [left, right] = sources.map(|s| self.source(s));
        let (operator, suffix) = (compare.operator, compare.suffix);
        if let Some((with, pred)) = combine {
            let pred = self.pred(pred);
            emit!(self, "setp.{operator}.{with}.{suffix} \t{result}, {left}, {right}, {pred};");
        } else {
            emit!(self, "setp.{operator}.{suffix} \t{result}, {left}, {right};");
        }
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
}
