//! Operations between threads.

use std::fmt::Write;

use super::Writer;
use crate::ast::{PredRef, Source, Var};
use crate::forms::{Gather, Operands};

/// All lanes are members; those that the CTA does not have are not waited for.
const MEMBERS: &str = "-1";

impl Writer {
    pub(super) fn gather(
        &mut self,
        gather: &Gather,
        destination: Var,
        source: Var,
        pred: PredRef,
        choice: Source,
    ) {
        let text = gather.text;
        match gather.operands {
            Operands::Shuffle { clamp } => {
                let (a, b, in_range) = (self.var(source), self.source(choice), self.fresh_pred());
                let d = self.var(destination);
                emit!(self, "{text} \t{d}|{in_range}, {a}, {b}, {clamp}, {MEMBERS};");
                emit!(self, "@{in_range} add.s32 \t{d}, {d}, 1;");
            }
            Operands::Ballot => {
                let (d, p) = (self.var(destination), self.pred(pred));
                emit!(self, "{text} \t{d}, {p}, {MEMBERS};");
            }
            Operands::Vote => {
                let (answer, p) = (self.fresh_pred(), self.pred(pred));
                emit!(self, "{text} \t{answer}, {p}, {MEMBERS};");
                self.as_integer(destination, &answer);
            }
            Operands::Match => {
                let (low, a) = (self.temp(), self.var(source));
                let d = self.var(destination);
                emit!(self, "and.b32 \t{low}, {a}, 3;");
                emit!(self, "{text} \t{d}, {low}, {MEMBERS};");
            }
            Operands::Reduce => {
                let (d, a) = (self.var(destination), self.var(source));
                emit!(self, "{text} \t{d}, {a}, {MEMBERS};");
            }
            Operands::Mask => {
                let d = self.var(destination);
                emit!(self, "{text} \t{d};");
            }
            Operands::BarrierCount => {
                let (d, p) = (self.var(destination), self.pred(pred));
                emit!(self, "{text} \t{d}, 0, {p};");
            }
            Operands::BarrierVote => {
                let (answer, p) = (self.fresh_pred(), self.pred(pred));
                emit!(self, "{text} \t{answer}, 0, {p};");
                self.as_integer(destination, &answer);
            }
        }
    }

    /// `destination = pred ? 1 : 0`.
    fn as_integer(&mut self, destination: Var, pred: &str) {
        let d = self.var(destination);
        emit!(self, "selp.u32 \t{d}, 1, 0, {pred};");
    }
}
