#!/bin/bash
# Writes the verdicts on all claims into docs/claims.md and into the pages of the designs: scripts/claims.sh [RESULTS].
# Of values that need results it takes those of scale claims that are there; rows of which they are not there any more stay. It
# runs nothing.
set -eu
results=$(realpath -m -- "${1:-$(dirname "$0")/../results}")
cd "$(dirname "$0")/.."
target/release/heddle claims --scale claims --results "$results" --keep --write docs/claims.md
for paper in claims/*.toml; do
    paper=$(basename "$paper" .toml)
    target/release/heddle claims --only "$paper" --scale claims --results "$results" --keep --write "docs/designs/$paper.md"
done
