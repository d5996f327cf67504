#!/bin/sh
# All that is tested, or a part of it: the tests, the ignored ones, and every kernel in size small in co-simulation
# on the designs named, or on all, with all registers and with 16.
#
#   scripts/test-all.sh [--list] [--part K/N] RESULTS [DESIGN...]
#
# --part runs every N-th piece of the work from the K-th on, so N parts are disjoint and together whole, wherever each
# runs. --list prints the pieces, one a line, and runs nothing. What passed with these sources is kept in
# RESULTS/test-all and not run again, so a run that was broken off goes on where it stopped. After a failure the
# others still run; the exit code is then 1. HEDDLE is the program, target/release/heddle when left out.
set -eu

usage() {
    echo "usage: scripts/test-all.sh [--list] [--part K/N] RESULTS [DESIGN...], with 1 <= K <= N" >&2
    exit 2
}

# Whether $1 is a positive decimal number that the shell can count with.
is_count() {
    case $1 in
        '' | 0* | *[!0-9]* | ????????*) return 1 ;;
    esac
}

list=
part=1
parts=1
while [ $# -gt 0 ]; do
    case $1 in
        --list) list=yes ;;
        --part)
            shift
            case ${1:-} in */*) ;; *) usage ;; esac
            part=${1%%/*}
            parts=${1#*/}
            if ! is_count "$part" || ! is_count "$parts" || [ "$part" -gt "$parts" ]; then
                usage
            fi
            ;;
        -*) usage ;;
        *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || usage
results=$1
shift

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
heddle=${HEDDLE:-$root/target/release/heddle}
designs=$("$heddle" list designs --format json)
kernels=$("$heddle" list kernels --format csv)
kernels=$(printf '%s\n' "$kernels" | sed -n '2,$s/,.*//p')
# Those with RTL. Unquoted: one argument a design.
[ $# -gt 0 ] || set -- $(printf '%s\n' "$designs" | sed -n 's/^{"design":"\([^"]*\)".*"rtl":true.*/\1/p')
if [ $# -eq 0 ] || [ -z "$kernels" ]; then
    echo "test-all: no designs or no kernels in what '$heddle list' prints" >&2
    exit 1
fi

# The test targets that have ignored tests, one a line: package and target, - for the tests inside the library; where all
# tests of a package are one program, its name and the module.
ignored() {
    (cd "$root/rust" && grep -rlE '#\[ignore|with_ignored_flag\(true' --include='*.rs' .) | LC_ALL=C sort |
        while IFS= read -r file; do
            file=${file#./}
            manifest=$root/rust/${file%%/*}/Cargo.toml
            package=$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)
            case $file in
                */tests/*/*) target=${file#*/tests/} && target=${target%%/*} ;;
                */tests/*) target=${file##*/} && target=${target%.rs} ;;
                *) target=- ;;
            esac
            if [ "$target" != - ] && grep -q '^autotests = false' "$manifest" && ! grep -q "^name = \"$target\"" "$manifest"; then
                target="all $target"
            fi
            echo "$package $target"
        done | uniq
}

# All pieces of the work, one a line: a word that names its kind, and what it needs.
pieces() {
    echo tests
    ignored | sed 's/^/ignored /'
    for design in "$@"; do
        for registers in 255 16; do
            for kernel in $kernels; do
                echo "cosim $design $registers $kernel"
            done
        done
    done
}

mine=$(pieces "$@" | awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts')
if [ -n "$list" ]; then
    printf '%s\n' "$mine"
    exit 0
fi

# The hash of all files below the paths $@ of the repository.
hash_of() {
    (cd "$root" && find "$@" -type f -exec sha256sum {} +) | LC_ALL=C sort | sha256sum | cut -c 1-16
}

program=$(sha256sum <"$heddle" | cut -c 1-16)
for_runs=$results/test-all/$program-$(hash_of rtl testbench constraints presets)
for_tests=$results/test-all/$(hash_of .ci .github Cargo.toml Containerfile Cargo.lock Makefile README.md \
    rust rtl testbench constraints presets technologies models experiments claims fuzz docs scripts)
mkdir -p "$for_runs" "$for_tests"
export CARGO="${CARGO:-cargo}"

# Where the output of the piece $@ is kept when it has passed.
kept() {
    name=$(printf '%s' "$*" | tr ' ' -)
    case $1 in
        cosim) echo "$for_runs/$name.csv" ;;
        *) echo "$for_tests/$name.log" ;;
    esac
}

run() {
    case $1 in
        tests) "$root/scripts/test.sh" ;;
        ignored)
            package=$2
            module=${4:-}
            if [ "$3" = - ]; then set -- --lib; else set -- --test "$3" ${module:+"$module::"}; fi
            (cd "$root" && "$CARGO" test --release --locked --package "$package" "$@" -- --ignored)
            ;;
        cosim)
            "$heddle" cosim --quiet --design "$2" --kernel "$4" --size small --max-registers "$3" \
                --results "$results" --format csv
            ;;
    esac
}

failed=
number=0
while IFS= read -r piece <&3; do
    # Unquoted: one argument a word.
    set -- $piece
    number=$((number + 1))
    file=$(kept "$@")
    [ ! -f "$file" ] || continue
    echo "test-all: $piece"
    if run "$@" >"$file.failed"; then
        mv "$file.failed" "$file"
    else
        tail -n 30 "$file.failed" >&2
        failed="$failed
  $piece: $file.failed"
    fi
done 3<<LIST
$mine
LIST

if [ -n "$failed" ]; then
    echo "test-all: failed:$failed" >&2
    exit 1
fi
echo "test-all: $number pieces of work passed, part $part of $parts; $results/test-all"
