//! Memory: accesses, layouts, textures and surfaces.

use heddle_kernel::print::instr_text;

use super::check;
use crate::common::lowered;

#[test]
fn memory() {
    check(&[
        ("ld.param.u64 %rd1, [k_param_0];", "ld.param.ca.u64 R0, R1 <- [0]"),
        ("ld.param.b32 %r1, [k_param_1+0];", "ld.param.ca.b32 R0 <- [8]"),
        (
            "ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+-16];",
            "ld.global.nc.v4.f32 R2, R3, R4, R5 <- [R0:1-16]",
        ),
        ("ld.global.v2.f64 {%fd1, %fd2}, [%rd1];", "ld.global.ca.v2.f64 R2, R3, R4, R5 <- [R0:1]"),
        ("ld.volatile.shared.u32 %r1, [%r2+4];", "ld.shared.volatile.u32 R1 <- [R0+4]"),
        ("ld.shared.u8 %rs1, [buffer+3];", "ld.shared.ca.u8 R0 <- [3]"),
        ("ld.const.f32 %f1, [weights+8];", "ld.const.ca.f32 R0 <- [8]"),
        ("ld.local.b64 %rd1, [depot];", "ld.local.ca.b64 R0, R1 <- [0]"),
        ("ld.s8 %r1, [%rd1];", "ld.generic.ca.s8 R2 <- [R0:1]"),
        ("ld.global.cg.s32 %rd1, [%rd2];", "ld.global.cg.s32 R2 <- [R0:1]\nshr.s32 R3 <- R2, 31"),
        ("ld.global.L1::no_allocate.L2::128B.u32 %r1, [table+4];", "ld.global.ca.u32 R0 <- [0x8000004]"),
        ("ld.acquire.gpu.u32 %r1, [%rd1];", "ld.generic.volatile.u32 R2 <- [R0:1]\nfence.gpu"),
        ("st.global.v4.b32 [%rd1], {%r1,%r2,%r3,7};", "st.global.ca.v4.b32 [R0:1], R2, R3, R4, 7"),
        ("st.global.u8 [%rd1], %r1;", "st.global.ca.u8 [R0:1], R2"),
        ("st.release.cta.shared.u32 [%r1], %r2;", "fence.cta\nst.shared.volatile.u32 [R0], R1"),
        ("@%p1 st.shared.f32 [dynamic+4], %f1;", "@P0 st.shared.ca.f32 [132], R0"),
    ]);
}

#[test]
fn atomics() {
    check(&[
        ("atom.global.add.f32 %f1, [%rd1], %f2;", "atom.global.add.f32 R2 <- [R0:1], R3"),
        ("atom.shared.cas.b32 %r1, [%r2], %r3, 5;", "atom.shared.cas.b32 R1 <- [R0], R2, 5"),
        (
            "atom.global.cas.b64 %rd1, [%rd2+8], %rd3, %rd4;",
            "atom.global.cas.b64 R2, R3 <- [R0:1+8], R4:5, R6:7",
        ),
        ("red.global.inc.u32 [%rd1], 3;", "atom.global.inc.u32 [R0:1], 3"),
        ("atom.exch.b32 _, [%rd1], %r1;", "atom.generic.exch.b32 R2 <- [R0:1], R3"),
        (
            "atom.add.acq_rel.cta.u64 %rd1, [%rd2], %rd3;",
            "fence.cta\natom.generic.add.u64 R2, R3 <- [R0:1], R4:5\nfence.cta",
        ),
    ]);
}

#[test]
fn layouts() {
    let program = lowered(
        ".shared .b8 odd[3];\n.shared .align 8 .f64 aligned;\nst.shared.u8 [odd], 1;\n\
         st.shared.f64 [aligned], 0d0000000000000000;\nst.shared.u8 [dynamic], 1;\nld.local.u8 %rs1, [depot];",
    )
    .expect("a valid kernel");
    assert_eq!(program.shared_bytes, 144, "128 + 3, aligned to 8, + 8, aligned to 16");
    assert_eq!(program.local_bytes, 32);
    assert_eq!(program.param_bytes, 12);
    assert_eq!(
        program.constants.bytes[..16]
            .chunks(4)
            .map(|c| f32::from_le_bytes(c.try_into().expect("4 bytes")))
            .collect::<Vec<_>>(),
        [1.0, 2.0, 3.0, 0.0]
    );
    assert_eq!(program.globals[0].address, heddle_kernel::GLOBALS_BASE);
    assert_eq!(program.globals[0].bytes.len(), 64);
}

