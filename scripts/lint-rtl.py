#!/usr/bin/env python3
"""The RTL of every design, with its assertions and binds, under Verilator, slang and verible.

Each elaboration of each manifest (rtl/*/design.toml) is read by `verilator --lint-only -Wall` with the waivers of
constraints/<design>/ and by slang with constraints/slang.f. All SystemVerilog of rtl/ and testbench/ is read by
verible with constraints/verible.rules; comments keep to its line length too. Prints a line for each elaboration
and exits with 1 when there is any message; a tool that is missing is an error.

  lint-rtl.py                       all of it
  lint-rtl.py --mutant JSON DESIGN  what Verilator and slang say of one design with a source changed: `file`, the bytes
                                    `start` to `end` of it, their `replacement`, or null for the design itself; for
                                    `heddle mutate --prove`

Verilator is looked for where scripts/tools.sh does it: VERILATOR, VERILATOR_ROOT, PATH, build/tools/venv. slang and
verible are those in build/tools/lint (`scripts/tools.sh lint`). HEDDLE_TOOLS names another folder than build/tools.
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(os.environ.get("HEDDLE_TOOLS", ROOT / "build/tools"))
LINT = TOOLS / "lint"


def fail(message):
    sys.exit(f"lint-rtl: {message}")


def use_lint_packages():
    """Goes on with the Python that the packages were installed for, where it has a program of its own."""
    python = LINT / "bin/python"
    if python.exists() and Path(sys.prefix) != LINT:
        os.execv(python, [str(python), __file__, *sys.argv[1:]])
    for packages in LINT.glob("lib/python*/site-packages"):
        sys.path.insert(0, str(packages))


def find_verilator():
    """The program and the environment it runs in: the package's binary needs VERILATOR_ROOT."""
    environment = dict(os.environ)
    root = environment.get("VERILATOR_ROOT")
    for candidate in (environment.get("VERILATOR"), root and f"{root}/bin/verilator", shutil.which("verilator")):
        if candidate and subprocess.run([candidate, "--version"], capture_output=True, check=False).returncode == 0:
            return candidate, environment
    for package in TOOLS.glob("venv/lib/python*/site-packages/verilator"):
        program = package / "bin/verilator_bin"
        if os.access(program, os.X_OK):
            return str(program), {**environment, "VERILATOR_ROOT": str(package)}
    fail("no Verilator: run scripts/tools.sh")


def elaborations(manifest, tomllib):
    """Top module, files from the root of the repository, and (name, parameters) of each elaboration."""
    with manifest.open("rb") as file:
        try:
            design = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            fail(f"{manifest}: {error}")
    try:
        top, listed = design["design"]["top"], design["design"]["sources"]
        own = [p for p in design.get("parameters", []) if p["kind"] == "elaborated"]
        defaults = {p["name"]: p["default"] for p in own}
        sets = [(e["name"], defaults | e.get("parameters", {})) for e in design["elaborations"]]
    except KeyError as key:
        fail(f"{manifest} has no {key}")
    files = []
    for source in listed:
        file = (manifest.parent / source).resolve()
        if not file.is_file():
            fail(f"{manifest}: no file {source}")
        files.append(str(file.relative_to(ROOT)))
    if not files or not sets:
        fail(f"{manifest} has no sources or no elaborations")
    return top, files, sets


def generics(parameters):
    """Options for the parameters of the top; `some_name` of a manifest is `SomeName` there."""
    in_rtl = {"".join(word.capitalize() for word in name.split("_")): value for name, value in parameters.items()}
    return [f"-G{name}={int(value)}" for name, value in in_rtl.items()]


def include_folders(files):
    """Options for the folders in which files to be included lie."""
    folders = {str(Path(file).parent) for file in files}
    return [f"+incdir+{folder}" for folder in sorted(folders) if any((ROOT / folder).glob("*.svh"))]


