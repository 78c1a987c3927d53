#!/usr/bin/env bash
# The floor of a merge queue: workers with a worktree each, which they use again for task after task; every commit is merged into the
# branch of the checkout, one at a time. The bare git commands, and a lock.
#   git-queue.sh <workers> <tasks> <folder> <prompt> <agent> [argument…]
set -eu
workers=$1 tasks=$2 folder=$3 prompt=$4
shift 4
export LOOPER_ROLE=coder
branch=$(git symbolic-ref --short HEAD)

work() {
  # Two that are added at once can make git fail.
  flock "$folder" git worktree add --quiet --detach "$folder/worktree.$1" "$branch"
  for ((task = $1; task <= tasks; task += workers)); do
    (
      cd "$folder/worktree.$1"
      git checkout --quiet --force --detach "$branch"
      git clean -fdq
      LOOPER_TASK=T$task LOOPER_RESULT_FILE=$folder/result.$task "${@:2}" <"$prompt" >"$folder/stream.$task" 2>&1
      git add --all
      git commit --quiet --message "Task $task"
      git rev-parse HEAD >"$folder/commit.$task"
    )
    flock "$folder" git merge --quiet --message "Merge task $task" "$(<"$folder/commit.$task")"
  done
  git worktree remove --force "$folder/worktree.$1"
}

pids=()
for ((worker = 1; worker <= workers; worker++)); do
  work "$worker" "$@" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
