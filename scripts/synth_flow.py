"""One block through yosys and OpenSTA, for scripts/synth.py: `measure` gives its area, memories and longest path.

Gates are kept in build/synth under a hash of everything that they are made of; timing is analysed each time.
"""

import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = pathlib.Path(os.environ.get("HEDDLE_TOOLS", ROOT / "build/tools"))
DEBS = TOOLS / "synth-debs/usr"
LIBERTY = DEBS / "share/qflow/tech/osu018/osu018_stdcells.lib"
SECONDS = 180  # for yosys and for OpenSTA, of a block without `seconds`; one that takes longer is not measured
HASHED = ("scripts/synth_block.py", "scripts/formal-tools.txt")


class Fault(Exception):
    """What is wrong with a block, in words."""


def modules():
    """Every module of rtl/: its file, and the modules that its text names."""
    texts = {}
    for path in sorted(ROOT.glob("rtl/*/*.sv")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
        for body in re.split(r"^(?=module )", text, flags=re.MULTILINE)[1:]:
            texts[re.match(r"module (\w+)", body)[1]] = (path.relative_to(ROOT).as_posix(), body)
    return {name: (path, {word for word in re.findall(r"\w+", body) if word in texts and word != name})
            for name, (path, body) in texts.items()}


def below(top, there):
    """The modules that `top` is made of, itself included."""
    found, left = set(), [top]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += there[name][1]
    return found


def sources(block, there):
    """Files that the block is read from, in the manifest's order: packages, and the modules that it is made of."""
    folder = f"rtl/{block['design']}"
    listed = tomllib.loads((ROOT / folder / "design.toml").read_text())["design"]["sources"]
    listed = [os.path.normpath(f"{folder}/{name}") for name in listed if "testbench" not in name]
    wanted = {there[name][0] for name in below(block["modules"][0], there)}
    every = {path for path, _ in there.values()}
    if missing := wanted - set(listed):
        raise Fault(f"{folder}/design.toml does not list {', '.join(sorted(missing))}")
    return [name for name in listed if name in wanted or name not in every]


def fingerprint(block, there):
    """Hash of the RTL and the parameters that a result is of."""
    digest = hashlib.sha256(json.dumps([block["modules"][0], block.get("parameters", {})]).encode())
    for name in sources(block, there):
        text = (ROOT / name).read_bytes()
        digest.update(text)
        for header in re.findall(rb'^\s*`include "(.*?)"', text, re.MULTILINE):
            digest.update((ROOT / name).with_name(header.decode()).read_bytes())
    return digest.hexdigest()[:16]


def gates_of(block, plan, there, period, folder):
    """Runs yosys; leaves gates.v and block.json in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    job = folder / "job.json"
    job.write_text(json.dumps({
        "top": block["modules"][0], "sources": sources(block, there), "include": f"rtl/{block['design']}",
        "parameters": block.get("parameters", {}), "memories": list(plan["memory_ports"]), "liberty": str(LIBERTY),
        "period_ps": int(period * 1000), "folder": str(folder)}))
    packages = [str(path) for path in (TOOLS / "formal").glob("lib/python*/site-packages")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(packages)}
    with (folder / "yosys.log").open("w") as log, subprocess.Popen(
            [sys.executable, ROOT / "scripts/synth_block.py", job], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT,
            env=environment, start_new_session=True) as run:
        try:
            run.wait(block.get("seconds", SECONDS))
        except BaseException:
            os.killpg(run.pid, signal.SIGKILL)  # abc is a process of its own
            raise
    if run.returncode:
        errors = re.findall(r"^.*\berror:.*$", (folder / "yosys.log").read_text(), re.MULTILINE | re.IGNORECASE)
        raise Fault(f"yosys ended with {run.returncode}: {errors[-1] if errors else 'no error'} ({folder / 'yosys.log'})")


def kinds_of(ports):
    """Ports by what constraints/synth.sdc says of them."""
    kinds = {"clocks": [], "resets": [], "inputs": [], "memory_outputs": [], "outputs": []}
    for port, direction in ports.items():
        memory = port.startswith("memory__")
        if memory and port.endswith("_clk_i"):
            continue
        if port in ("clk_i", "rst_ni"):
            kinds["clocks" if port == "clk_i" else "resets"].append(port)
        elif direction == "output":
            kinds["outputs"].append(port)
        else:
            kinds["memory_outputs" if memory else "inputs"].append(port)
    return kinds


def timing_of(folder, library, period, seconds):
    """Longest path of the gates: FO4, start and end; slack of hold and removal in nanoseconds."""
    fo4 = library["fo4_ps"] / 1000
    script = [f"read_liberty {LIBERTY}", f"read_verilog {folder / 'gates.v'}", "link_design block"]
    for name, value in (("period", period), ("before", library["before_fo4"] * fo4), ("hold", library["hold_ns"]),
                        ("after", library["after_fo4"] * fo4), ("access", library["memory_fo4"] * fo4),
                        ("release", library["release_ns"]), ("load", library["load_pf"])):
        script.append(f"set {name} {value:.4f}")
    ports = json.loads((folder / "block.json").read_text())["ports"]
    script += [f"set {kind} [list {' '.join(names)}]" for kind, names in kinds_of(ports).items()]
    script += [f"source {ROOT / 'constraints/synth.sdc'}",
               "puts {== max}", "report_checks -path_delay max -digits 4",
               "puts {== min}", "report_checks -path_delay min -digits 4", "puts {== end}", "exit"]
    (folder / "sta.tcl").write_text("\n".join(script) + "\n")
    run = subprocess.run([DEBS / "bin/sta", "-no_splash", "-exit", folder / "sta.tcl"], text=True, timeout=seconds,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    (folder / "sta.log").write_text(run.stdout)
    bad = [line for line in run.stdout.splitlines() if re.search(r"error|warning", line, re.IGNORECASE)]
    if run.returncode or bad or "== end" not in run.stdout:
        raise Fault(f"OpenSTA says: {bad[0] if bad else run.stdout[-300:]} ({folder / 'sta.log'})")
    found = {}
    for kind in ("max", "min"):
        text = run.stdout.split(f"== {kind}")[1].split("== ")[0]
        # One path for each group: clock, and recovery and removal of the reset.
        paths = re.findall(r"Startpoint: (\S+).*?Endpoint: (\S+).*?(-?[\d.]+)\s+slack", text, re.DOTALL)
        if not paths:
            raise Fault(f"OpenSTA found no {kind} path ({folder / 'sta.log'})")
        found[kind] = min((float(slack), start, end) for start, end, slack in paths)
    slack, start, end = found["max"]
    gates = (folder / "gates.v").read_text()
    return {"path_fo4": round((period - slack) / fo4, 1), "start": readable(gates, start), "end": readable(gates, end),
            "hold_slack_ns": found["min"][0]}


def readable(gates, name):
    """The signal that an instance of a flip-flop drives; a port as it is."""
    found = re.search(rf"\b{re.escape(name)} \([^;]*?\.Q\(([^;]*?)\s*\)[,\n]", gates)
    return (found[1] if found else name).strip().lstrip("\\").strip()


def measure(block, plan, there):
    """What came out for one block."""
    library = plan["library"]
    period = plan["budget"][block["budget"]] * library["fo4_ps"] / 1000
    made_of = fingerprint(block, there)
    digest = hashlib.sha256(f"{made_of} {period}".encode() + LIBERTY.read_bytes())
    for name in HASHED:
        digest.update((ROOT / name).read_bytes())
    seconds = block.get("seconds", SECONDS)
    folder = ROOT / "build/synth" / f"{block.get('name', block['modules'][0])}-{digest.hexdigest()[:16]}"
    try:
        if not (folder / "block.json").exists():
            gates_of(block, plan, there, period, folder)
        timing = timing_of(folder, library, period, seconds)
    except subprocess.TimeoutExpired:
        raise Fault(f"not done after {seconds} s") from None
    gates = json.loads((folder / "block.json").read_text())
    found = {key: gates[key] for key in ("cells", "area", "flops", "latches", "memories")} | timing
    factors = block.get("replicated", {})
    found["arrays"] = {name: bits * factors.get(name, 1) for name, bits in gates["arrays"].items()
                       if bits * factors.get(name, 1) > library["array_bits"]}
    if unknown := set(factors) - set(gates["arrays"]):
        raise Fault(f"`replicated` names {', '.join(sorted(unknown))}, which holds no state")
    return found | ({"replicated": factors} if factors else {}) | {"made_of": made_of}


def versions():
    """The tools that a result is of."""
    listed = (ROOT / "scripts/formal-tools.txt").read_text()
    run = subprocess.run([DEBS / "bin/sta", "-version"], capture_output=True, text=True, check=True)
    cells = hashlib.sha256(LIBERTY.read_bytes()).hexdigest()[:16]
    return {"pyosys": listed.split("pyosys==")[1].split()[0], "OpenSTA": run.stdout.strip(), "OSU018 cells": cells}
