//! The page docs/your-kernel.md: its commands run, and print what the page says.

use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// A command of the page, without the prompt, and the lines that it prints there.
struct Command {
    line: String,
    printed: Vec<String>,
}

/// The commands in the indented blocks of the page: lines that begin with `$ `, each with what follows.
fn commands(page: &str) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (line.strip_prefix("    "), line.strip_prefix("    $ ")) {
            (_, Some(command)) => {
                commands.push(Command { line: command.to_owned(), printed: Vec::new() });
                inside = true;
            }
            (Some(printed), None) if inside => {
                if let Some(command) = commands.last_mut() {
                    command.printed.push(printed.to_owned());
                }
            }
            // Blank lines belong to what is printed.
            _ if line.is_empty() => {}
            _ => inside = false,
        }
    }
    commands
}

/// Words that a command prints, without the lines of tables, and without the numbers of `heddle exec`, which say how
/// fast the host is.
fn words(command: &str, text: &str) -> Vec<String> {
    let of_the_host = command.starts_with("heddle exec");
    text.split(|c: char| c.is_whitespace() || "│┌┐└┘─╞╡═".contains(c))
        .filter(|w| !w.is_empty())
        .filter(|w| !of_the_host || !w.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

fn copy_example(to: &Path) {
    for entry in std::fs::read_dir(docs().join("examples/saxpy")).expect("the example") {
        let entry = entry.expect("a file");
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

#[test]
fn the_commands_of_the_page_print_what_it_says() {
    let page = std::fs::read_to_string(docs().join("your-kernel.md")).expect("the page");
    let folder = tempfile::tempdir().expect("temporary folder");
    copy_example(folder.path());
    let program = Path::new(env!("CARGO_BIN_EXE_heddle")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut ran = 0;
    for command in commands(&page).iter().filter(|c| c.line.starts_with("heddle ")) {
        let output = std::process::Command::new("sh")
            .args(["-c", &command.line])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("HEDDLE_ROOT", docs().join(".."))
            .output()
            .expect("a shell");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let printed = command.printed.join("\n");
        assert_eq!(words(&command.line, &text), words(&command.line, &printed), "{}\n{text}", command.line);
        ran += 1;
    }
    assert!(ran >= 7, "only {ran} commands of the page were run");
}
