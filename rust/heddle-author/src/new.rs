//! A new design on top of one that is there: everything that it needs, to be changed part by part.

use std::fs;
use std::path::{Path, PathBuf};

use heddle_rtl::Manifest;

use crate::error::NewDesignError;
use crate::made::Made;

/// A file of a new design.
struct New {
    path: String,
    text: String,
}

/// Words of Rust that no module can be called: a design's model is a module of its name.
const RUST_WORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Writes what a design `name` needs that does at first what `from` does, with its cells, into the repository at
/// `root`, or into a folder `at` of its own with a crate for the model. Returns the files' paths from there.
///
/// # Errors
/// [`NewDesignError`]: a name that is taken or is none, an unknown base, or a file that is there or cannot be written.
pub fn new_design(
    root: &Path,
    name: &str,
    from: &str,
    at: Option<&Path>,
) -> Result<Vec<PathBuf>, NewDesignError> {
    let refused = |what: String| Err(NewDesignError::Refused(what));
    let word = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !word || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return refused(format!("'{name}': a name of lower-case letters, digits and _ is expected"));
    }
    if RUST_WORDS.contains(&name) {
        return refused(format!("'{name}': a word of Rust, which the module of the model cannot be called"));
    }
    let base = Manifest::load(root, from)?;
    if base.variant.is_some() {
        return refused(format!("'{from}' is a variant of '{}': name that design", base.name));
    }
    if !base.has_rtl {
        return refused(format!("'{from}' is a cycle model without RTL; expected a design that has a top"));
    }
    let Some(top) = base.top_file() else {
        return refused(format!("no source of '{from}' is {}.sv", base.top));
    };
    let top = fs::read_to_string(top).map_err(NewDesignError::file(top))?;
    let sdc = root.join(format!("constraints/{0}/{0}.sdc", base.name));
    let sdc = fs::read_to_string(&sdc).map_err(NewDesignError::file(&sdc))?;
    let mut files = vec![
        New { path: format!("rtl/{name}/design.toml"), text: manifest(name, &base) },
        New {
            path: format!("rtl/{name}/{name}_top.sv"),
            text: wrapper(name, &base, &top).map_err(NewDesignError::Refused)?,
        },
        New { path: format!("testbench/{name}/view.toml"), text: view(name, &base) },
        New { path: format!("testbench/{name}/planted_bugs.toml"), text: planted(name, &base) },
        New { path: format!("constraints/{name}/{name}.sdc"), text: sdc },
        New {
            path: format!("constraints/{name}/lint.vlt"),
            text: waivers(root, name, &base).map_err(NewDesignError::Refused)?,
        },
        New { path: format!("docs/designs/{name}.md"), text: page(name, &base) },
    ];
    if at.is_some() {
        files.push(New { path: "Cargo.toml".to_owned(), text: package(name) });
        files.push(New { path: "src/lib.rs".to_owned(), text: model_of_crate(name, &base) });
    } else {
        let path = format!("rust/heddle-designs/src/{name}/mod.rs");
        files.push(New { path, text: model(name, &base) });
    }
    let to = at.unwrap_or(root);
    // A design outside the repository cannot have the name of one inside, or of a folder that designs share.
    let inside = Path::new("rtl").join(name);
    let taken = [inside.join("design.toml"), inside].into_iter().find(|path| root.join(path).exists());
    let there = || files.iter().map(|file| PathBuf::from(&file.path)).find(|path| to.join(path).exists());
    if let Some(path) = taken.or_else(there) {
        return Err(NewDesignError::Taken { path });
    }
    if Manifest::load(root, name).is_ok() {
        return refused(format!("'{name}': a variant or a cycle model of that name is there already"));
    }
    let mut made = Made::default();
    for file in &files {
        made.file(&to.join(&file.path), &file.text)?;
    }
    let tree = match at {
        Some(folder) => heddle_outside::tree(root, &[folder.to_owned()])?,
        None => root.to_owned(),
    };
    let manifest = Manifest::load(&tree, name)?;
    let mut paths: Vec<PathBuf> = files.iter().map(|file| PathBuf::from(&file.path)).collect();
    for generated in manifest.generated()? {
        made.file(&generated.path, &generated.text)?;
        paths.push(generated.path.strip_prefix(&tree).unwrap_or(&generated.path).to_owned());
    }
    made.keep();
    Ok(paths)
}

