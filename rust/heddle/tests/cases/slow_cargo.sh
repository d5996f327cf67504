#!/bin/sh
# Stands for cargo: takes longer than one that has nothing to build, and builds nothing.
exec sleep 4