#[test]
fn initial_values_of_every_form() {
    let text = ".version 8.5\n.target sm_75\n.address_size 64\n\
        .global .align 2 .u16 m[2][3] = {{1, 2}, {4}};\n\
        .global .u64 p = m+2;\n.global .v2 .f32 v = {0f3F800000, 0f40000000};\n\
        .global .b8 bytes[] = {255, -1, 0x10};\n.global .s32 one = -7;\n\
        .entry k() { ret; }\n";
    let module = heddle_kernel::parse("t", text).unwrap_or_else(|e| panic!("{e}"));
    let program = heddle_kernel::lower(&module).unwrap_or_else(|e| panic!("{e}")).remove(0);
    let bytes = |i: usize| program.globals[i].bytes.clone();
    assert_eq!(bytes(0), [1, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0]);
    assert_eq!(bytes(1), u64::from(program.globals[0].address + 2).to_le_bytes());
    assert_eq!(bytes(2), [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40]);
    assert_eq!(bytes(3), [255, 255, 16]);
    assert_eq!(bytes(4), (-7i32).to_le_bytes());
    assert_eq!(program.globals[1].address % 8, 0);
}

#[test]
fn textures() {
    check(&[
        (
            "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];",
            "tex.1d.v4.u32.s32 R3, R4, R5, R6 <- R0:1, R2",
        ),
        (
            "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6, %f7, %f8}];",
            "tex.3d.v4.f32.f32 R5, R6, R7, R8 <- R0:1, R2, R3, R4",
        ),
        (
            "tex.level.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f6, %f7, %f7}], %f8;",
            "tex.a2d.v4.f32.f32 R6, R7, R8, R9 <- R0:1, R2, R3, R4, R5",
        ),
    ]);
}

#[test]
fn surfaces_are_an_address_and_an_access() {
    check(&[
        (
            "sust.b.2d.v4.b8.trap [%rd1, {%r1, %r2}], {%rs1, %rs2, %rs3, %rs4};",
            "suaddr.2d.4.trap R4, R5 <- R0:1, R2, R3\nst.global.ca.v4.b8 [R4:5], R6, R7, R8, R9",
        ),
        (
            "mov.u32 %r1, %tid.x;\n@%p1 suld.b.a1d.b32.zero {%r1}, [%rd1, {%r2, %r3}];",
            "mov.u32 R0 <- %tid(0)\nmov.pred P1 <- false\n@P0 suaddr.a1d.4.zero R6, R7, P1 <- R2:3, R4, R5\n\
             @P0 mov.b32 R0 <- 0\n@P1 ld.global.ca.b32 R0 <- [R6:7]",
        ),
    ]);
}

#[test]
fn references_take_their_handles_from_constant_memory() {
    let module = heddle_kernel::parse(
        "references.ptx",
        ".version 5.0\n.target sm_75\n.address_size 64\n.const .b32 c = 1;\n.global .texref image;\n\
         .global .surfref result;\n.entry k()\n{\n.reg .f32 %f<5>;\n.reg .b32 %r<2>;\n\
         tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f0}];\n\
         sust.b.1d.b32.clamp [result, {%r1}], {%r1};\nret;\n}\n",
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let program = heddle_kernel::lower_entry(&module, None).unwrap_or_else(|e| panic!("{e}"));
    let variables: Vec<_> =
        program.constants.variables.iter().map(|v| (v.name.as_str(), v.offset, v.bytes)).collect();
    assert_eq!(variables, [("image", 8, 8), ("result", 16, 8), ("c", 0, 4)]);
    assert_eq!(program.constants.bytes.len(), 24);
    let loads: Vec<String> =
        program.instrs.iter().map(instr_text).filter(|text| text.starts_with("ld.const")).collect();
    assert_eq!(loads.len(), 2, "{loads:?}");
    assert!(loads[0].ends_with("[8]") && loads[1].ends_with("[16]"), "{loads:?}");
}
