//! Addresses in initial values, and calls through tables of functions.

use super::{fails, gives};

/// Three functions of one shape, and one of another.
const FUNCTIONS: &str = ".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %x;\n\
    ld.param.u32 %x, [a];\nshl.b32 %x, %x, 1;\nst.param.b32 [r], %x;\nret;\n}\n\
    .func (.param .b32 r) square(.param .b32 a)\n{\n.reg .b32 %x;\n\
    ld.param.u32 %x, [a];\nmul.lo.u32 %x, %x, %x;\nst.param.b32 [r], %x;\nret;\n}\n\
    .func (.param .b32 r) steps(.param .b32 a)\n{\n.reg .b32 %x, %n;\n.reg .pred %p;\n\
    ld.param.u32 %x, [a];\nmov.u32 %n, 0;\nLOOP:\nsetp.le.u32 %p, %x, 1;\n@%p bra END;\n\
    shr.u32 %x, %x, 1;\nadd.u32 %n, %n, 1;\nbra LOOP;\nEND:\nst.param.b32 [r], %n;\nret;\n}\n\
    .func other(.param .b64 a)\n{\nret;\n}\n";

/// Calls the function at `%rd1` with `%t` and leaves the result in `%r9`.
const CALL: &str = "{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %t;\n\
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
    call (r), %rd1, (a), proto;\nld.param.b32 %r9, [r];\n}\n";

fn steps(t: u32) -> u32 {
    t.max(1).ilog2()
}

/// Every lane of a warp may call another function.
#[test]
fn lanes_call_different_functions_of_a_table() {
    let module = format!("{FUNCTIONS}.global .align 8 .u64 table[3] = {{twice, square, steps}};\n");
    let body = format!(
        "rem.u32 %r1, %t, 3;\nmul.wide.u32 %rd2, %r1, 8;\nmov.u64 %rd3, table;\nadd.u64 %rd3, %rd3, %rd2;\n\
         ld.global.u64 %rd1, [%rd3];\n{CALL}\nst.global.u32 [%own], %r9;"
    );
    gives(&module, &body, 75, |t| [[2 * t, t * t, steps(t)][t as usize % 3]]);
}

/// The kernel changes a table while it runs.
#[test]
fn a_table_in_memory_changes() {
    let module = format!(
        "{FUNCTIONS}.const .align 8 .u64 fixed[2] = {{square, twice}};\n\
         .shared .align 8 .b8 chosen[8];\n"
    );
    let body = format!(
        "setp.eq.u32 %p1, %t, 0;\nld.const.u64 %rd2, [fixed+8];\n@%p1 st.shared.u64 [chosen], %rd2;\n\
         bar.sync 0;\nld.shared.u64 %rd1, [chosen];\n{CALL}\nmov.u32 %r8, %r9;\nbar.sync 0;\n\
         mov.u64 %rd2, steps;\n@%p1 st.shared.u64 [chosen], %rd2;\nbar.sync 0;\n\
         ld.shared.u64 %rd1, [chosen];\n{CALL}\nst.global.v2.u32 [%own], {{%r8, %r9}};"
    );
    gives(&module, &body, 64, |t| [2 * t, steps(t)]);
}

