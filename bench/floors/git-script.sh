#!/usr/bin/env bash
# The floor of a task in a worktree: the bare git commands, one after the other, in a checkout of the branch that tasks land on.
# So many tasks as `width` says begin at the same commit: of those the first lands by moving the branch, the others by a merge.
#   git-script.sh <width> <tasks> <folder> <prompt> <agent> [argument…]
set -eu
width=$1 tasks=$2 folder=$3 prompt=$4
shift 4
export LOOPER_ROLE=coder
for ((first = 1; first <= tasks; first += width)); do
  last=$((first + width - 1 < tasks ? first + width - 1 : tasks))
  for ((task = first; task <= last; task++)); do
    git worktree add --quiet -b "task-$task" "$folder/worktree.$task" HEAD
  done
  for ((task = first; task <= last; task++)); do
    (
      cd "$folder/worktree.$task"
      LOOPER_TASK=T$task LOOPER_RESULT_FILE=$folder/result.$task "$@" <"$prompt" >"$folder/stream.$task" 2>&1
      sh -c true
      git add --all
      git commit --quiet --message "Task $task"
    )
    git merge --quiet --message "Merge task $task" "task-$task"
    git worktree remove "$folder/worktree.$task"
    git branch --quiet --delete "task-$task"
  done
done
