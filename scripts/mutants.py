#!/usr/bin/env python3
"""A few mutants of every design, drawn by the commit; `make mutants`.

The designs are those of rtl/, whose port bench has their variants. Each is judged anew by `heddle mutate`, two designs at a time, with kernels that end soon and a short port bench:
this asks whether the checks still see what they saw, and leaves the search for what they miss to `make mutate N=300`.
Other mutants are drawn with each commit, so what a few designs may miss by chance is wide, and what all may miss narrow:
of all mutants --least per cent have to be found, of each design's --least-each.
Exit status: 0 they were; 1 not; 2 no judgement, such as no program, no design or a design that cannot be judged.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEDDLE = ROOT / "target/release/heddle"
KERNELS = "vectoradd,groupby,hotspot,reduction"
# Mutants run few cycles: models that compile fast are done sooner than models that run fast.
ENVIRONMENT = {**os.environ, "HEDDLE_QUICK_MODELS": "1"}


class Fault(Exception):
    """No judgement."""


def rows_of(arguments):
    """The JSON lines that the program prints."""
    try:
        run = subprocess.run([HEDDLE, *arguments, "--format", "json"], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
        if run.returncode:
            raise Fault(f"'heddle {' '.join(arguments)}' ended with {run.returncode}: {run.stderr.strip()[-2000:]}")
        return [json.loads(line) for line in run.stdout.splitlines()]
    except (OSError, ValueError) as error:
        raise Fault(f"'heddle {' '.join(arguments)}': {error}") from error


def judge(design, asked):
    """Mutants of a design that were killed and those that were not, of those that count."""
    begin = time.monotonic()
    rows = rows_of(["mutate", design, "-n", str(asked.count), "--fresh", "--quiet", "--kernel", KERNELS,
                    "--most-cycles", "60000", "--bench-cycles", "5000", "--first-elaboration",
                    "--results", str(asked.results), *(["--seed", asked.seed] if asked.seed else [])])
    if not rows:
        raise Fault(f"{design}: no mutants were drawn")
    killed = [row for row in rows if row["result"] == "killed"]
    missed = [row for row in rows if row["result"] in ("survived", "not-activated")]
    print(f"mutants: {design}: killed {len(killed)} of {len(killed) + len(missed)}, of {len(rows)} drawn with seed "
          f"{rows[0]['seed']}, in {time.monotonic() - begin:.0f} s", flush=True)
    for row in missed:
        print(f"mutants: {design}: {row['result']}: {row['place']}: {row['token']} -> {row['mutant']}", flush=True)
    return len(killed), len(missed)


def below(killed, missed, least):
    """Whether less than so many per cent were killed, or none was there to judge."""
    return 100 * killed < least * (killed + missed) or killed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("designs", nargs="*", metavar="DESIGN", help="only these designs")
    parser.add_argument("-n", "--count", type=int, default=30, help="mutants a design (30)")
    parser.add_argument("--least", type=int, default=85, help="per cent of all that have to be found (85)")
    parser.add_argument("--least-each", type=int, default=60, help="per cent of each design's (60)")
    parser.add_argument("--seed", help="drawn by this instead of the commit")
    parser.add_argument("--results", default=ROOT / "build/mutants", help="folder of what was found (build/mutants)")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="designs at a time (2)")
    asked = parser.parse_args()
    try:
        chosen = asked.designs or sorted(manifest.parent.name for manifest in ROOT.glob("rtl/*/design.toml"))
        if not chosen:
            raise Fault(f"{ROOT / 'rtl'} has no design")
        with concurrent.futures.ThreadPoolExecutor(max(1, asked.jobs)) as pool:
            counts = list(pool.map(lambda design: judge(design, asked), chosen))
    except Fault as fault:
        print(f"mutants: {fault}", file=sys.stderr)
        return 2
    faults = [f"{design}: less than {asked.least_each} %" for design, count in zip(chosen, counts)
              if below(*count, asked.least_each)]
    killed, missed = (sum(part) for part in zip(*counts))
    if below(killed, missed, asked.least):
        faults.append(f"all designs: less than {asked.least} %")
    for fault in faults:
        print(f"mutants: {fault} of the mutants were found", file=sys.stderr)
    print(f"mutants: {len(chosen)} designs: killed {killed} of {killed + missed}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
