//! Barriers with reduction in every form; `warp.rs` has the rest.

use super::gives;

/// Opcode, and what stands behind the operation.
const BARRIERS: [(&str, &str); 4] =
    [("bar.red", ""), ("barrier.red", ""), ("barrier.cta.red", ""), ("barrier.cta.red", ".aligned")];

/// Number and count as constants and registers, the predicate as it is, negated and constant.
#[test]
fn every_form_reduces() {
    let mut body = String::from(
        "setp.lt.u32 %p1, %t, 50;\nsetp.eq.u32 %p2, %t, %t;\nmov.u32 %r1, 5;\nmov.u32 %r2, 64;\nmov.u32 %r9, 0;\n",
    );
    let mut expected = 0;
    for ((barrier, aligned), weight) in BARRIERS.into_iter().zip([1, 3, 7, 11]) {
        // Operands behind the destination, and how many of 64 threads contribute.
        let forms =
            [("%r1, %p1", 50), ("3, !%p1", 14), ("%r1, 64, %p2", 64), ("15, %r2, !%p2", 0), ("0, 1", 64)];
        for (operands, count) in forms {
            let holds = |op: &str| if op == "and" { count == 64 } else { count != 0 };
            body += &format!(
                "{barrier}.popc{aligned}.u32 %r3, {operands};\nmad.lo.u32 %r9, %r3, {weight}, %r9;\n"
            );
            expected += weight * count;
            for op in ["and", "or"] {
                body += &format!(
                    "{barrier}.{op}{aligned}.pred %p3, {operands};\n@%p3 add.u32 %r9, %r9, {weight}000;\n"
                );
                expected += if holds(op) { weight * 1000 } else { 0 };
            }
        }
    }
    body += "st.global.u32 [%own], %r9;";
    gives("", &body, 64, |_| [expected]);
}

/// A barrier that is used over and over gives each round its own result.
#[test]
fn rounds_do_not_mix() {
    let body = "mov.u32 %r1, 0;\nmov.u32 %r9, 0;\nLOOP:\nadd.u32 %r1, %r1, 9;\nsetp.lt.u32 %p1, %t, %r1;\n\
        bar.red.popc.u32 %r2, 1, %p1;\nmad.lo.u32 %r9, %r9, 3, %r2;\nsetp.eq.u32 %p2, %t, %r1;\n\
        bar.red.or.pred %p3, 1, %p2;\n@%p3 add.u32 %r9, %r9, 1;\nbar.red.and.pred %p4, 1, %p1;\n@!%p4 bra LOOP;\n\
        st.global.u32 [%own], %r9;";
    let threads = 80;
    gives("", body, threads as usize, |_| {
        let mut sum: u32 = 0;
        for bound in (9..).step_by(9) {
            sum = sum.wrapping_mul(3).wrapping_add(bound.min(threads));
            sum = sum.wrapping_add(u32::from(bound < threads));
            if bound >= threads {
                break;
            }
        }
        [sum]
    });
}

/// Two groups of warps reduce at different barriers while the other is under way.
#[test]
fn barriers_with_counts_reduce_apart() {
    let body = "setp.lt.u32 %p1, %t, 64;\nand.b32 %r1, %t, 3;\nsetp.eq.u32 %p2, %r1, 1;\n@%p1 bra LOW;\n\
        bar.red.popc.u32 %r2, 2, 96, !%p2;\nbra END;\nLOW:\nmov.u32 %r3, 1;\n\
        barrier.red.popc.aligned.u32 %r2, %r3, 64, %p2;\nEND:\nst.global.u32 [%own], %r2;";
    gives("", body, 160, |t| [if t < 64 { 16 } else { 72 }]);
}
