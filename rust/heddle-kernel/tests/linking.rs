//! Several PTX modules as one: what they share, what each keeps to itself, and what does not fit.

use heddle_kernel::{Diagnostics, link, lower_entry, program_text};

use crate::common::golden_words;

const HEAD: &str = ".version 8.5\n.target sm_75\n.address_size 64\n";

fn linked(files: &[(&str, &str)]) -> Result<heddle_kernel::ast::Module, Diagnostics> {
    let owned: Vec<(String, String)> =
        files.iter().map(|(name, text)| ((*name).to_owned(), format!("{HEAD}{text}"))).collect();
    link(&owned)
}

/// What the only kernel leaves in its output.
fn words(files: &[(&str, &str)], words: u32) -> Vec<u32> {
    let module = linked(files).unwrap_or_else(|e| panic!("{e}"));
    let program = lower_entry(&module, None).unwrap_or_else(|e| panic!("{e}"));
    golden_words(&program, 1, words).unwrap_or_else(|e| panic!("{e}"))
}

/// `text` with a kernel around `body`; `%out` is the address of the output.
fn kernel(text: &str, body: &str) -> String {
    format!(
        "{text}.visible .entry k(.param .u64 out)\n{{\n.reg .b64 %out, %a;\n.reg .b32 %r<9>;\n\
         .param .b32 in, back;\nld.param.u64 %out, [out];\n{body}ret;\n}}\n"
    )
}

/// A call of `name` with 5, whose result goes to word `n` of the output.
fn call(name: &str, n: u32) -> String {
    format!(
        "st.param.b32 [in], 5;\ncall (back), {name}, (in);\nld.param.b32 %r1, [back];\nst.global.u32 [%out+{}], %r1;\n",
        4 * n
    )
}

fn function(linkage: &str, name: &str, body: &str) -> String {
    format!(
        "{linkage} .func (.param .b32 r) {name}(.param .b32 x)\n{{\n.reg .b32 %v<4>;\nld.param.u32 %v0, [x];\n{body}\
         st.param.b32 [r], %v0;\nret;\n}}\n"
    )
}

const DECLARED: &str = ".extern .func (.param .b32 r) twice(.param .b32 x);\n\
     .extern .global .align 4 .u32 counter;\n.extern .const .align 4 .u32 weights[];\n\
     .extern .shared .align 4 .u32 scratch[4];\n";

#[test]
fn functions_and_variables_of_other_files_are_found() {
    let body = call("twice", 0)
        + "ld.global.u32 %r2, [counter];\nst.global.u32 [%out+4], %r2;\n\
           ld.const.u32 %r3, [weights+4];\nst.global.u32 [%out+8], %r3;\n\
           st.shared.u32 [scratch+8], 9;\nld.shared.u32 %r4, [scratch+8];\nst.global.u32 [%out+12], %r4;\n";
    let main = kernel(DECLARED, &body);
    let library =
        ".visible .global .align 4 .u32 counter = 70;\n.visible .const .align 4 .u32 weights[2] = {1, 2};\n\
         .visible .shared .align 4 .u32 scratch[4];\n"
            .to_owned()
            + &function(".visible", "twice", "ld.global.u32 %v1, [counter];\nadd.u32 %v0, %v0, %v1;\n");
    for files in [[("a.ptx", main.as_str()), ("b.ptx", &library)], [("b.ptx", &library), ("a.ptx", &main)]] {
        assert_eq!(words(&files, 4), [75, 70, 2, 9]);
    }
}

#[test]
fn names_that_a_file_keeps_to_itself_do_not_meet() {
    let own = ".global .align 4 .u32 own = 1;\n".to_owned()
        + &function("", "helper", "ld.global.u32 %v1, [own];\nadd.u32 %v0, %v0, %v1;\n");
    let other = ".global .align 4 .u32 own = 100;\n".to_owned()
        + &function("", "helper", "ld.global.u32 %v1, [own];\nadd.u32 %v0, %v0, %v1;\n")
        + &function(
            ".visible",
            "public",
            "{\n.param .b32 p, q;\nst.param.b32 [p], %v0;\ncall (q), helper, (p);\nld.param.b32 %v0, [q];\n}\n",
        );
    let main = kernel(
        &format!(".extern .func (.param .b32 r) public(.param .b32 x);\n{own}"),
        &(call("helper", 0) + &call("public", 1)),
    );
    assert_eq!(words(&[("a.ptx", &main), ("b.ptx", &other)], 2), [6, 105]);
}

