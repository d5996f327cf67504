#!/usr/bin/env python3
"""Proves the properties of the modules that have a job in constraints/*/formal, for `make formal`.

A job is one TOML file: a module, its checker (a module in testbench/formal that is bound to it), and by name the
properties and the helper invariants in that checker. Yosys (with slang) makes the transition relation, yices decides:

* base: from reset, no property and no helper fails within `induction` cycles;
* step: for `induction` cycles that satisfy all of them, the next one does too; in both, helpers come first, in the order
  of the job, and each is shown given those before it. A job without `induction` is bounded, is called so, and its base has `depth` cycles;
* the cover is reached under the assumptions, so they do not contradict each other;
* every assumption names the assertion, `file:label`, that holds it in simulation;
* each property's mutant, one textual replacement in the RTL, breaks that property within `depth` cycles from reset.

A result is kept in build/formal under the hash of the sources, the job, this file and the tool list.
With `--mutant` it says instead which properties one change of a source breaks, for `heddle mutate --prove`.
A job whose `written_out` is true gives the solver the model in constants of each cycle instead of functions of a state.
Exit status: 0 all hold, 1 something does not, 2 a job or a tool is not right.
"""

import argparse
import concurrent.futures.process
import glob
import hashlib
import json
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile
import time
import tomllib

import formal_solver

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build/formal"
TABLE = ROOT / "docs/signoff-formal.md"
KEYS = {
    "module", "sources", "checker", "depth", "induction", "cover", "helpers", "parameters", "reason", "assumed", "property", "written_out",
}
NEEDED = {"module", "sources", "checker", "depth", "cover", "property"}


class JobError(Exception):
    """A job that cannot be run as it is written; the message names the file."""


def load(path):
    """The job in the file `path`, with every key that it needs and no other."""
    try:
        job = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise JobError(f"{path}: {error}") from error
    if unknown := set(job) - KEYS:
        raise JobError(f"{path}: unknown keys {sorted(unknown)}, known are {sorted(KEYS)}")
    if missing := NEEDED - set(job):
        raise JobError(f"{path}: the keys {sorted(missing)} are missing")
    stand_ins = [name for name in job["sources"] if not name.startswith("rtl/")]
    if (job.get("parameters") or stand_ins) and not job.get("reason"):
        raise JobError(f"{path}: parameters other than the default's, and sources outside rtl/, need a reason")
    if not 1 <= job.get("induction", 1) <= job["depth"]:
        raise JobError(f"{path}: induction is from 1 to depth = {job['depth']}")
    for prop in job["property"]:
        if set(prop) != {"name", "says", "file", "from", "to"}:
            raise JobError(f"{path}: a property has name, says, file, from and to; this one has {sorted(prop)}")
        if prop["file"] not in job["sources"]:
            raise JobError(f"{path}: {prop['name']}: the mutant's file {prop['file']} is not among the sources")
        count = (ROOT / prop["file"]).read_text().count(prop["from"])
        if count != 1:
            raise JobError(f"{path}: {prop['name']}: the mutant's text stands {count} times in {prop['file']}, not once")
    for rule, place in job.get("assumed", {}).items():
        file, _, label = place.partition(":")
        text = (ROOT / file).read_text() if (ROOT / file).is_file() else ""
        if not re.search(rf"^\s*{re.escape(label)}\s*:\s*assert\b", text, re.M):
            raise JobError(f"{path}: {rule}: {file} has no assertion {label!r} that holds it in simulation")
        for manifest in ROOT.glob("rtl/*/design.toml"):
            text = manifest.read_text()
            if f"/{job['module']}.sv\"" in text or f"\"{job['module']}.sv\"" in text:
                if f"/{pathlib.Path(file).name}\"" not in text:
                    raise JobError(f"{path}: {rule}: {manifest.relative_to(ROOT)} has the module and not {file}")
    job["design"] = path.parent.parent.name
    return job


