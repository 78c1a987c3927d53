#!/usr/bin/env bash
# The loop that everybody writes first: the agent, again and again. Nothing is durable, nothing is watched.
#   bash-loop.sh <turns> <folder> <prompt> <agent> [argument…]
set -eu
turns=$1 folder=$2 prompt=$3
shift 3
export LOOPER_ROLE=coder
for ((turn = 1; turn <= turns; turn++)); do
  LOOPER_RESULT_FILE=$folder/result.$turn "$@" <"$prompt" >"$folder/stream.$turn" 2>&1
done
