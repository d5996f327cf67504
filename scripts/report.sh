#!/bin/bash
# Runs what is missing of every experiment and draws the page: scripts/report.sh SCALE RESULTS [heddle report's options].
# A failed run is told and stops nothing; the exit code is then 1, and the page is there all the same.
set -u
cd "$(dirname "$0")/.."
scale=$1 results=$2
shift 2
all=(experiments/*.toml --scale "$scale" --results "$results")
target/release/heddle sweep "${all[@]}" --estimate || exit
target/release/heddle sweep "${all[@]}" --resume >/dev/null
swept=$?
# 1 is a run that failed; anything else is nothing that a page could be drawn after.
[ $swept -le 1 ] || exit $swept
target/release/heddle report --scale "$scale" --results "$results" "$@" || exit
exit $swept
