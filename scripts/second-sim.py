#!/usr/bin/env python3
"""Records kernels on designs and replays them into the model of the netlist that yosys makes of the same RTL, for `make second-sim`.

Each design runs each kernel in co-simulation, and `heddle replay --simulator netlist` compares every output of the netlist with the
recording. Then planted bugs of one design are put into a copy of its RTL, one at a time: the netlist of each has to differ from
the recording at the port that is named here, or what was equal before would be worth nothing.

A line of the table is a replay: what was compared, the CPU seconds of its processes, and the most memory that one of them had; the first
of a design makes the netlist and compiles it, unless both are there from before.
Exit status: 0 all is equal and every planted bug is found, 1 something is not so or cannot be run.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ("vectoradd", "bfs")
DESIGNS = ("baseline", "racetrack", "sttram", "cerf", "ltrf")
# Planted bugs of a design, and the port at which the recording of a kernel shows each.
PLANTED_IN, PLANTED_KERNEL = "sttram", "vectoradd"
PLANTED = {
    "two-writes-at-once": ("testbench/sttram/planted_bugs.toml", "status_o"),
    "lane-dropped": ("testbench/hybrid/planted_bugs.toml", "operand_data_o"),
}
MISMATCH = 3


class Failed(Exception):
    """A command that ended otherwise than it should; the message says what it printed."""


def heddle(program, arguments, wanted=0, root=ROOT):
    """What a command prints, the CPU seconds of its processes, and the most memory of one of them in GB."""
    tools = os.environ.get("HEDDLE_TOOLS", str(ROOT / "build/tools"))
    environment = {**os.environ, "HEDDLE_ROOT": str(root), "HEDDLE_TOOLS": tools}
    with tempfile.TemporaryFile() as printed:
        command = [str(program), *map(str, arguments)]
        child = subprocess.Popen(command, stdout=printed, stderr=subprocess.STDOUT, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        text = printed.read().decode(errors="replace").strip()
    if child.returncode != wanted:
        raise Failed(f"`heddle {' '.join(command[1:])}` ended with {child.returncode}, expected {wanted}:\n{text}")
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


def compared(program, design, kernel, folder):
    """Records a kernel and replays it into the netlist: a line of the table, and the recording."""
    recording = folder / f"{design}-{kernel}.stim"
    heddle(program, ["record", "--quiet", "-k", kernel, "--design", design, "-o", recording])
    text, seconds, memory = heddle(program, ["replay", "--quiet", "--simulator", "netlist", recording])
    found = re.search(r": (\d+) launches, (\d+) clock edges; (\d+) control bits and (\d+) data bits compared, all equal", text)
    if not found:
        raise Failed(f"{design} {kernel}: what the replay printed has no counts: {text}")
    numbers = " | ".join(f"{int(number):,}" for number in found.groups())
    return f"| {design} | {kernel} | {numbers} | {seconds:.0f} | {memory:.1f} |", recording


def copy_with(bug, listed, folder):
    """The repository with a planted bug in its RTL: links to all but the RTL."""
    bugs = {bug["id"]: bug for bug in tomllib.loads((ROOT / listed).read_text())["bugs"]}
    if bug not in bugs:
        raise Failed(f"{listed} has no bug {bug}")
    for entry in ROOT.iterdir():
        if entry.name != "rtl":
            (folder / entry.name).symlink_to(entry)
    shutil.copytree(ROOT / "rtl", folder / "rtl")
    changed = folder / bugs[bug]["file"]
    text = changed.read_text()
    if text.count(bugs[bug]["original"]) != 1:
        raise Failed(f"{bugs[bug]['file']} does not have what {bug} replaces")
    changed.write_text(text.replace(bugs[bug]["original"], bugs[bug]["replacement"]))
    return folder


def find(program, bug, recording, folder):
    """Replays a recording of the clean RTL into the netlist of the RTL with a planted bug: the difference."""
    listed, port = PLANTED[bug]
    root = copy_with(bug, listed, folder)
    text, _, _ = heddle(program, ["replay", "--quiet", "--simulator", "netlist", recording], MISMATCH, root)
    difference = text.splitlines()[0]
    if f": {port} bit " not in difference:
        raise Failed(f"{bug} is to show at {port}; the replay printed: {text}")
    return difference


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("design", nargs="*", help="these designs alone, without the planted bugs unless it is theirs")
    parser.add_argument("--kernel", action="append", help="this kernel; may be given several times")
    options = parser.parse_args()
    program = pathlib.Path(os.environ.get("HEDDLE", ROOT / "target/release/heddle")).resolve()
    chosen = options.design or DESIGNS
    unknown = [name for name in chosen if name not in DESIGNS]
    if unknown:
        raise Failed(f"no design {unknown[0]!r} here; there are {', '.join(DESIGNS)}")
    print("| Design | Kernel | Launches | Clock edges | Control bits | Data bits | CPU seconds | GB |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        recordings = {}
        for design in chosen:
            for kernel in options.kernel or KERNELS:
                line, recordings[design, kernel] = compared(program, design, kernel, folder)
                print(line, flush=True)
        recording = recordings.get((PLANTED_IN, PLANTED_KERNEL))
        for bug in PLANTED if recording else ():
            (folder / bug).mkdir()
            print(f"second-sim: {bug} is found: {find(program, bug, recording, folder / bug)}", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        print(f"second-sim: {error}", file=sys.stderr)
        sys.exit(1)
