#!/bin/sh
# Co-simulates every kernel in size small on the designs named, or on all, with all registers and with 16.
#
#   scripts/test-all.sh RESULTS [DESIGN...]
#
# What passed with this program and this RTL is kept in RESULTS/test-all and not run again, so a run that was broken off
# goes on where it stopped. After a failure the others still run; the exit code is then 1.
set -eu

results=$1
shift
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
heddle=$root/target/release/heddle
designs=$("$heddle" list designs --format json)
kernels=$("$heddle" list kernels --format csv)
kernels=$(printf '%s\n' "$kernels" | sed -n '2,$s/,.*//p')
# Those with RTL. Unquoted: one argument a design.
[ $# -gt 0 ] || set -- $(printf '%s\n' "$designs" | sed -n 's/^{"design":"\([^"]*\)".*"rtl":true.*/\1/p')
if [ $# -eq 0 ] || [ -z "$kernels" ]; then
    echo "test-all: no designs or no kernels in what '$heddle list' prints" >&2
    exit 1
fi

key=$(cd "$root" && find target/release/heddle rtl presets -type f -exec sha256sum {} + | LC_ALL=C sort | sha256sum | cut -c 1-16)
passed=$results/test-all/$key
mkdir -p "$passed"
failed=
for design in "$@"; do
    for registers in 255 16; do
        for kernel in $kernels; do
            run=$design-$registers-$kernel
            if [ -f "$passed/$run.csv" ]; then
                continue
            fi
            echo "test-all: $kernel on $design with $registers registers"
            if "$heddle" cosim --quiet --design "$design" --kernel "$kernel" --size small --max-registers "$registers" \
                --results "$results" --format csv >"$passed/$run.failed"; then
                mv "$passed/$run.failed" "$passed/$run.csv"
            else
                failed="$failed $run"
            fi
        done
    done
done
if [ -n "$failed" ]; then
    echo "test-all: failed:$failed; see $passed" >&2
    exit 1
fi
echo "test-all: $* passed every kernel in size small, $passed"
