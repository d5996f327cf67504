//! The reserved region of shared memory, which takes room only in kernels that ask for it.

use crate::common::run_words;

const RESERVED: u32 = 1024;
/// Bytes of shared memory that the kernel declares.
const OWN: u32 = 8;

/// A kernel that stores the results of `reads`, one a word, then the address of its variable, its bytes of
/// shared memory, and those with the reserved region.
fn kernel(reads: &[&str]) -> String {
    let names = [reads, &["own", "%total_smem_size", "%aggr_smem_size"]].concat();
    let stores: String = (0..)
        .zip(names)
        .map(|(n, name)| format!("mov.u32 %r1, {name};\nst.global.u32 [%out+{}], %r1;\n", 4 * n))
        .collect();
    format!(
        ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{{\n\
         .reg .b64 %out;\n.reg .b32 %r<4>;\n.shared .align 4 .b8 own[{OWN}];\nld.param.u64 %out, [k_out];\n\
         {stores}ret;\n}}\n"
    )
}

#[test]
fn variables_follow_the_region_of_a_kernel_that_asks_for_it() {
    let names = ["begin", "end", "cap", "0", "1"].map(|n| format!("%reserved_smem_offset_{n}"));
    let all = kernel(&names.each_ref().map(String::as_str));
    let expected = [0, RESERVED, RESERVED, 0, RESERVED / 2, RESERVED, OWN, RESERVED + OWN];
    assert_eq!(run_words(&all, 1, 8), expected);
    for name in &names {
        assert_eq!(run_words(&kernel(&[name]), 1, 4)[1..], [RESERVED, OWN, RESERVED + OWN], "{name}");
    }
}

#[test]
fn other_kernels_have_all_of_shared_memory() {
    assert_eq!(run_words(&kernel(&[]), 1, 3), [0, OWN, OWN]);
}

#[test]
fn a_function_asks_for_its_kernel() {
    let function = ".func (.param .b32 r) first()\n{\n.reg .b32 %x;\nmov.u32 %x, %reserved_smem_offset_1;\n\
        st.param.b32 [r], %x;\nret;\n}\n";
    let call =
        "{\n.param .b32 r;\ncall (r), first;\nld.param.b32 %r1, [r];\nst.global.u32 [%out+12], %r1;\n}\nret;";
    let text = kernel(&[]);
    let (head, entry) = text.split_at(text.find(".visible").expect("the entry"));
    let entry = entry.replace("ret;", call);
    assert_eq!(
        run_words(&format!("{head}{function}{entry}"), 1, 4),
        [RESERVED, OWN, RESERVED + OWN, RESERVED / 2]
    );
}