/// The crate of a design outside the repository. Its dependencies are those of the tree that it is used with.
fn package(name: &str) -> String {
    let version = format!("{}.{}", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    format!(
        "# The cycle model of {name}, for `heddle --design-path`.\n\
         [package]\nname = \"{name}-model\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\nheddle-designs = \"{version}\"\nheddle-port = \"{version}\"\n\n[workspace]\n"
    )
}

fn model_of_crate(name: &str, base: &Manifest) -> String {
    let from = &base.name;
    format!(
        "//! What {name} is: on top of {from}, whose model it has.\n\n\
         use heddle_port::{{DesignError, Instance, RegisterFile}};\n\n\
         /// Name of the design, in messages.\n\
         pub const NAME: &str = \"{name}\";\n\n\
         /// The cycle model; it needs a reset before its first step.\n///\n\
         /// # Errors\n\
         /// The instance lacks a parameter or event that the model needs, or has one that it cannot have.\n\
         pub fn make(instance: &Instance) -> Result<Box<dyn RegisterFile + Send>, DesignError> {{\n    \
         heddle_designs::base(NAME, \"{from}\", instance)\n}}\n"
    )
}

fn manifest(name: &str, base: &Manifest) -> String {
    let elaborations: String = base
        .elaborations
        .iter()
        .take(1)
        .map(|elaboration| {
            let values: Vec<String> =
                elaboration.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!(
                "[[elaborations]]\nname = \"{}\"\nparameters = {{ {} }}\n",
                elaboration.name,
                values.join(", ")
            )
        })
        .collect();
    format!(
        "# What this design has more than {from}, or otherwise; docs/adding-a-design.md names all keys.\n\
         [design]\n\
         name = \"{name}\"\n\
         title = \"What {name} is, in one line\"\n\
         extends = \"{from}\"\n\
         port = {port}\n\
         top = \"{name}_top\"\n\
         sources = [\"{name}_top.sv\"]\n\n\
         {elaborations}",
        from = base.name,
        port = heddle_port::PORT_VERSION
    )
}

/// The words of the parts of a module's header: what stands between the brackets of its parameters and ports.
fn header<'a>(text: &'a str, top: &str) -> Result<[&'a str; 3], String> {
    let wrong = || format!("{top}.sv has no header of the form `module {top} ... #( ... ) ( ... );`");
    let (_, rest) = text.split_once(&format!("module {top}")).ok_or_else(wrong)?;
    let (imports, rest) = rest.split_once("#(\n").ok_or_else(wrong)?;
    let (parameters, rest) = rest.split_once("\n) (\n").ok_or_else(wrong)?;
    let (ports, _) = rest.split_once("\n);").ok_or_else(wrong)?;
    Ok([imports, parameters, ports])
}

/// A top that has the base's top in it, and nothing else.
fn wrapper(name: &str, base: &Manifest, text: &str) -> Result<String, String> {
    let [imports, parameters, ports] = header(text, &base.top)?;
    let include = format!("`include \"{}_events.svh\"", base.name);
    let own_include = format!("`include \"{name}_events.svh\"");
    let parameters = parameters.replace(&include, &own_include);
    let of_base = parameters
        .lines()
        .filter_map(|line| line.trim().strip_prefix("parameter ")?.split_once('='))
        .filter_map(|(declared, _)| declared.split_whitespace().last())
        .map(|name| format!("    .{name}({name})"))
        .collect::<Vec<_>>()
        .join(",\n");
    let connections = ports
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim_end().trim_end_matches(','))
        .filter_map(|line| line.rsplit([' ', ']']).next())
        .filter(|port| ["_i", "_ni", "_o"].iter().any(|end| port.ends_with(end)))
        .map(|port| format!("    .{port}"))
        .collect::<Vec<_>>()
        .join(",\n");
    Ok(format!(
        "// What {name} is: on top of {from}, whose registers it has.\n\
         module {name}_top{imports}#(\n{parameters}\n) (\n{ports}\n);\n\n  \
         {top} #(\n{of_base}\n  ) u_{from} (\n{connections}\n  );\n\n\
         endmodule\n",
        from = base.name,
        top = base.top
    ))
}

fn model(name: &str, base: &Manifest) -> String {
    let from = &base.name;
    format!(
        "//! What {name} is: on top of {from}, whose model it has.\n\n\
         use crate::Entry;\n\n\
         /// Name of the design, in the registry and in messages.\n\
         pub const NAME: &str = \"{name}\";\n\n\
         /// The design's line in the registry.\n\
         pub const ENTRY: Entry = Entry {{ name: NAME, make: |instance| crate::base(NAME, \"{from}\", instance) }};\n\n\
         inventory::submit! {{ ENTRY }}\n"
    )
}

/// The base's view, in which the base's top is a part of the new one.
fn view(name: &str, base: &Manifest) -> String {
    let from = &base.name;
    format!(
        "# Saved view of {name}: that of {from}, and what {name} has more; docs/waves.md explains the format.\n\n\
         scope = \"{name}_top\"\n\
         include = [{{ file = \"../{from}/view.toml\", scope = \".u_{from}\" }}]\n"
    )
}

fn planted(name: &str, base: &Manifest) -> String {
    format!(
        "# Planted bugs of {name}, beside those of the cells of {} that it has.\n\nbugs = []\n",
        base.name
    )
}

/// Of the base's waivers those of its top, for the new top.
fn waivers(root: &Path, name: &str, base: &Manifest) -> Result<String, String> {
    let mut text = format!(
        "`verilator_config\n// Beside those of {}, whose top this one has the ports of.\n",
        base.name
    );
    for file in heddle_rtl::waivers(root, base).map_err(|e| e.to_string())? {
        let waivers = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let of_top = format!("/{}.sv\"", base.top);
        for line in waivers.lines().filter(|line| line.starts_with("lint_off")) {
            if let Some((rule, (_, rest))) =
                line.split_once("-file \"").and_then(|(rule, rest)| Some((rule, rest.split_once(&of_top)?)))
            {
                text.push_str(&format!("{rule}-file \"*/{name}/{name}_top.sv\"{rest}\n"));
            }
        }
    }
    Ok(text)
}

fn page(name: &str, base: &Manifest) -> String {
    format!(
        "# {name}\n\nOn top of `{}`. To be told here: structure with a diagram, timing of the main operations cycle by cycle, \
         policies of all\narbiters, what each command does, events, decisions, limits.\n",
        base.name
    )
}
