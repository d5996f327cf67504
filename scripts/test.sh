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