def verilator_messages(program, root, name, top, files, parameters):
    """What Verilator says of the sources below `root`, "" when it has nothing to say."""
    command, environment = program
    waivers = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "constraints" / name).glob("*.vlt"))
    arguments = ["--lint-only", "-Wall", "--assert", "--top-module", top, *generics(parameters), *include_folders(files), *waivers,
                 *files]
    done = subprocess.run(
        [command, *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode < 0:
        fail(f"Verilator ends with signal {-done.returncode}")
    # Lines that begin with a dash are its own report of time and memory.
    said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("- ")]
    if done.returncode != 0 and not said:
        said = [f"Verilator ends with {done.returncode}"]
    return "\n".join(said)


def slang_passes(driver, top, files, parameters):
    """Whether slang has nothing to report; its messages go to the standard error."""
    slang = driver.Driver()
    slang.addStandardArgs()
    options = ["slang", "-f", "constraints/slang.f", "--top", top, *generics(parameters), *include_folders(files), *files]
    if not (slang.parseCommandLine(" ".join(options)) and slang.processOptions() and slang.parseAllSources()):
        slang.reportDiagnostics(True)
        return False
    compilation = slang.createCompilation()
    slang.reportCompilation(compilation, True)
    slang.runAnalysis(compilation)
    return slang.reportDiagnostics(True)


def of_mutant(verilator, driver, tomllib, mutant, name):
    """Prints what is said of the first elaboration of which something is said, as a JSON string, or null; of the design
    itself where there is no mutant.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for part in ("rtl", "testbench", "constraints"):
            shutil.copytree(ROOT / part, root / part)
        if mutant:
            changed = root / mutant["file"]
            source = changed.read_bytes()
            replacement = f"({mutant['replacement']})".encode()
            changed.write_bytes(source[: mutant["start"]] + replacement + source[mutant["end"] :])
        top, files, sets = elaborations(ROOT / "rtl" / name / "design.toml", tomllib)
        os.chdir(root)
        for _, parameters in sets:
            said = verilator_messages(verilator, root, name, top, files, parameters)
            if not said and not slang_passes(driver, top, files, parameters):
                said = "slang reports it"
            if said:
                break
        print(json.dumps(said.splitlines()[0] if said else None))
        os.chdir(ROOT)


def verible_messages():
    """What verible says of all SystemVerilog, and comments that are too long, which it takes for one word each."""
    rules = ROOT / "constraints/verible.rules"
    limit = re.search(r"^\+line-length=length:(\d+)$", rules.read_text(encoding="utf-8"), re.MULTILINE)
    if not limit:
        fail(f"{rules} has no line-length=length:N")
    files = sorted(str(p.relative_to(ROOT)) for d in ("rtl", "testbench") for p in (ROOT / d).rglob("*.sv"))
    command = [str(LINT / "bin/verible-verilog-lint"), "--ruleset=all", f"--rules_config={rules}", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).splitlines()
    if done.returncode != 0 and not said:
        said = [f"verible ends with {done.returncode}"]
    for file in files:
        for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1):
            if line.lstrip().startswith("//") and len(line) > int(limit[1]):
                said.append(f"{file}:{number}: comment of {len(line)} characters, at most {limit[1]} [line-length]")
    return len(files), said


def main():
    use_lint_packages()
    try:
        import tomllib
    except ImportError:
        fail("Python 3.11 or later is needed")
    try:
        from pyslang import driver
    except ImportError as error:
        fail(f"no slang ({error}): run scripts/tools.sh lint")
    if not os.access(LINT / "bin/verible-verilog-lint", os.X_OK):
        fail("no verible: run scripts/tools.sh lint")
    verilator = find_verilator()
    os.chdir(ROOT)  # slang names files below it

    match sys.argv[1:]:
        case []:
            pass
        case ["--mutant", mutant, name]:
            of_mutant(verilator, driver, tomllib, json.loads(mutant), name)
            return 0
        case _:
            fail("no argument, or --mutant JSON DESIGN, is expected")

    manifests = sorted(ROOT.glob("rtl/*/design.toml"))
    if not manifests:
        fail(f"no design in {ROOT / 'rtl'}")
    bad = False
    # Verilator and verible run beside slang, which is a part of this process.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for manifest in manifests:
            name = manifest.parent.name
            top, files, sets = elaborations(manifest, tomllib)
            for elaboration, parameters in sets:
                read = pool.submit(verilator_messages, verilator, ROOT, name, top, files, parameters)
                jobs.append((f"{name} {elaboration}", top, files, parameters, read))
        verible = pool.submit(verible_messages)
        for what, top, files, parameters, read in jobs:
            found = [] if slang_passes(driver, top, files, parameters) else ["slang"]
            said = read.result()
            if said:
                print(said, file=sys.stderr)
                found.insert(0, "Verilator")
            verdict = f"messages of {' and '.join(found)}" if found else f"clean, {len(files)} files"
            print(f"lint-rtl: {what}: {verdict}", flush=True)
            bad = bad or bool(found)
        count, said = verible.result()
    print("\n".join(said), file=sys.stderr, end="\n" if said else "")
    print(f"lint-rtl: verible: {f'{len(said)} messages' if said else 'clean'}, {count} files")
    return 1 if bad or said else 0


if __name__ == "__main__":
    sys.exit(main())
