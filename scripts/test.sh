#!/bin/sh
# All tests. Beside them the verilated models that they ask for are built, on what the tests leave of the processors.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
cargo=${CARGO:-cargo}
# A test runs few cycles: models that compile fast are done sooner than models that run fast.
export HEDDLE_QUICK_MODELS=1
"$cargo" build --quiet --release --locked --workspace --example build_models
nice -n 5 "${CARGO_TARGET_DIR:-target}/release/examples/build_models" &
builder=$!
trap 'kill "$builder" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
"$cargo" test --release --locked --workspace
# Built alone, the program takes crates from outside as the tests have them, so that nothing is compiled twice.
again=$(CARGO_TERM_QUIET=false "$cargo" build --release --locked --package heddle 2>&1) || { printf '%s\n' "$again" >&2; exit 1; }
# Those of the workspace have their folder in parentheses.
if printf '%s\n' "$again" | grep 'Compiling [^(]*$' >&2; then
    echo "test: for heddle alone these were compiled once more: rust/heddle-features lacks a feature that tests give them" >&2
    exit 1
fi
