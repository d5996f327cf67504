"""One block through yosys: SystemVerilog in, gates of the cell library and what they are out.

Called by scripts/synth_flow.py with the Python of build/tools/formal: `synth_block.py JOB`, where JOB is a JSON file with
`top`, `sources`, `include`, `parameters`, `memories`, `liberty`, `period_ps` and `folder`. Writes `gates.v` and
`block.json` (ports, arrays, memories, area, cells, flops) into the folder.
"""

import json
import re
import sys
from pathlib import Path

from pyosys import libyosys as ys

# Fan-out buffering, then sizing: without it paths read ten times too long. Balancing makes trees of long chains of one
# operation. No dc2: it makes serial chains of the carries of adders (docs/signoff.md).
ABC = "+strash;balance;ifraig;scorr;balance;dch,-f;map,-B,0.9;topo;buffer,-c,-N,16;upsize,{D};dnsize,{D};stime,-p"


def state_bits(block):
    """Bits of state under each signal's name, whether yosys made a memory or flip-flops of it."""
    names = {}
    for name, net in block["netnames"].items():
        if not net.get("hide_name"):
            for bit in net["bits"]:
                names.setdefault(bit, name)
    bits = {name: memory["width"] * memory["size"] for name, memory in block.get("memories", {}).items()}
    for cell in block["cells"].values():
        if re.fullmatch(r"\$_?\w*(dff|dlatch)\w*", cell["type"], re.IGNORECASE):
            for bit in cell["connections"]["Q"]:
                name = re.sub(r"(\[\d+\])+$", "", names.get(bit, "a signal without a name"))
                bits[name] = bits.get(name, 0) + 1
    return bits


def memory_of(cell, wrapper):
    """Rows and width of a memory, from its parameters."""
    value = {name: int(bits, 2) if isinstance(bits, str) else bits for name, bits in cell["parameters"].items()}
    return f"{wrapper} {value['Rows']} x {value['Lanes'] * value['LaneBits']}"


def main():
    job = json.loads(Path(sys.argv[1]).read_text())
    folder = Path(job["folder"])
    design = ys.Design()

    def run(command):
        ys.run_pass(command, design)

    def tee(name, command):
        run(f"tee -q -o {folder / name} {command}")
        return (folder / name).read_text()

    parameters = " ".join(f"-G {name}={value}" for name, value in job["parameters"].items())
    boxes = " ".join(f"--blackboxed-module {name}" for name in job["memories"])
    run(f"read_slang --std 1800-2017 --ignore-assertions -j 1 -I {job['include']} --top {job['top']} {parameters} {boxes} "
        + " ".join(job["sources"]))
    run(f"read_liberty -lib -ignore_miss_func {job['liberty']}")
    run("hierarchy -check")
    run("rename -top block")
    run("proc")
    run("flatten")
    run("opt -full")
    tee("wide.json", "json")
    wide = json.loads((folder / "wide.json").read_text())["modules"]["block"]
    memories = {}
    for cell in wide["cells"].values():
        wrapper = next((part for part in re.split(r"[\\$]", cell["type"]) if part in job["memories"]), None)
        if wrapper:
            kind = memory_of(cell, wrapper)
            memories[kind] = memories.get(kind, 0) + 1
    # Memories leave the block: their outputs become inputs of it and their inputs outputs.
    if memories:
        run("expose -evert " + " ".join(f"block/t:*{name}*" for name in job["memories"]))
    run("synth -flatten -run begin:fine -top block")
    run("opt -fast -full")
    run("memory_map")
    run("opt -full")
    run("techmap")
    run("opt -fast")
    run(f"dfflibmap -liberty {job['liberty']}")
    run("opt_clean")
    constraint = folder / "abc.constr"
    constraint.write_text("set_driving_cell INVX1\nset_load 10.0 [all_outputs]\n")
    run(f"abc -D {job['period_ps']} -liberty {job['liberty']} -constr {constraint} -script {ABC}")
    run("setundef -zero")
    # OpenSTA's Tcl takes brackets and dots of names for its own: ports of memories get plain names, with `memory__` before.
    tee("named.json", "json")
    ports = json.loads((folder / "named.json").read_text())["modules"]["block"]["ports"]
    run("cd block")
    for name in ports:
        if re.search(r"\W", name):
            run(f"rename {name} memory__{re.sub(r'[^0-9A-Za-z]+', '_', name)}")
    run("cd ..")
    run("splitnets -ports -format _")
    run("opt_clean -purge")
    run("check -assert -mapped")
    tee("stat.json", f"stat -json -liberty {job['liberty']}")
    run(f"write_verilog -noattr -noexpr -noparallelcase {folder / 'gates.v'}")
    tee("mapped.json", "json")
    module = json.loads((folder / "mapped.json").read_text())["modules"]["block"]
    stat = json.loads((folder / "stat.json").read_text())["design"]
    types = [cell["type"] for cell in module["cells"].values()]
    done = folder / "block.json.new"
    done.write_text(json.dumps({
        "ports": {name: port["direction"] for name, port in module["ports"].items()},
        "arrays": state_bits(wide),
        "memories": memories,
        "area": round(stat["area"]),
        "cells": len(types),
        "flops": sum(1 for kind in types if kind.startswith("DFF")),
        "latches": sum(1 for kind in types if kind.startswith("LATCH")),
    }))
    done.rename(folder / "block.json")


main()
