#!/bin/sh
# Fuzzes every reader of files from outside: fuzz.sh [SECONDS], 60 when left out: how long all targets together
# may take, of which as many run at once as there are processors.
#
# Builds the targets of fuzz/ with the coverage that libFuzzer wants, which a stable compiler can do, and runs
# each on its committed corpus and on what earlier runs kept in build/fuzz. A panic, more than 1 GiB or more
# than 10 s for one input fails; the input is left in build/fuzz/<target>-artifacts. `cargo fuzz` works in
# fuzz/ as well, with a nightly compiler.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
seconds=${1:-60}
work=$root/build/fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

flags="--cfg fuzzing -Cpasses=sancov-module"
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags="$flags -Cllvm-args=-sanitizer-coverage-$option"
done
# A target of its own folder and a named host: the flags are not for build scripts. The lock file is
# committed; `cargo check` in fuzz/ brings it up to date after a change of a crate's dependencies.
RUSTFLAGS=$flags CARGO_TARGET_DIR=$root/target/fuzz "${CARGO:-cargo}" build --quiet --release --locked \
    --manifest-path "$root/fuzz/Cargo.toml" --target "$host"

# One target, for its share of the seconds. Its mark goes away when all was well, and at nothing else.
run() {
    log=$work/$1.log
    if "$root/target/fuzz/$host/release/$1" "$work/$1" "$root/fuzz/corpus/$1" \
        -max_total_time="$each" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -verbosity=1 -print_final_stats=1 \
        -artifact_prefix="$work/$1-artifacts/" >"$log" 2>&1; then
        sed -n "s/^stat::number_of_executed_units: */fuzz: $1, $each s, inputs /p" "$log"
        rm "$work/$1.failed"
    else
        echo "fuzz: $1 failed" >&2
        tail -n 40 "$log" >&2
    fi
}

targets=$(cd "$root/fuzz/fuzz_targets" && ls -- *.rs | sed 's/\.rs$//')
count=$(printf '%s\n' "$targets" | wc -l)
at_once=$(nproc)
rounds=$(((count + at_once - 1) / at_once))
each=$((seconds / rounds))
[ "$each" -gt 0 ] || each=1
begun=0
for target in $targets; do
    mkdir -p "$work/$target" "$work/$target-artifacts"
    : >"$work/$target.failed"
    run "$target" &
    begun=$((begun + 1))
    if [ $((begun % at_once)) -eq 0 ]; then wait; fi
done
wait
failed=
for target in $targets; do
    if [ -e "$work/$target.failed" ]; then failed="$failed $target"; fi
done
if [ -n "$failed" ]; then
    echo "fuzz: failed:$failed; logs and inputs are in $work" >&2
    exit 1
fi
