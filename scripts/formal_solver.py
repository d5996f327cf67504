"""The transition relation of a module and its checker by yosys, and the questions that yices answers about it."""

import glob
import os
import pathlib
import re
import subprocess
import sys

TOOLS = pathlib.Path(os.environ.get("HEDDLE_TOOLS") or pathlib.Path(__file__).resolve().parent.parent / "build/tools")
SOLVER = TOOLS / "formal/bin/yices-smt2"
SECONDS = 300  # for one question


class ToolError(Exception):
    """A tool that is missing or that refused its input; the message says where its log is."""


class Model:
    """A module's transition relation as SMT-LIB, with the names of what its checker asserts and covers."""

    def __init__(self, root, job, stem, changed=None):
        """`changed` has the text of sources that are not as they stand in the tree, by name."""
        self.stem = stem
        self.module = job["module"]
        sources = []
        for name in [*job["sources"], job["checker"]]:
            path = root / name
            if changed and name in changed:
                path = stem.with_name(f"{stem.name}_{path.name}")
                path.write_text(changed[name])
            sources.append(str(path))
        smt = stem.with_suffix(".smt2")
        generics = [f"-G {k}={v}" for k, v in job.get("parameters", {}).items()]
        includes = [f"-I {folder}" for folder in sorted({str((root / name).parent) for name in job["sources"]})]
        script = [
            " ".join(["read_slang", "--top", self.module, *generics, *includes, *sources]),
            f"hierarchy -check -top {self.module}",
            "proc", "flatten", "memory_map", "opt", "async2sync", "chformal -lower", "dffunmap", "opt_clean",
            f"write_smt2 -wires {smt}",
        ]
        yosys(script, stem.with_suffix(".log"))
        self.text = smt.read_text()
        self.written_out = self.split() if job.get("written_out") else None
        self.asserts = named(self.text, "assert")
        self.covers = named(self.text, "cover")
        self.assumes = named(self.text, "assume")
        self.wires = re.findall(r"^; yosys-smt2-wire (\S+) (\d+)$", self.text, re.M)
        self.resets = any(wire == "rst_ni" for wire, _ in self.wires)

    def at(self, letter, cycle):
        """The relation `letter` of the model at a cycle."""
        return f"|{self.module}_{letter}@{cycle}|" if self.written_out else f"(|{self.module}_{letter}| s{cycle})"

    def frames(self, cycles):
        """Declarations of the cycles 0 to `cycles`, their transitions and the assumptions in each."""
        lines = ["(set-logic QF_UFBV)"] if self.written_out else ["(set-logic QF_UFBV)", self.text]
        for t in range(cycles + 1):
            if self.written_out:
                lines.append(self.written_out[0].replace("@NOW|", f"@{t}|"))
            else:
                lines.append(f"(declare-fun s{t} () |{self.module}_s|)")
            lines.append(f"(assert {self.at('h', t)})")
            lines.append(f"(assert {self.at('u', t)})")
            if t and self.written_out:
                lines.append(self.written_out[1].replace("@NOW|", f"@{t}|").replace("@PAST|", f"@{t - 1}|"))
                lines.append(f"(assert {self.at('t', t)})")
            elif t:
                lines.append(f"(assert (|{self.module}_t| s{t - 1} s{t}))")
        return lines

    def split(self):
        """What the model says of a cycle, `NOW`, and of a cycle and the one before, `PAST`, in constants of each cycle.

        As it stands the model is functions of a state, and yices substitutes the whole term of a function at each call, so
        that a long chain of them takes time by the square. Which form is answered sooner differs from module to module.
        """
        sort = rf"\|{self.module}_s\|"
        text = re.sub(rf"^;.*$|^\(declare-sort {sort} 0\)$", "", self.text, flags=re.M)
        begin = text.index(f"(define-fun |{self.module}_t|")
        now = re.sub(rf"^(\(declare-fun \|[^|]*)\| \({sort}\)", r"\1@NOW| ()", text[:begin], flags=re.M)
        now = re.sub(rf"^(\(define-fun \|[^|]*)\| \(\(state {sort}\)\)", r"\1@NOW| ()", now, flags=re.M)
        step = re.sub(rf"_t\| \(\(state {sort}\) \(next_state {sort}\)\)", "_t@NOW| ()", text[begin:])
        call = re.compile(r"\((\|[^|]*)\| (state|next_state)\)")
        return (
            call.sub(lambda found: f"{found[1]}@NOW|", now),
            call.sub(lambda found: f"{found[1]}@{'PAST' if found[2] == 'state' else 'NOW'}|", step),
        )

    def each(self, letter, numbers, cycle):
        """The statements of one label at a cycle, joined by `and`; a generate loop gives several."""
        return f"(and true {' '.join(self.at(f'{letter} {number}', cycle) for number in numbers)})"

    def from_reset(self, cycles):
        """A run that begins with one cycle of reset; of a module without reset, in any state."""
        lines = self.frames(cycles) + [f"(assert {self.at('i', 0)})"]
        if self.resets:
            lines.append(f"(assert (not {self.at('n rst_ni', 0)}))")
        return lines + self.running(1, cycles)

    def running(self, first, last):
        """The reset, where there is one, is released in these cycles."""
        return [f"(assert {self.at('n rst_ni', t)})" for t in range(first, last + 1)] if self.resets else []

    def broken(self, name, depth, before=()):
        """A trace in which the property fails within `depth` cycles from reset, or None.

        Those `before` it, which have been shown to hold in these cycles without it, do.
        """
        cycles = range(1, depth + 1)
        fails = " ".join(f"(not {self.each('a', self.asserts[name], t)})" for t in cycles)
        lines = [f"(assert {self.each('a', self.asserts[other], t)})" for other in before for t in cycles]
        return self.ask(self.from_reset(depth) + lines + [f"(assert (or {fails} false))"], depth, name)

    def step_fails(self, name, length, before):
        """A trace of `length` cycles that satisfy all properties and a next one that breaks this one, or None.

        That next one satisfies those `before` it, which have been shown to follow without it.
        """
        lines = self.frames(length) + self.running(0, length)
        lines += [f"(assert {self.at('a', t)})" for t in range(length)]
        lines += [f"(assert {self.each('a', self.asserts[other], length)})" for other in before]
        lines.append(f"(assert (not {self.each('a', self.asserts[name], length)}))")
        return self.ask(lines, length, f"{name}_step")

    def reached(self, name, depth):
        """The first cycle after reset in which the cover holds, or None."""
        for t in range(1, depth + 1):
            if self.ask(self.from_reset(t) + [f"(assert {self.each('c', self.covers[name], t)})"], t, f"{name}_cover"):
                return t
        return None

    def ask(self, lines, last, label):
        """The path of a VCD trace that satisfies the lines, or None where there is none."""
        query = self.stem.with_name(f"{self.stem.name}_{label}.smt2")
        values = [f"(get-value ({self.at(f'n {wire}', t)}))" for t in range(last + 1) for wire, _ in self.wires]
        query.write_text("\n".join(lines + ["(check-sat)", *values]) + "\n")
        try:
            done = subprocess.run([SOLVER, query], capture_output=True, text=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ToolError(f"{query}: {error}") from error
        answer, _, rest = done.stdout.partition("\n")
        if answer == "unsat":
            return None
        if answer != "sat":
            raise ToolError(f"{query}: yices says neither sat nor unsat: {(done.stdout + done.stderr)[:300]}")
        found = re.findall(r"[|)]\s+(#b[01]+|true|false)\)\)", rest)
        if len(found) != len(values):
            raise ToolError(f"{query}: yices gives {len(found)} values of {len(values)}")
        path = query.with_suffix(".vcd")
        path.write_text(self.vcd(found))
        return path

    def vcd(self, values):
        """The values of all wires, cycle by cycle, as a waveform."""
        lines = ["$timescale 1ns $end", f"$scope module {self.module} $end"]
        lines += [f"$var wire {bits} w{i} {wire} $end" for i, (wire, bits) in enumerate(self.wires)]
        lines += ["$upscope $end", "$enddefinitions $end"]
        for i, value in enumerate(values):
            cycle, wire = divmod(i, len(self.wires))
            if wire == 0:
                lines.append(f"#{cycle}")
            bits = {"true": "1", "false": "0"}.get(value) or value[2:]
            lines.append(f"b{bits} w{wire}")
        return "\n".join(lines) + "\n"


def named(text, kind):
    """The labels of the checker's statements of this kind, with their numbers in the model; a loop gives several."""
    found = {}
    for number, name in re.findall(rf"^; yosys-smt2-{kind} (\d+) (\S+)", text, re.M):
        found.setdefault(name.split(".")[-1], []).append(number)
    return found


def yosys(script, log):
    """Runs the passes of a script in this process; what yosys prints goes into the log."""
    for packages in glob.glob(str(TOOLS / "formal/lib/python*/site-packages")):
        if packages not in sys.path:
            sys.path.insert(0, packages)
    try:
        from pyosys import libyosys  # the tools are fetched only for this
    except ImportError as error:
        raise ToolError(f"pyosys is not there: {error}; run `make formal`") from error
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            design = libyosys.Design()
            for line in script:
                libyosys.run_pass(line, design)
        except Exception as error:  # whatever the passes throw
            raise ToolError(f"yosys refuses the sources: {error}; see {log}") from error
        finally:
            sys.stdout.flush()
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
