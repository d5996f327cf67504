#!/bin/sh
# Pictures of two saved views in GTKWave, taken under a virtual display.
#
#   scripts/screenshots.sh [FOLDER] [PROGRAM]     write waves-ltrf.png and waves-osm.png [docs/pictures]
#
# Needs gtkwave, Xvfb and import (`apt-get install gtkwave xvfb imagemagick`); without one of them the script says so
# and ends with 77. A picture of less than 8 colours shows no waves and is a failure.
set -eu

cd "$(dirname "$0")/.."
Out=${1:-docs/pictures}
Heddle=${2:-target/release/heddle}
for Tool in gtkwave Xvfb import identify; do
    if ! command -v "$Tool" >/dev/null; then
        echo "screenshots: no $Tool: apt-get install gtkwave xvfb imagemagick" >&2
        exit 77
    fi
done
mkdir -p "$Out"
Out=$(cd "$Out" && pwd)
Heddle=$(cd "$(dirname "$Heddle")" && pwd)/$(basename "$Heddle")
Work=$(mktemp -d)
Server=
trap 'kill $Server 2>/dev/null || true; rm -rf "$Work"' EXIT
# The server picks a free display and writes its number.
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>"$Work/display" >/dev/null 2>&1 &
Server=$!
Tries=0
until [ -s "$Work/display" ]; do
    Tries=$((Tries + 1))
    [ "$Tries" -le 50 ] || { echo "screenshots: Xvfb does not start" >&2; exit 1; }
    sleep 0.2
done
DISPLAY=:$(cat "$Work/display")
export DISPLAY

# design kernel arguments...
shot() {
    Design=$1 Kernel=$2
    shift 2
    "$Heddle" cosim --design "$Design" --kernel "$Kernel" --waves vcd --results "$Work" --quiet "$@" >/dev/null
    (
        cd "$Work"
        gtkwave --rcvar 'splash_disable on' --rcvar 'enable_vcd_autosave off' \
            --rcvar 'fontname_signals DejaVu Sans Mono 9' --rcvar 'fontname_waves DejaVu Sans Mono 9' \
            "$Design-$Kernel-smoke.gtkw" >gtkwave.log 2>&1 &
        Viewer=$!
        # Until what is shown no longer changes.
        Before= Same=0 Tries=0
        while [ "$Same" -lt 3 ] && [ "$Tries" -lt 60 ]; do
            sleep 0.5
            import -window root shot.png
            Now=$(identify -format '%#' shot.png)
            Colours=$(identify -format '%k' shot.png)
            if [ "$Now" = "$Before" ] && [ "$Colours" -ge 8 ]; then Same=$((Same + 1)); else Same=0; fi
            Before=$Now Tries=$((Tries + 1))
        done
        kill "$Viewer"
        if [ "$Same" -lt 3 ]; then
            echo "screenshots: GTKWave shows nothing of $Design: $(tail -n 1 gtkwave.log)" >&2
            exit 1
        fi
        cp shot.png "$Out/waves-$Design.png"
    )
}

shot ltrf vectoradd
shot osm matrixmul --waves-from 1600
