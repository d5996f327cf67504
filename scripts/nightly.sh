#!/bin/sh
# What is too long for every change: 300 mutants of every design with proofs, drawn by the commit, the RTL in the
# second simulator, faults planted in the models around the RTL, and everything of scripts/test-all.sh.
#
#   scripts/nightly.sh RESULTS [DESIGN...]
#
# Of the mutants that can be killed 99 % have to be, and at most 2 % may be equivalent by reason alone. Mutants and tests that were judged are
# kept in RESULTS, so what was ended goes on there. After a failure the others still run; the exit code is then 1.
set -eu
[ $# -gt 0 ] || { echo "usage: scripts/nightly.sh RESULTS [DESIGN...]" >&2; exit 2; }
results=$1
shift
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
heddle=${HEDDLE:-$root/target/release/heddle}
if [ $# -eq 0 ]; then
    for manifest in "$root"/rtl/*/design.toml; do
        folder=${manifest%/design.toml}
        set -- "$@" "${folder##*/}"
    done
fi

failed=
step() {
    name=$1
    shift
    echo "nightly: $name"
    "$@" || failed="$failed
  $name"
}

for design in "$@"; do
    step "mutants of $design" "$heddle" mutate "$design" -n 300 --prove --least 99 --most-by-reason 2 --quiet \
        --results "$results"
done
step "second simulator" "$root/scripts/second-sim.py"
step "faults of the models" "$root/scripts/planted-models.py"
step "all tests" "$root/scripts/test-all.sh" "$results" "$@"

if [ -n "$failed" ]; then
    echo "nightly: failed:$failed" >&2
    exit 1
fi
echo "nightly: all passed"
