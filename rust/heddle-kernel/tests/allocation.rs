//! The checker finds planted faults, and spilling works where it must.

use heddle_isa::{Op, Operand, Pc, Space};
use heddle_kernel::alloc::{Allocation, MAX_PREDICATES, MIN_REGISTERS};
use heddle_kernel::{AllocOptions, allocate_traced, check_allocation, lower, parse};
use heddle_port::Reg;

use crate::common::{Random, lowered, nvcc_files};

/// Changes one thing at random; false when nothing of that kind is there.
fn plant(allocation: &mut Allocation, random: &mut Random) -> Option<&'static str> {
    let program = &mut allocation.program;
    let at = random.below(program.instrs.len());
    let last = Pc(u32::try_from(program.instrs.len() - 1).expect("small"));
    let other = Reg(u32::try_from(random.below(program.num_regs as usize)).expect("small"));
    let instr = &mut program.instrs[at];
    match random.below(6) {
        0 => {
            let n = instr.srcs.len();
            let source = instr.srcs.get_mut(random.below(n))?;
            match source {
                Operand::Reg(r) if *r != other => *r = other,
                Operand::Imm(value) => *value ^= 4,
                _ => return None,
            }
            Some("another source")
        }
        1 => {
            let r = instr.dsts.first_mut().filter(|r| **r != other)?;
            *r = other;
            Some("another destination")
        }
        2 => {
            instr.guard.as_mut()?.negated ^= true;
            Some("the guard negated")
        }
        3 => match &mut instr.op {
            Op::Bra { target, .. } if target.0 + 1 < last.0 => {
                *target = target.next();
                Some("another target")
            }
            _ => None,
        },
        4 => {
            if !allocation.origins[at].inserted {
                return None;
            }
            instr.op = Op::Nop;
            instr.srcs.clear();
            instr.dsts.clear();
            Some("a spill or reload gone")
        }
        _ => {
            instr.offset += 4;
            Some("another offset")
        }
    }
}

#[test]
fn planted_faults_are_found() {
    let mut random = Random(7);
    let mut found = std::collections::BTreeMap::<&str, (usize, usize)>::new();
    for (file, text) in nvcc_files() {
        let module = parse(&file.display().to_string(), &text).unwrap_or_else(|e| panic!("{e}"));
        for program in lower(&module).unwrap_or_else(|e| panic!("{e}")) {
            let good = allocate_traced(&program, AllocOptions { max_registers: 16 })
                .unwrap_or_else(|e| panic!("{e}"));
            for _ in 0..60 {
                let mut bad = good.clone();
                if let Some(what) = plant(&mut bad, &mut random) {
                    let (total, caught) = found.entry(what).or_default();
                    *total += 1;
                    *caught += usize::from(check_allocation(&program, &bad).is_err());
                }
            }
        }
    }
    assert_eq!(found.len(), 6, "{found:?}");
    for (what, (total, caught)) in &found {
        // A few changes are harmless: a register that holds the same value, a result nobody reads.
        assert!(*caught * 20 >= *total * 17, "{what}: {caught} of {total} found");
    }
    for what in ["the guard negated", "another offset", "another target"] {
        assert_eq!(found[what].0, found[what].1, "{what}");
    }
}

#[test]
fn a_declared_limit_of_registers_holds() {
    for (file, text) in nvcc_files() {
        let module = parse(&file.display().to_string(), &text).unwrap_or_else(|e| panic!("{e}"));
        for mut program in lower(&module).unwrap_or_else(|e| panic!("{e}")) {
            program.declared.registers = Some(16);
            let kept = allocate_traced(&program, AllocOptions::default()).unwrap_or_else(|e| panic!("{e}"));
            assert!(kept.program.num_regs <= 16, "{}", program.name);
        }
    }
}

/// The smaller of what a kernel declares and what is asked for counts, and no fewer than ten registers.
#[test]
fn the_smallest_limit_of_registers_holds() {
    let mut body = String::from(".reg .b32 %v<60>;\n");
    for i in 0..60 {
        body.push_str(&format!("ld.volatile.shared.u32 %v{i}, [buffer+{}];\n", i % 32 * 4));
    }
    for i in 0..60 {
        body.push_str(&format!("st.volatile.shared.u32 [buffer], %v{i};\n"));
    }
    let plain = lowered(&body).unwrap_or_else(|e| panic!("{e}"));
    for (declared, asked, most) in
        [(40, 20, 20), (20, 40, 20), (12, 255, 12), (9, 255, 10), (1, 12, 10), (300, 30, 30)]
    {
        let mut program = plain.clone();
        program.declared.registers = Some(declared);
        let allocation = allocate_traced(&program, AllocOptions { max_registers: asked });
        let allocation = allocation.unwrap_or_else(|e| panic!("{e}"));
        check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("{e}"));
        // Sixty values are live at once, so that every register which may be used is.
        assert_eq!(allocation.program.num_regs, most, ".maxnreg {declared}, --max-registers {asked}");
    }
}

