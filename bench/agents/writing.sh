#!/bin/sh
# The same agent, leaving one new file behind; with BENCH_SLEEP it takes that many seconds over it.
cat >/dev/null
case "$LOOPER_ROLE" in
  planner) cat "$BENCH_PLAN" >"$LOOPER_RESULT_FILE" ;;
  *)
    [ -z "$BENCH_SLEEP" ] || sleep "$BENCH_SLEEP"
    echo "made by $LOOPER_TASK" >"$LOOPER_TASK.txt"
    printf '{"status":"complete","summary":"done"}' >"$LOOPER_RESULT_FILE"
    ;;
esac
