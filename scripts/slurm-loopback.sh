#!/bin/sh
# A real Slurm of two nodes on this machine, from Debian's packages, for `heddle sweep --engine slurm` and its test.
#
#   scripts/slurm-loopback.sh install            apt-get what is missing; needs root
#   scripts/slurm-loopback.sh start DIR          munged, slurmctld and both slurmd, with all their files in DIR
#   scripts/slurm-loopback.sh kill-node DIR N    SIGKILL for the daemon of node N, 1 or 2; the node is told to be down
#   scripts/slurm-loopback.sh start-node DIR N   the daemon of node N again
#   scripts/slurm-loopback.sh restart DIR        SIGKILL for the controller, which is started again
#   scripts/slurm-loopback.sh stop DIR           ends the jobs and all daemons
#
# After `start`, `export SLURM_CONF=DIR/slurm.conf` makes sbatch, squeue and scancel use it. All listens on 127.0.0.1 and
# runs as the user who started it. What runs on a node whose daemon is killed goes on, and is queued again beside it, since
# the controller is told at once that the node is down; by itself it finds out in a quarter of a minute. Exit codes: 0 fine; 1 a daemon does not start; 2 wrong use; 3 Slurm is not there.
set -eu

usage() {
    sed -n '4,9s/^#   //p' "$0" >&2
    exit 2
}

# Debian keeps daemons where the PATH of a user does not look.
PATH=$PATH:/usr/sbin:/sbin
needed="munged mungekey slurmctld slurmd sbatch squeue scancel scontrol"

missing() {
    for program in $needed; do
        command -v "$program" >/dev/null || printf ' %s' "$program"
    done
}

# The id of the process in the file $1; nothing where the daemon has taken the file away.
pid() { cat "$1" 2>/dev/null || true; }

# Whether the process whose id is in the file $1 runs; one that nobody waits for has ended all the same.
runs() {
    id=$(pid "$1")
    [ -n "$id" ] && ! grep -qs '^State:[[:space:]]*Z' "/proc/$id/status" && kill -0 "$id" 2>/dev/null
}

# Waits half a minute for the command $2..., else says what $1 is and that it does not start.
wait_for() {
    what=$1
    shift
    for _ in $(seq 150); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.2
    done
    echo "slurm-loopback: $what did not start within 30 s; see the logs in $dir" >&2
    exit 1
}

node_is_up() {
    scontrol --oneliner show node "node$1" | grep -Eq 'State=(IDLE|MIXED|ALLOCATED)\+?[A-Z_+]* '
}

start_controller() {
    slurmctld -f "$dir/slurm.conf"
    wait_for slurmctld scontrol ping
}

start_node() {
    slurmd -N "node$1" -f "$dir/slurm.conf"
    wait_for "node$1" node_is_up "$1"
}

# Ends the daemon whose id is in the file $1, and waits until it has ended.
end() {
    if runs "$1"; then
        kill "$id" 2>/dev/null || true
        for _ in $(seq 50); do
            runs "$1" || break
            sleep 0.2
        done
        if runs "$1"; then kill -9 "$id" 2>/dev/null || true; fi
    fi
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
    install)
        if [ -z "$(missing)" ]; then exit 0; fi
        if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
            echo "slurm-loopback: not there:$(missing); they are installed by root, with apt-get" >&2
            exit 3
        fi
        export DEBIAN_FRONTEND=noninteractive
        if ! { apt-get update -q && apt-get install -q -y --no-install-recommends \
            munge slurmctld slurmd slurm-client; } >&2 || [ -n "$(missing)" ]; then
            echo "slurm-loopback: apt-get cannot install Slurm; not there:$(missing)" >&2
            exit 3
        fi
        exit 0
        ;;
    start | start-node | kill-node | restart | stop) ;;
    *) usage ;;
esac
[ $# -gt 0 ] || usage
if [ -n "$(missing)" ]; then
    echo "slurm-loopback: Slurm is not there:$(missing); 'scripts/slurm-loopback.sh install' gets Debian's packages" >&2
    exit 3
fi
mkdir -p "$1"
dir=$(CDPATH='' cd -- "$1" && pwd)
node=${2:-}
case $command-$node in
    start- | restart- | stop- | *-node-1 | *-node-2) ;;
    *) usage ;;
esac
export SLURM_CONF="$dir/slurm.conf"

case $command in
    start)
        if [ -e "$dir/slurm.conf" ]; then
            echo "slurm-loopback: $dir has a Slurm already; stop it, or take another folder" >&2
            exit 2
        fi
        user=$(id -un)
        host=$(hostname -s)
        # Others may run beside this one; a port that is taken shows in the daemon's log.
        port=$((20000 + $$ % 10000 * 3))
        mkdir "$dir/state"
        chmod 700 "$dir"
        cat >"$dir/slurm.conf" <<CONF
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdSpoolDir=$dir/spool-%n
SlurmdPidFile=$dir/%n.pid
SlurmdLogFile=$dir/%n.log
# What asks for no control groups and no accounting.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
# A node that does not answer is down after some seconds, its jobs are queued again, and it is back when it answers.
SlurmdTimeout=4
ReturnToService=2
KillWait=2
MinJobAge=10
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
        mungekey --create --keyfile="$dir/munge.key"
        munged --force --socket="$dir/munge.socket" --key-file="$dir/munge.key" --pid-file="$dir/munged.pid" \
            --log-file="$dir/munged.log" --seed-file="$dir/munged.seed" 2>>"$dir/munged.log"
        wait_for munged test -S "$dir/munge.socket"
        start_controller
        start_node 1
        start_node 2
        echo "slurm-loopback: two nodes are up; export SLURM_CONF=$dir/slurm.conf"
        ;;
    start-node) start_node "$node" ;;
    kill-node)
        kill -9 "$(cat "$dir/node$node.pid")"
        rm "$dir/node$node.pid"
        scontrol update "nodename=node$node" state=down reason=killed
        ;;
    restart)
        kill -9 "$(cat "$dir/slurmctld.pid")"
        rm "$dir/slurmctld.pid"
        start_controller
        for node in 1 2; do
            if runs "$dir/node$node.pid"; then wait_for "node$node" node_is_up "$node"; fi
        done
        ;;
    stop)
        [ -e "$dir/slurm.conf" ] || exit 0
        scancel --user="$(id -un)" >/dev/null 2>&1 || true
        for daemon in node1 node2 slurmctld munged; do
            end "$dir/$daemon.pid"
        done
        mv "$dir/slurm.conf" "$dir/slurm.conf.stopped"
        ;;
esac