#[test]
fn a_weak_definition_gives_way_and_dynamic_shared_memory_is_one() {
    let dynamic = ".extern .shared .align 4 .b8 pool[];\n";
    let weak = dynamic.to_owned() + &function(".weak", "choose", "mov.u32 %v0, 1;\n");
    let strong = dynamic.to_owned() + &function(".visible", "choose", "mov.u32 %v0, 2;\n");
    let declared = ".extern .func (.param .b32 r) choose(.param .b32 x);\n";
    let main = kernel(declared, &call("choose", 0));
    assert_eq!(words(&[("m", &main), ("w", &weak), ("s", &strong)], 1), [2]);
    assert_eq!(words(&[("m", &main), ("w", &weak), ("v", &weak)], 1), [1]);
}

#[test]
fn what_does_not_fit_is_told_at_its_place() {
    let main = kernel(DECLARED, &call("twice", 0));
    let twice = function(".visible", "twice", "");
    let others = ".visible .const .align 4 .u32 weights[2];\n.visible .shared .align 4 .u32 scratch[4];\n";
    let good = format!("{others}.visible .global .u32 counter;\n{twice}");
    assert!(linked(&[("a.ptx", &main), ("b.ptx", &good)]).is_ok());
    let cases: [(&str, &[&str]); 9] = [
        (
            &format!("{good}{twice}"),
            &["'twice' is defined twice", "b.ptx:14:", "definition is at b.ptx:7:32"],
        ),
        (
            &format!("{others}{twice}.global .u32 counter;\n"),
            &["'counter' is defined in none of the files", "a.ptx:5:31", "defines it as .visible"],
        ),
        (
            &format!("{others}{twice}.visible .global .u32 counted;\n"),
            &["'counter' is defined in none of the files", "did you mean 'counted'?"],
        ),
        (
            &format!("{others}{twice}.visible .const .u32 counter;\n"),
            &["'counter' is declared in .global, and defined in .const", "it is defined at b.ptx:13:"],
        ),
        (
            &format!("{others}{twice}.visible .global .u64 counter;\n"),
            &["'counter' is declared with 4 bytes, and defined with 8"],
        ),
        (
            &good.replace("(.param .b32 x)", "(.param .b64 x)"),
            &["'twice' is declared with other parameters", "a.ptx:4:31", "it is defined at b.ptx:7:32"],
        ),
        (&good.replace("func", "fnc"), &["'.fnc' is not a directive", "b.ptx:7:10"]),
        (
            &good.replace("ld.param.u32 %v0, [x];", "ld.param.u32 %v0, [y];"),
            &["'y' is not declared", "b.ptx:10:20"],
        ),
        (
            &good.replace(".visible .func", ".func"),
            &["'twice' has no body in the PTX", "a.ptx:15:14", "with --link or in the launch file"],
        ),
    ];
    for (library, parts) in cases {
        let module = linked(&[("a.ptx", &main), ("b.ptx", library)]);
        let fault = module.and_then(|m| lower_entry(&m, None)).expect_err(parts[0]).to_string();
        for part in parts {
            assert!(fault.contains(part), "'{part}' is not in:\n{fault}");
        }
    }
    let narrow = [("a".to_owned(), format!("{HEAD}{main}")), ("b".to_owned(), HEAD.replace("64", "32"))];
    let fault = link(&narrow).expect_err("addresses of 32 bits").to_string();
    for part in ["addresses of 32 bits are not supported", "b:3:15"] {
        assert!(fault.contains(part), "'{part}' is not in:\n{fault}");
    }
}

#[test]
fn a_name_of_a_module_may_be_a_word_of_the_head() {
    let debug = |text: &str| format!("{}{text}", HEAD.replace("sm_75", "sm_75, debug"));
    let own = "ld.global.u32 %r1, [debug];\nst.global.u32 [%out], %r1;\n";
    let main = debug(&kernel(".global .align 4 .u32 debug = 7;\n", own));
    let files = [("a".to_owned(), main), ("b".to_owned(), debug(""))];
    let module = link(&files).unwrap_or_else(|e| panic!("{e}"));
    let program = lower_entry(&module, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(golden_words(&program, 1, 1).unwrap_or_else(|e| panic!("{e}")), [7]);
}

#[test]
fn places_are_those_of_the_files() {
    let main = kernel(".extern .func (.param .b32 r) twice(.param .b32 x);\n", &call("twice", 0));
    let module =
        linked(&[("a.ptx", &main), ("b.ptx", &function(".visible", "twice", "add.u32 %v0, %v0, %v0;\n"))]);
    let text = program_text(&lower_entry(&module.expect("they fit"), None).expect("it lowers"));
    assert!(text.contains("; b.ptx:8:1\n") && text.contains("; a.ptx:13:1\n"), "{text}");
}