/// The message names what allows so few registers: the kernel itself, at its `.maxnreg`, or who asks for them.
#[test]
fn a_kernel_that_does_not_fit_its_limit_names_it() {
    let mut body = String::new();
    for i in 0..12 {
        body += &format!("ld.volatile.global.u32 %r{i}, [%rd1+{}];\nsetp.eq.u32 %p{i}, %r{i}, 5;\n", 4 * i);
    }
    for i in 2..10 {
        body += &format!("ld.volatile.global.u64 %rd{i}, [%rd1+{}];\n", 8 * i);
    }
    body += "@%p5 setp.lt.u64 %p8, %rd6, %rd9;\n@%p7 ld.global.v4.b32 {%r6, %r8, %r5, %r9}, [%rd8];\n\
             @%p5 bfi.b64 %rd4, %rd2, %rd9, %r2, %r4;\n\
             @%p0 tex.3d.v4.s32.s32 {%r3, %r2, %r0, %r9}, [%rd6, {%r5, %r4, %r7, %r7}];\n\
             bfi.b64 %rd1, %rd4, %rd4, %r11, %r7;\n@%p3 bfi.b64 %rd7, %rd7, %rd9, %r0, %r9;\n";
    for i in 0..12 {
        body += &format!("@%p{i} st.volatile.global.u32 [%rd1+8], %r{i};\n");
    }
    for i in 2..10 {
        body += &format!("st.volatile.global.u64 [%rd1], %rd{i};\n");
    }
    let told = |directives: &str, max_registers: u32| {
        let text = format!(
            ".version 8.5\n.target sm_75\n.address_size 64\n.entry k(.param .u64 out)\n.minnctapersm 1\n\
             {directives}\n{{\n.reg .pred %p<12>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<10>;\n\
             ld.param.u64 %rd1, [out];\n{body}ret;\n}}\n"
        );
        let options = AllocOptions { max_registers };
        heddle_kernel::compile("t.ptx", &text, None, options).err().map(|e| e.to_string())
    };
    assert_eq!((told("", 255), told(".maxnreg 40", 40)), (None, None));
    for (directives, asked, place, limit) in [
        ("", 10, "t.ptx:4:8", "does not fit 10 registers: the instruction at "),
        (".maxnreg 40", 10, "t.ptx:4:8", "does not fit 10 registers: the instruction at "),
        (
            ".maxnreg 10",
            255,
            "t.ptx:6:1",
            "does not fit the 10 registers that .maxnreg 10 allows: the instruction",
        ),
        (
            "  .maxnreg 7",
            40,
            "t.ptx:6:3",
            "does not fit the 10 registers that .maxnreg 7 allows: the instruction",
        ),
    ] {
        let message = told(directives, asked).expect(directives);
        assert!(message.contains(place) && message.contains(limit), "{directives}, {asked}: {message}");
    }
}

#[test]
fn pressure_above_the_limit_is_spilled_to_local_memory() {
    let mut body = String::from(".reg .b32 %v<40>;\n.reg .b64 %w<12>;\n");
    for i in 0..40 {
        body.push_str(&format!("ld.volatile.shared.u32 %v{i}, [buffer+{}];\n", i * 3 / 4 * 4 % 128));
    }
    for i in 0..12 {
        body.push_str(&format!("ld.volatile.shared.u64 %w{i}, [buffer+{}];\n", i * 8));
    }
    for i in 0..40 {
        body.push_str(&format!("st.volatile.shared.u32 [buffer], %v{i};\n"));
    }
    for i in 0..12 {
        body.push_str(&format!("@%p1 add.s64 %w{i}, %w{i}, 1;\nst.volatile.shared.u64 [buffer], %w{i};\n"));
    }
    let program = lowered(&body).unwrap_or_else(|e| panic!("{e}"));
    for max_registers in [16, 31, 64] {
        let allocation =
            allocate_traced(&program, AllocOptions { max_registers }).unwrap_or_else(|e| panic!("{e}"));
        check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("{e}"));
        let allocated = &allocation.program;
        assert!(allocated.num_regs <= max_registers);
        assert_eq!(allocated.local_bytes > program.local_bytes, max_registers < 64);
        for (instr, origin) in allocated.instrs.iter().zip(&allocation.origins) {
            assert_eq!(instr.loc, program.instrs[origin.pc.index()].loc, "place of an inserted instruction");
            if let Op::Ld { space: Space::Local, .. } | Op::St { space: Space::Local, .. } = instr.op {
                assert!(matches!(instr.srcs[0], Operand::Imm(a) if a >= u64::from(program.local_bytes)));
            }
        }
    }
}