/// A structure as nvcc writes it: bytes, with those of an address in eight of them.
#[test]
fn initial_values_hold_the_bytes_of_addresses() {
    let bytes = |name: &str| {
        let mask = |n: u32| format!("0x{:X}({name})", 0xff_u64 << (8 * n));
        (0..8).map(mask).collect::<Vec<_>>().join(", ")
    };
    let module = format!(
        "{FUNCTIONS}.global .align 4 .u32 numbers[4] = {{100, 200, 300, 400}};\n\
         .const .align 4 .u32 fixed[2] = {{7, 9}};\n\
         .global .align 8 .b8 record[32] = {{5, 1, 0, 0, 0, 0, 0, 0, {}, {}, {}}};\n\
         .global .align 8 .u64 places[3] = {{numbers+4, generic(numbers)+8, generic(fixed+4)}};\n",
        bytes("square"),
        bytes("numbers+12"),
        bytes("generic(fixed)")
    );
    let body = format!(
        "ld.global.u32 %r1, [record];\nld.global.u64 %rd1, [record+8];\n{CALL}\nadd.u32 %r1, %r1, %r9;\n\
         ld.global.u64 %rd2, [record+16];\nld.global.u32 %r2, [%rd2];\nld.global.u64 %rd2, [record+24];\n\
         ld.u32 %r3, [%rd2];\nadd.u32 %r2, %r2, %r3;\nld.global.v2.u64 {{%rd3, %rd4}}, [places];\n\
         ld.global.u32 %r3, [%rd3];\nld.u32 %r4, [%rd4];\nadd.u32 %r3, %r3, %r4;\n\
         ld.global.u64 %rd5, [places+16];\nld.u32 %r4, [%rd5];\n\
         st.global.v4.u32 [%own], {{%r1, %r2, %r3, %r4}};"
    );
    gives(&module, &body, 40, |t| [261 + t * t, 400 + 7, 200 + 300, 9]);
}

/// Only lanes whose guard holds call, and those behind a null pointer do not.
#[test]
fn calls_through_addresses_are_guarded() {
    let module = format!("{FUNCTIONS}.global .align 8 .u64 table[4] = {{twice, 0, square, 0}};\n");
    let body = "and.b32 %r1, %t, 3;\nmul.wide.u32 %rd2, %r1, 8;\nmov.u64 %rd3, table;\n\
        add.u64 %rd3, %rd3, %rd2;\nld.global.u64 %rd1, [%rd3];\nsetp.ne.u64 %p1, %rd1, 0;\nmov.u32 %r9, 31;\n\
        {\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %t;\n\
        targets: .calltargets square, twice;\n@%p1 call (r), %rd1, (a), targets;\n\
        @%p1 ld.param.b32 %r9, [r];\n}\n\
        st.global.u32 [%own], %r9;";
    gives(&module, body, 64, |t| [[2 * t, 31, t * t, 31][t as usize % 4]]);
    let wrong = format!(
        "setp.lt.u32 %p1, %t, 30;\nmov.u64 %rd1, square;\nmov.u64 %rd2, other;\n\
         selp.b64 %rd1, %rd1, %rd2, %p1;\n{CALL}"
    );
    fails(FUNCTIONS, &wrong, &["traps in lanes 0xc0000000", "call (r), %rd1, (a), proto;"]);
}

/// Each lane calls one function once, also where that one gives the address of another in the register that the call was
/// through, and where the list of targets names a function again.
#[test]
fn a_call_through_an_address_that_it_overwrites_is_one() {
    let module = ".func (.reg .b64 next) second(.reg .b64 place);\n\
        .func (.reg .b64 next) first(.reg .b64 place) {\n\
        .reg .u32 %one;\nmov.u32 %one, 1;\nred.add.u32 [place], %one;\nmov.u64 next, second;\nret;\n}\n\
        .func (.reg .b64 next) second(.reg .b64 place) {\n\
        .reg .u32 %ten;\nmov.u32 %ten, 10;\nred.add.u32 [place], %ten;\nmov.u64 next, 0;\nret;\n}\n";
    let body = "mov.u32 %r1, 0;\nst.global.u32 [%own], %r1;\ncvta.global.u64 %rd2, %own;\nmov.u64 %rd1, first;\n\
        again: .calltargets first, second, first;\n\
        call (%rd1), %rd1, (%rd2), again;\nld.global.u32 %r2, [%own];\n\
        mov.u64 %rd3, second;\nsetp.eq.u64 %p1, %rd1, %rd3;\nselp.u32 %r3, 100, 0, %p1;\nadd.u32 %r2, %r2, %r3;\n\
        st.global.u32 [%own], %r2;";
    gives(module, body, 64, |_| [101]);
}
