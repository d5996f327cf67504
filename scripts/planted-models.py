#!/usr/bin/env python3
"""Faults of the models around the RTL, one at a time, and whether tests find them; `make planted`.

Each fault of rust/heddle-cosim/tests/planted_faults.toml is put into a copy of the sources below build/planted, and its tests of heddle-cosim
run there: they have to fail, and say one of the texts of `expect`; what they say is kept in build/planted/ID.log. Before any fault, all tests
that are named have to pass.
Exit status: 0 all faults are found, or --check holds; 1 one is not; 2 no judgement, such as a fault whose text does not stand exactly
once in its file, tests that are no tests, or sources that do not compile.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAULTS = ROOT / "rust/heddle-cosim/tests/planted_faults.toml"
TEXTS = ("id", "file", "original", "replacement", "tests", "doc")
COPY = ROOT / "build/planted/tree"
TARGET = ROOT / "build/planted/target"
# The tests run few cycles: what compiles fast is done sooner than what runs fast.
ENVIRONMENT = {**os.environ, "CARGO_TARGET_DIR": str(TARGET), "CARGO_PROFILE_RELEASE_OPT_LEVEL": "1",
               "CARGO_PROFILE_RELEASE_DEBUG": "false", "HEDDLE_QUICK_MODELS": "1"}


class Fault(Exception):
    """No judgement."""


def is_text(value):
    """Whether a value is a text that says something."""
    return isinstance(value, str) and value != ""


def wrong_with(fault, before):
    """What a fault lacks, in words; nothing if it can be put in."""
    if not isinstance(fault, dict) or set(fault) != {*TEXTS, "expect"}:
        return f"expected the keys {', '.join(sorted({*TEXTS, 'expect'}))}"
    if unlike := [key for key in TEXTS if not is_text(fault[key]) and (key, fault[key]) != ("replacement", "")]:
        return f"`{unlike[0]}` is no text"
    if not isinstance(fault["expect"], list) or not fault["expect"] or not all(map(is_text, fault["expect"])):
        return "`expect` is no list of texts"
    if fault["id"] in before:
        return "the id stands twice"
    if fault["original"] == fault["replacement"]:
        return "`replacement` is `original`"
    if (found := (ROOT / fault["file"]).read_text().count(fault["original"])) != 1:
        return f"`original` stands {found} times in {fault['file']}, not once"
    return None


def load():
    """The faults, each of which can be put in."""
    where = FAULTS.relative_to(ROOT)
    try:
        faults = tomllib.loads(FAULTS.read_text())["faults"]
    except (ValueError, KeyError) as error:
        raise Fault(f"{where}: {error!r}; expected a list [[faults]]") from error
    before = set()
    for number, fault in enumerate(faults, 1):
        name = fault.get("id", number) if isinstance(fault, dict) else number
        if wrong := wrong_with(fault, before):
            raise Fault(f"{where}: fault {name}: {wrong}")
        before.add(fault["id"])
    return faults


def copy():
    """The files that git knows, and those that it does not ignore, as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE).stdout.decode().split("\0")
    wanted = {name for name in listed if name and (ROOT / name).is_file()}
    for old in [path for path in COPY.rglob("*") if path.is_file()]:
        if (name := str(old.relative_to(COPY))) not in wanted and not name.startswith("build/"):
            old.unlink()
    tools = COPY / "build/tools"
    if not tools.is_symlink():
        tools.parent.mkdir(parents=True, exist_ok=True)
        tools.symlink_to("../../../tools")
    for name in wanted:
        there, text = COPY / name, (ROOT / name).read_bytes()
        # Untouched files keep their times: what is built of them is not built again.
        if not there.exists() or there.read_bytes() != text:
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, there)


def run(command, seconds=None):
    """Output and exit status of a command in the copy; status 124 where it took too long. It ends with this program."""
    with subprocess.Popen(command, cwd=COPY, env=ENVIRONMENT, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as started:
        try:
            return started.communicate(timeout=seconds)[0], started.returncode
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            return f"{started.communicate()[0]}\nnot done after {seconds} s\n", 124
        except BaseException:
            os.killpg(started.pid, signal.SIGKILL)
            raise


def test(tests, seconds):
    """Output and exit status of the tests, compiled first."""
    command = [os.environ.get("CARGO", "cargo"), "test", "--release", "--locked", "--quiet", "--package", "heddle-cosim", "--test", "all"]
    output, status = run([*command, "--no-run"])
    if status:
        raise Fault(f"the copy in {COPY.relative_to(ROOT)} does not compile:\n{output[-3000:]}")
    return run([*command, "--", tests], seconds)


def hold(tests, seconds):
    """The tests, of which there is one at least, pass without a fault."""
    output, status = test(tests, seconds)
    if status:
        raise Fault(f"without a fault {tests} fails (exit status {status}):\n{output[-3000:]}")
    if not (passed := re.search(r"(\d+) passed", output)) or passed[1] == "0":
        raise Fault(f"{tests} names no test that runs")


def is_found(fault, seconds):
    """Whether the tests fail with the fault as they should; says how."""
    begin = time.monotonic()
    there = COPY / fault["file"]
    text = there.read_text()
    try:
        there.write_text(text.replace(fault["original"], fault["replacement"]))
        output, status = test(fault["tests"], seconds)
    except Fault as broken:
        raise Fault(f"{fault['id']}: {broken}") from broken
    finally:
        there.write_text(text)
    kept = COPY.with_name(f"{fault['id']}.log")
    kept.write_text(output)
    said = next((words for words in fault["expect"] if words in output), None)
    took = f"in {time.monotonic() - begin:.0f} s"
    if status and said:
        print(f"planted: {fault['id']}: found, \"{said}\", {took}", flush=True)
        return True
    what = {0: "nothing fails", 124: f"not done after {seconds} s"}.get(status, f"what fails says none of {fault['expect']}")
    print(f"planted: {fault['id']}: not found, {took}: {what}; {kept.relative_to(ROOT)}", flush=True)
    return False


def judge(asked):
    """Exit status of what is asked for."""
    faults = load()
    if unknown := set(asked.faults) - {fault["id"] for fault in faults}:
        raise Fault(f"there is no fault {', '.join(sorted(unknown))}; expected of {', '.join(fault['id'] for fault in faults)}")
    if asked.check:
        return 0
    chosen = [fault for fault in faults if not asked.faults or fault["id"] in asked.faults]
    copy()
    for tests in sorted({fault["tests"] for fault in chosen}):
        hold(tests, asked.seconds)
    found = [is_found(fault, asked.seconds) for fault in chosen]
    print(f"planted: found {sum(found)} of {len(found)}")
    return 0 if all(found) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these faults")
    parser.add_argument("--check", action="store_true", help="run nothing; hold that each fault can be put in")
    parser.add_argument("--seconds", type=int, default=600, help="limit of the tests of a fault (600)")
    # Ended from outside, it ends what it has started and takes the fault out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    try:
        return judge(parser.parse_args())
    except (Fault, OSError, subprocess.CalledProcessError) as fault:
        print(f"planted: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
