//! Generic addresses of kernel parameters, shared and local memory, and the question where an address lies.

use super::{UNTOUCHED, gives, kernel, one_launch};

/// Parameters of a kernel by their generic addresses: in the kernel, in a function that is called, and back.
#[test]
fn parameters_have_generic_addresses() {
    let module = ".visible .func (.param .b32 r) third(.param .b64 a)\n{\n.reg .b64 %x;\n.reg .b32 %y;\n\
        ld.param.u64 %x, [a];\nld.u32 %y, [%x+8];\nst.param.b32 [r], %y;\nret;\n}\n";
    let params = ", .param .align 8 .b8 four[16], .param .u8 small, .param .u32 last";
    let body = "mov.b64 %rd1, four;\ncvta.param.u64 %rd2, %rd1;\nand.b32 %r1, %t, 3;\n\
        mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd3, %rd3, %rd2;\nld.u32 %r2, [%rd3];\n\
        {\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [a], %rd2;\ncall.uni (r), third, (a);\n\
        ld.param.b32 %r3, [r];\n}\n\
        cvta.to.param.u64 %rd4, %rd3;\nld.param.u32 %r4, [%rd4];\n\
        mov.b64 %rd5, last;\ncvta.param.u64 %rd5, %rd5;\nld.u32 %r5, [%rd5];\n\
        mov.b64 %rd6, small;\ncvta.param.u64 %rd6, %rd6;\nld.u8 %r6, [%rd6];\nadd.u32 %r5, %r5, %r6;\n\
        st.global.v4.u32 [%own], {%r2, %r3, %r4, %r5};";
    let four = [0x1111, 0x2222_0000, 0x3333, 0x4444_4444_u32];
    let after: Vec<u32> = (0..50).flat_map(|t| [four[t % 4], four[2], four[t % 4], 1_000_200]).collect();
    let (words, before) = (after.len(), vec![UNTOUCHED; after.len()]);
    let made = one_launch(kernel(module, params, body, 4), 50, before, after, move |launch| {
        let pair = |i: usize| u64::from(four[i]) | u64::from(four[i + 1]) << 32;
        // The byte and what fills up to the next word, then the last parameter.
        launch.u64(pair(0)).u64(pair(2)).u32(200).u32(1_000_000);
    });
    made.passes(words);
}

/// A function may be the only one that makes a parameter's address generic.
#[test]
fn a_function_makes_the_address_of_a_parameter_generic() {
    let module = ".visible .func (.param .b32 r) read(.param .b64 a)\n{\n.reg .b64 %x;\n.reg .b32 %y;\n\
        ld.param.u64 %x, [a];\ncvta.param.u64 %x, %x;\nld.u32 %y, [%x];\nst.param.b32 [r], %y;\nret;\n}\n";
    let body = "mov.b64 %rd1, number;\n{\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [a], %rd1;\n\
        call.uni (r), read, (a);\nld.param.b32 %r1, [r];\n}\nst.global.u32 [%own], %r1;";
    let (before, after) = (vec![UNTOUCHED; 33], vec![123_456; 33]);
    let ptx = kernel(module, ", .param .u32 number", body, 1);
    one_launch(ptx, 33, before, after, |launch| {
        launch.u32(123_456);
    })
    .passes(33);
}

/// Every question about an address of every space.
#[test]
fn an_address_lies_in_one_space() {
    let module = ".const .u32 constant = 1;\n.shared .align 4 .b8 shared[64];\n";
    let mut body = String::from(
        ".local .align 4 .b8 own[64];\n\
         mov.u64 %rd1, %out;\nmov.u64 %rd2, shared;\ncvta.shared.u64 %rd2, %rd2;\nadd.u64 %rd2, %rd2, 63;\n\
         mov.u64 %rd3, own;\ncvta.local.u64 %rd3, %rd3;\nmov.u64 %rd4, constant;\ncvta.const.u64 %rd4, %rd4;\n\
         mov.u64 %rd5, out;\ncvta.param.u64 %rd5, %rd5;\nadd.u64 %rd5, %rd5, 7;\nmov.u32 %r1, 0;\n",
    );
    let mut expected = 0;
    for address in 1..=5 {
        for (n, space) in ["global", "shared", "local", "const", "param"].into_iter().enumerate() {
            let bit = 1_u32 << (5 * (address - 1) + n);
            body += &format!("isspacep.{space} %p1, %rd{address};\n@%p1 or.b32 %r1, %r1, {bit};\n");
            if n + 1 == address {
                expected |= bit;
            }
        }
    }
    body += "isspacep.shared::cta %p1, %rd2;\n@!%p1 xor.b32 %r1, %r1, -1;\nst.global.u32 [%own], %r1;";
    gives(module, &body, 32, |_| [expected]);
}

/// Generic loads and stores whose lanes go to three spaces at once.
#[test]
fn lanes_of_one_access_go_to_different_spaces() {
    let module = ".shared .align 4 .b8 shared[256];\n";
    let body = ".local .align 4 .b8 own_words[8];\n\
        mov.u64 %rd1, shared;\ncvta.shared.u64 %rd1, %rd1;\nmul.wide.u32 %rd2, %t, 4;\n\
        add.u64 %rd1, %rd1, %rd2;\nmov.u64 %rd3, own_words;\ncvta.local.u64 %rd3, %rd3;\n\
        rem.u32 %r1, %t, 3;\nsetp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r1, 1;\n\
        selp.b64 %rd4, %rd1, %own, %p1;\nselp.b64 %rd4, %rd3, %rd4, %p2;\nmad.lo.u32 %r2, %t, 7, 1;\n\
        st.u32 [%rd4], %r2;\nld.u32 %r3, [%rd4];\nadd.u32 %r3, %r3, %r1;\nst.global.u32 [%own], %r3;";
    gives(module, body, 64, |t| [7 * t + 1 + t % 3]);
}
