#!/bin/bash
# Runs what is missing of every experiment and draws the page: scripts/report.sh SIZE RESULTS [heddle report's options].
# A failed run is told and stops nothing; the exit code is then 1, and the page is there all the same.
set -u
cd "$(dirname "$0")/.."
size=$1 results=$2
shift 2
worst=0
for file in experiments/*.toml; do
    echo "report: $file" >&2
    target/release/heddle sweep "$file" --size "$size" --results "$results" --resume >/dev/null
    code=$?
    # 1 is a run that failed; anything else is nothing that the next experiment could go on after.
    [ $code -le 1 ] || exit $code
    [ $code -eq 0 ] || worst=1
done
target/release/heddle report --size "$size" --results "$results" "$@" || exit
exit $worst