#[test]
fn the_widest_instructions_fit_the_smallest_limit() {
    let program = lowered(
        "fma.rn.f64 %fd1, %fd2, %fd3, %fd4;\nbfi.b64 %rd1, %rd2, %rd3, %r1, %r2;\n\
         @%p1 fma.rn.f64 %fd1, %fd2, %fd3, %fd4;\n@%p2 bfi.b64 %rd5, %rd2, %rd3, %r1, %r2;\n\
         @%p1 atom.global.cas.b64 %rd4, [%rd1], %rd2, %rd3;\nst.global.v4.b32 [%rd4], {%r1, %r2, %r3, %r4};\n\
         @!%p1 ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd5];\n@%p1 ld.global.v2.f64 {%fd2, %fd3}, [%rd1];\n\
         st.global.v2.f64 [%rd1], {%fd1, %fd2};\nst.global.v2.f64 [%rd2], {%fd3, %fd4};\n\
         st.global.v4.b32 [%rd3], {%r1, %r2, %r3, %r4};",
    )
    .unwrap_or_else(|e| panic!("{e}"));
    for max_registers in MIN_REGISTERS..=16 {
        let allocation =
            allocate_traced(&program, AllocOptions { max_registers }).unwrap_or_else(|e| panic!("{e}"));
        check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Sets `count` predicates from memory, then uses all of them.
fn many_predicates(count: usize) -> String {
    let mut body = format!(".reg .pred %q<{count}>;\n");
    for i in 0..count {
        body.push_str(&format!("ld.volatile.shared.u32 %r1, [buffer+{}];\n", i * 4));
        body.push_str(&format!("setp.lt.s32 %q{i}, %r1, {i};\n"));
    }
    for i in 0..count {
        body.push_str(&format!("@%q{i} st.volatile.shared.u32 [buffer+{}], 1;\n", i * 4));
    }
    body
}

#[test]
fn predicates_beyond_seven_live_in_registers() {
    for count in [7, 8, 20] {
        let program = lowered(&many_predicates(count)).unwrap_or_else(|e| panic!("{e}"));
        for max_registers in [10, 255] {
            let allocation =
                allocate_traced(&program, AllocOptions { max_registers }).unwrap_or_else(|e| panic!("{e}"));
            check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("{e}"));
            let allocated = &allocation.program;
            assert!(u32::from(allocated.num_preds) <= MAX_PREDICATES, "{}", allocated.num_preds);
            let inserted = allocation.origins.iter().filter(|o| o.inserted).count();
            assert_eq!(inserted > 0, count > 7, "{}", heddle_kernel::program_text(allocated));
        }
    }
}

#[test]
fn what_a_loop_does_not_read_is_fetched_after_it() {
    let mut body = String::from(".reg .b32 %v<12>;\n");
    for i in 0..12 {
        body.push_str(&format!("ld.volatile.shared.u32 %v{i}, [buffer+{}];\n", i * 4));
    }
    body.push_str(
        "L:\nadd.s32 %v0, %v0, %v1;\nxor.b32 %v1, %v1, %v0;\nsetp.lt.s32 %p1, %v0, 100;\n@%p1 bra L;\n",
    );
    for i in 0..12 {
        body.push_str(&format!("st.volatile.shared.u32 [buffer+{}], %v{i};\n", i * 4));
    }
    let program = lowered(&body).unwrap_or_else(|e| panic!("{e}"));
    let allocation =
        allocate_traced(&program, AllocOptions { max_registers: 10 }).unwrap_or_else(|e| panic!("{e}"));
    check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("{e}"));
    let allocated = &allocation.program;
    let in_loop =
        allocated.blocks.iter().filter(|b| b.successors.len() == 2).flat_map(heddle_kernel::cfg::pcs);
    assert_eq!(in_loop.filter(|pc| allocation.origins[pc.index()].inserted).count(), 0);
    let accesses = |wanted: fn(&Op) -> bool| allocated.instrs.iter().filter(|i| wanted(&i.op)).count();
    let stores = accesses(|op| matches!(op, Op::St { space: Space::Local, .. }));
    let loads = accesses(|op| matches!(op, Op::Ld { space: Space::Local, .. }));
    // Twelve values and ten registers: two leave and come back.
    assert_eq!((stores, loads), (2, 2), "{}", heddle_kernel::program_text(allocated));
    assert_eq!(allocated.local_bytes, program.local_bytes.next_multiple_of(8) + 8);
}