def key(job):
    """The hash of everything that the job's result depends on."""
    digest = hashlib.sha256(json.dumps(job, sort_keys=True).encode())
    scripts = ["scripts/formal.py", "scripts/formal_solver.py", "scripts/formal-tools.txt"]
    edge = [place.partition(":")[0] for place in job.get("assumed", {}).values()]
    for name in [*job["sources"], job["checker"], *edge, *scripts]:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def run(job):
    """The result of a job: proved, cover, killed and seconds, and in `problems` what does not hold."""
    begin = time.monotonic()
    folder = OUT / job["module"]
    folder.mkdir(parents=True, exist_ok=True)
    names = [prop["name"] for prop in job["property"]]
    every = job.get("helpers", []) + names
    model = formal_solver.Model(ROOT, job, folder / "model")
    problems = []
    base = job.get("induction", job["depth"])
    if set(model.asserts) != set(every):
        wrong = sorted(set(model.asserts) ^ set(every))
        raise JobError(f"{job['module']}: named by only one of job and checker: {wrong}")
    if set(model.assumes) != set(job.get("assumed", {})):
        wrong = sorted(set(model.assumes) ^ set(job.get("assumed", {})))
        raise JobError(f"{job['module']}: assumed in only one of job and checker: {wrong}")
    if job["cover"] not in model.covers:
        raise JobError(f"{job['module']}: the checker has no cover {job['cover']}, but {sorted(model.covers)}")
    for place, name in enumerate(every):
        if trace := model.broken(name, base, every[:place]):
            problems.append(f"{name} fails within {base} cycles from reset: {trace}")
        elif "induction" in job and (trace := model.step_fails(name, job["induction"], every[:place])):
            problems.append(f"{name} does not follow after {job['induction']} cycles: {trace}")
    cover = model.reached(job["cover"], job["depth"])
    if cover is None:
        problems.append(f"{job['cover']} is not reached within {job['depth']} cycles")
    killed = 0
    for prop in job["property"]:
        text = (ROOT / prop["file"]).read_text().replace(prop["from"], prop["to"])
        mutant = formal_solver.Model(ROOT, job, folder / f"mutant_{prop['name']}", {prop["file"]: text})
        if mutant.broken(prop["name"], job["depth"]):
            killed += 1
        else:
            problems.append(f"{prop['name']} holds for {job['depth']} cycles on its mutant: `{prop['to']}`")
    return {"cover": cover, "killed": killed, "seconds": time.monotonic() - begin, "problems": problems}


def broken_by(job, mutant, folder):
    """The first property that a change of the sources breaks within `depth` cycles from reset, or None; and what the
    tools cannot do with it, or None. `mutant` has a source, the bytes `start` to `end` of it and their `replacement`;
    the files that are made lie in `folder`.
    """
    source = (ROOT / mutant["file"]).read_bytes()
    text = source[: mutant["start"]] + f"({mutant['replacement']})".encode() + source[mutant["end"] :]
    try:
        model = formal_solver.Model(ROOT, job, folder / "mutant", {mutant["file"]: text.decode()})
        found = (prop["name"] for prop in job["property"] if model.broken(prop["name"], job["depth"]))
        return next(found, None), None
    except formal_solver.ToolError as error:
        return None, str(error)


def judge(jobs, mutant):
    """Prints one JSON line for each job that the mutant's file belongs to."""
    for job in (job for job in jobs if mutant["file"] in job["sources"]):
        with tempfile.TemporaryDirectory(dir=OUT) as folder, processes(1) as pool:
            try:
                name, problem = pool.submit(broken_by, job, mutant, pathlib.Path(folder)).result()
            except concurrent.futures.process.BrokenProcessPool:
                # An error in the sources ends the process that yosys runs in.
                name, problem = None, None
        print(json.dumps({"module": job["module"], "breaks": name, "problem": problem}))


def processes(count):
    """Processes that do one job each: yosys keeps its state in the process."""
    return concurrent.futures.ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=1
    )


