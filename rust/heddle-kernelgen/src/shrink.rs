//! Makes a kernel that fails small, by removing what the failure does not need.

use crate::GeneratedKernel;
use crate::ast::{Stmt, Trips, count};

/// Removes statements, loops, outputs, CTAs and threads from `kernel` as long as `fails` says that what is
/// left still fails, until nothing more can go. `fails(kernel)` is taken to be true and not asked.
///
/// Runs of statements are tried before single ones, so a long kernel needs few questions.
#[must_use]
pub fn shrink(kernel: &GeneratedKernel, mut fails: impl FnMut(&GeneratedKernel) -> bool) -> GeneratedKernel {
    let mut best = kernel.clone();
    loop {
        let mut smaller = false;
        smaller |= launches(&mut best, &mut fails);
        smaller |= statements(&mut best, &mut fails);
        smaller |= structures(&mut best, &mut fails);
        smaller |= outputs(&mut best, &mut fails);
        if !smaller {
            return best;
        }
    }
}

/// Keeps `candidate` when it still fails.
fn keep(
    best: &mut GeneratedKernel,
    candidate: GeneratedKernel,
    fails: &mut impl FnMut(&GeneratedKernel) -> bool,
) -> bool {
    if candidate == *best || !fails(&candidate) {
        return false;
    }
    *best = candidate;
    true
}

fn launches(best: &mut GeneratedKernel, fails: &mut impl FnMut(&GeneratedKernel) -> bool) -> bool {
    let mut smaller = false;
    let mut candidate = best.clone();
    candidate.options.ctas = 1;
    smaller |= keep(best, candidate, fails);
    for threads in [1, 2, 32, 64] {
        let mut candidate = best.clone();
        candidate.options.threads = threads.min(best.options.threads);
        smaller |= keep(best, candidate, fails);
    }
    smaller
}

/// Removes runs of statements, in the order of the text, long runs first.
fn statements(best: &mut GeneratedKernel, fails: &mut impl FnMut(&GeneratedKernel) -> bool) -> bool {
    let mut smaller = false;
    let mut run = best.statements().next_power_of_two().max(1);
    while run > 0 {
        let mut from = 0;
        while from < best.statements() {
            let mut candidate = best.clone();
            let mut at = 0;
            for list in [&mut candidate.code.body, &mut candidate.code.tail] {
                retain(list, &mut at, &|n| !(from..from + run).contains(&n));
            }
            if keep(best, candidate, fails) {
                smaller = true;
            } else {
                from += run;
            }
        }
        run /= 2;
    }
    smaller
}

/// Keeps the statements whose number in the text `wanted` accepts; `at` counts them.
fn retain(list: &mut Vec<Stmt>, at: &mut usize, wanted: &impl Fn(usize) -> bool) {
    list.retain_mut(|stmt| {
        let number = *at;
        *at += 1;
        if !wanted(number) {
            *at += nested(stmt);
            return false;
        }
        match stmt {
            Stmt::If { then, otherwise, .. } => {
                retain(then, at, wanted);
                retain(otherwise, at, wanted);
            }
            Stmt::Loop { body, .. } => retain(body, at, wanted),
            _ => {}
        }
        true
    });
}

/// Statements in the branches or the body of `stmt`.
fn nested(stmt: &Stmt) -> usize {
    count(std::slice::from_ref(stmt)) - 1
}

/// Replaces loops and branches by what is in them, makes loops run once and drops their early ends.
fn structures(best: &mut GeneratedKernel, fails: &mut impl FnMut(&GeneratedKernel) -> bool) -> bool {
    let mut smaller = false;
    let mut from = 0;
    while from < best.statements() {
        for change in 0..CHANGES {
            let mut candidate = best.clone();
            let mut at = 0;
            for list in [&mut candidate.code.body, &mut candidate.code.tail] {
                change_one(list, &mut at, from, change);
            }
            smaller |= keep(best, candidate, fails);
        }
        from += 1;
    }
    smaller
}

/// Changes that [`change_one`] knows.
const CHANGES: usize = 4;

/// Applies `change` to the statement number `target`; statements without such a change stay.
fn change_one(list: &mut Vec<Stmt>, at: &mut usize, target: usize, change: usize) {
    let mut index = 0;
    while index < list.len() {
        if *at == target {
            *at += 1 + nested(&list[index]);
            if let Some(inner) = flattened(&mut list[index], change) {
                list.splice(index..=index, inner);
            }
            return;
        }
        *at += 1;
        match &mut list[index] {
            Stmt::If { then, otherwise, .. } => {
                change_one(then, at, target, change);
                change_one(otherwise, at, target, change);
            }
            Stmt::Loop { body, .. } => change_one(body, at, target, change),
            _ => {}
        }
        if *at > target {
            return;
        }
        index += 1;
    }
}

/// The statements that replace `stmt`, or `None` when it was changed in place.
fn flattened(stmt: &mut Stmt, change: usize) -> Option<Vec<Stmt>> {
    match (change, stmt) {
        (0, Stmt::If { then, otherwise, .. }) => {
            let mut inner = std::mem::take(then);
            inner.append(otherwise);
            Some(inner)
        }
        (0, Stmt::Loop { body, .. }) => Some(std::mem::take(body)),
        (1, Stmt::Loop { trips, .. }) => {
            *trips = Trips::Const(1);
            None
        }
        (2, Stmt::Loop { leave, .. }) => {
            *leave = None;
            None
        }
        (3, Stmt::Assign { guard, .. } | Stmt::Count { guard, .. }) => {
            *guard = None;
            None
        }
        (3, Stmt::Access(access)) => {
            access.guard = None;
            None
        }
        _ => None,
    }
}

/// Stores fewer variables at the end.
fn outputs(best: &mut GeneratedKernel, fails: &mut impl FnMut(&GeneratedKernel) -> bool) -> bool {
    let mut smaller = false;
    let mut run = best.code.outputs.len().next_power_of_two();
    while run > 0 {
        let mut from = 0;
        while from < best.code.outputs.len() {
            let mut candidate = best.clone();
            let to = (from + run).min(candidate.code.outputs.len());
            candidate.code.outputs.drain(from..to);
            if keep(best, candidate, fails) {
                smaller = true;
            } else {
                from += run;
            }
        }
        run /= 2;
    }
    smaller
}