#[test]
fn slots_that_are_not_in_use_at_once_share_an_address() {
    let mut body = String::from(".reg .b32 %v<24>;\n");
    for half in 0..2 {
        for i in half * 12..half * 12 + 12 {
            body.push_str(&format!("ld.volatile.shared.u32 %v{i}, [buffer+{}];\n", i % 12 * 4));
        }
        for i in half * 12..half * 12 + 12 {
            body.push_str(&format!("st.volatile.shared.u32 [buffer+{}], %v{i};\n", i % 12 * 4));
        }
    }
    let program = lowered(&body).unwrap_or_else(|e| panic!("{e}"));
    let allocation =
        allocate_traced(&program, AllocOptions { max_registers: 10 }).unwrap_or_else(|e| panic!("{e}"));
    check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("{e}"));
    let stores = allocation.program.instrs.iter().zip(&allocation.origins);
    let stores = stores.filter(|(i, o)| o.inserted && matches!(i.op, Op::St { .. })).count();
    assert_eq!(stores, 4);
    assert_eq!(allocation.program.local_bytes, program.local_bytes.next_multiple_of(8) + 8);
}

#[test]
fn pairs_are_even_and_copies_disappear() {
    let program = lowered(
        "ld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u64 %rd3, %rd2;\n\
         L: ld.global.u32 %r1, [%rd3];\nadd.s64 %rd4, %rd3, 4;\nmov.u64 %rd3, %rd4;\n\
         setp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;",
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let allocated =
        heddle_kernel::allocate(&program, AllocOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(allocated.num_regs, 3, "{}", heddle_kernel::program_text(&allocated));
    assert_eq!(allocated.instrs.len(), 6, "{}", heddle_kernel::program_text(&allocated));
}

#[test]
fn what_may_be_read_unwritten_is_refused() {
    let mut program =
        lowered("add.s32 %r1, %r1, 1;\nst.shared.u32 [buffer], %r1;").unwrap_or_else(|e| panic!("{e}"));
    program.instrs[0].op = Op::Nop;
    program.instrs[0].dsts.clear();
    let error = allocate_traced(&program, AllocOptions::default()).expect_err("no zero at entry");
    assert!(error.to_string().contains("before it is written"), "{error}");
    allocate_traced(&heddle_kernel::initialise(program), AllocOptions::default())
        .unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn random_control_flow_is_allocated_right() {
    let mut random = Random(99);
    for case in 0..150 {
        let blocks = 2 + random.below(8);
        let mut body = String::from(".reg .b32 %v<30>;\n.reg .b64 %w<10>;\n");
        for b in 0..blocks {
            body.push_str(&format!("B{b}:\n"));
            for _ in 0..random.below(12) {
                let guard = ["", "", "@%p1 ", "@!%p2 "][random.below(4)];
                let mut v = || random.below(30);
                let line = match v() % 7 {
                    0 => format!("mov.u32 %v{}, %v{};", v(), v()),
                    1 => format!("mov.u64 %w{}, %w{};", v() % 10, v() % 10),
                    2 => format!("cvt.u64.u32 %w{}, %v{};", v() % 10, v()),
                    3 => format!("mov.b64 {{%v{}, %v{}}}, %w{};", v(), v() % 15, v() % 10),
                    4 => format!("setp.lt.s32 %p{}, %v{}, %v{};", v() % 4, v(), v()),
                    5 => format!("mad.wide.s32 %w{}, %v{}, %v{}, %w{};", v() % 10, v(), v(), v() % 10),
                    _ => format!("st.shared.v4.u32 [buffer], {{%v{}, %v{}, %v{}, 1}};", v(), v(), v()),
                };
                body.push_str(&format!("{guard}{line}\n"));
            }
            if random.below(3) > 0 {
                body.push_str(&format!("@%p{} bra B{};\n", random.below(4), random.below(blocks)));
            }
        }
        let Ok(program) = lowered(&body) else {
            continue;
        };
        for max_registers in [10, 16, 24, 255] {
            let allocation = allocate_traced(&program, AllocOptions { max_registers })
                .unwrap_or_else(|e| panic!("case {case}: {e}"));
            check_allocation(&program, &allocation).unwrap_or_else(|e| {
                panic!(
                    "case {case} with {max_registers}: {e}\n{body}\n{}\n{}",
                    heddle_kernel::program_text(&program),
                    heddle_kernel::program_text(&allocation.program)
                )
            });
        }
    }
}
