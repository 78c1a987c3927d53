#!/usr/bin/env bash
# The floor of a task in a worktree: the bare git commands, one after the other, in a checkout of the branch that tasks land on.
#   git-script.sh <tasks> <folder> <prompt> <agent> [argument…]
set -eu
tasks=$1 folder=$2 prompt=$3
shift 3
export LOOPER_ROLE=coder
for ((task = 1; task <= tasks; task++)); do
  worktree=$folder/worktree.$task
  git worktree add --quiet -b "task-$task" "$worktree" HEAD
  (
    cd "$worktree"
    LOOPER_TASK=T$task LOOPER_RESULT_FILE=$folder/result.$task "$@" <"$prompt" >"$folder/stream.$task" 2>&1
    sh -c true
    git add --all
    git commit --quiet --message "Task $task"
  )
  git merge --quiet --no-ff --message "Merge task $task" "task-$task"
  git worktree remove "$worktree"
  git branch --quiet --delete "task-$task"
done
