//! What a kernel tells caches and memory order: values stay what they are.

use super::gives;

#[test]
fn cache_policies_and_hints_change_no_value() {
    let body = "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;\n\
        createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %rd2, 0f3F000000;\n\
        createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %rd3, [%out], 128, 256;\n\
        mad.lo.u32 %r1, %t, 5, 3;\nst.global.L2::cache_hint.u32 [%own], %r1, %rd1;\n\
        ld.global.L2::cache_hint.u32 %r2, [%own], %rd2;\nprefetch.global.L2 [%own];\nprefetchu.L1 [%own];\n\
        applypriority.global.L2::evict_normal [%out], 128;\n\
        ld.global.L1::evict_last.L2::128B.u32 %r3, [%own];\nld.global.L1::no_allocate.u32 %r4, [%own];\n\
        atom.global.add.L2::cache_hint.u32 %r5, [%own], 100, %rd3;\n\
        red.global.add.L2::cache_hint.u32 [%own], 1000, %rd3;\n\
        add.u32 %r2, %r2, %r3;\nadd.u32 %r2, %r2, %r4;\nadd.u32 %r2, %r2, %r5;\n\
        st.global.L1::evict_first.u32 [%own+4], %r2;";
    gives("", body, 70, |t| [5 * t + 1103, 4 * (5 * t + 3)]);
}

/// All cache operators and orders, each load after the store before it.
#[test]
fn loads_see_the_stores_before_them_in_every_form() {
    let stores = [
        "st.global.u32",
        "st.global.wb.u32",
        "st.global.cg.u32",
        "st.global.cs.u32",
        "st.global.wt.u32",
        "st.volatile.global.u32",
        "st.relaxed.gpu.global.u32",
        "st.release.sys.global.u32",
        "st.mmio.relaxed.sys.global.u32",
        "st.weak.global.u32",
    ];
    let loads = [
        "ld.global.u32",
        "ld.global.ca.u32",
        "ld.global.cg.u32",
        "ld.global.cs.u32",
        "ld.global.lu.u32",
        "ld.global.cv.u32",
        "ld.volatile.global.u32",
        "ld.relaxed.cta.global.u32",
        "ld.acquire.gpu.global.u32",
        "ld.mmio.relaxed.sys.global.u32",
        "ld.weak.u32",
    ];
    let mut body = String::from("mov.u32 %r2, 0;\nmov.u32 %r1, %t;\n");
    for store in stores {
        for load in loads {
            body += &format!(
                "add.u32 %r1, %r1, 3;\n{store} [%own], %r1;\n{load} %r3, [%own];\nadd.u32 %r2, %r2, %r3;\n"
            );
        }
    }
    body += "st.global.u32 [%own], %r2;";
    let accesses = (stores.len() * loads.len()) as u32;
    gives("", &body, 64, |t| [accesses * t + 3 * accesses * (accesses + 1) / 2]);
}