def kept(job, fresh):
    """The result of an earlier run of the same job, or a new one; only one that holds is kept."""
    path = OUT / f"{job['module']}.json"
    wanted = key(job)
    if path.exists() and not fresh:
        old = json.loads(path.read_text())
        if old["key"] == wanted:
            return old
    result = {"key": wanted, **run(job)}
    if not result["problems"]:
        publish(path, json.dumps(result))
    return result


def publish(path, text):
    """Writes a file as a whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    with part.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def table(rows):
    """The table of all jobs that hold, without the times, which differ from run to run."""
    lines = [
        "# Proved properties",
        "",
        "Written by `make formal`; what the columns mean is in [signoff.md](signoff.md).",
        "",
        "| Module | Design | Parameters | Properties | Helpers | Proof | Cover at cycle | Mutants killed |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for job, result in rows:
        given = ", ".join(f"{k} = {v}" for k, v in job.get("parameters", {}).items())
        given = given or "default"
        given = f"{given}: {job['reason']}" if "reason" in job else given
        proof = f"induction, k = {job['induction']}" if "induction" in job else f"bounded, {job['depth']} cycles"
        count = len(job["property"])
        lines.append(
            f"| `{job['module']}` | {job['design']} | {given} | {count} | {len(job.get('helpers', []))} | {proof} | "
            f"{result['cover']} | {result['killed']}/{count} |"
        )
    for job, _ in rows:
        lines += ["", f"## {job['module']}", ""]
        lines += [f"- `{prop['name']}`: {prop['says']}" for prop in job["property"]]
        if held := job.get("assumed"):
            pairs = ", ".join(f"`{rule}` by `{place}`" for rule, place in held.items())
            lines += ["", f"Assumed at the ports, and held in simulation: {pairs}."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Proves the properties of RTL modules.")
    parser.add_argument("block", nargs="?", help="the only module to prove; all when left out")
    parser.add_argument("-j", type=int, default=2, help="jobs at a time (2)")
    parser.add_argument("--check", action="store_true", help="fail where docs/signoff-formal.md is not what comes out, or lacks the lines of the module")
    parser.add_argument("--fresh", action="store_true", help="do not use kept results")
    parser.add_argument("--mutant", type=json.loads, metavar="JSON", help="say which properties a change of a source breaks")
    given = parser.parse_args()
    try:
        jobs = [load(pathlib.Path(path)) for path in sorted(glob.glob(str(ROOT / "constraints/*/formal/*.toml")))]
        wanted = [job for job in jobs if given.block in (None, "", job["module"])]
        if not wanted:
            raise JobError(f"no job for {given.block}; there are {', '.join(job['module'] for job in jobs)}")
        OUT.mkdir(parents=True, exist_ok=True)
        rows = []
        if given.mutant:
            judge(wanted, given.mutant)
            return 0
        with processes(given.j) as pool:
            for job, result in zip(wanted, pool.map(kept, wanted, [given.fresh] * len(wanted))):
                rows.append((job, result))
                state = "FAILS" if result["problems"] else "holds"
                print(f"formal: {job['module']} {state}, {len(job['property'])} properties, {result['seconds']:.1f} s")
                for problem in result["problems"]:
                    print(f"formal:   {problem}", file=sys.stderr)
    except (JobError, formal_solver.ToolError) as error:
        print(f"formal: {error}", file=sys.stderr)
        return 2
    except concurrent.futures.process.BrokenProcessPool:
        # An error in the sources ends the process that yosys runs in.
        print(f"formal: yosys refuses a job's sources; see the newest log under {OUT}", file=sys.stderr)
        return 2
    if any(result["problems"] for _, result in rows):
        return 1
    text, page = table(rows), TABLE.read_text() if TABLE.exists() else ""
    whole = len(wanted) == len(jobs)
    if whole and not given.check:
        publish(TABLE, text)
    elif text != page if whole else set(text.splitlines()) - set(page.splitlines()):
        print(f"formal: {TABLE.relative_to(ROOT)} is not what comes out: run `make formal`", file=sys.stderr)
        return 1 if given.check else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
