//! Constructs of PTX on every machine: what a kernel leaves in memory is what the PTX ISA says it leaves.

mod atomics;
mod barriers;
mod constants;
mod functions;
mod hints;
mod registers;
mod spaces;

use heddle_workloads::script::{LaunchPlan, Script};

use crate::made::{HOST, Made};

/// What a kernel leaves in words that it does not write.
const UNTOUCHED: u32 = 0xdead_beef;

/// A kernel in which `%t` is the thread's number, `%out` the address of the results and `%own` that of the
/// `each` words of the thread, when `body` begins. `module` stands before it, `params` are further
/// parameters, each with a comma before it.
fn kernel(module: &str, params: &str, body: &str, each: usize) -> String {
    format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n{module}\n\
         .visible .entry k(.param .u64 out{params})\n{{\n\
         .reg .pred %p<9>;\n.reg .b16 %rs<17>;\n.reg .b32 %r<33>, %t;\n.reg .b64 %rd<33>, %out, %own;\n\
         .reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n\
         mov.u32 %t, %tid.x;\nld.param.u64 %out, [out];\nmul.wide.u32 %own, %t, {bytes};\n\
         add.s64 %own, %own, %out;\n{body}\nret;\n}}\n",
        bytes = 4 * each
    )
}

/// One CTA of `threads` threads, whose results begin with `before`, and must become `after`.
fn one_launch(
    ptx: String,
    threads: usize,
    before: Vec<u32>,
    after: Vec<u32>,
    arguments: impl Fn(&mut LaunchPlan) + Send + Sync + 'static,
) -> Made {
    Made::new(ptx, move || {
        let mut s = Script::new(HOST);
        let out = s.input("out", &before);
        arguments(s.launch("k", [1, 1, 1], [threads, 1, 1]).pointer(out));
        let after = after.clone();
        s.judge(move |r| r.exact(out, &after));
        s
    })
}

/// Thread `t` leaves the words `expected(t)`.
fn gives<const N: usize>(module: &str, body: &str, threads: usize, expected: impl Fn(u32) -> [u32; N]) {
    let after: Vec<u32> = (0..threads as u32).flat_map(expected).collect();
    let words = after.len();
    let before = vec![UNTOUCHED; words];
    one_launch(kernel(module, "", body, N), threads, before, after, |_| ()).passes(words);
}

/// A kernel of one warp that does wrong.
fn fails(module: &str, body: &str, parts: &[&str]) {
    let words = vec![UNTOUCHED; 32];
    one_launch(kernel(module, "", body, 1), 32, words.clone(), words, |_| ()).fails(parts);
}
