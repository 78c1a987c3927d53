#!/bin/sh
# The same agent, leaving one new file behind; with BENCH_SLEEP it takes that many seconds over it.
# With BENCH_STAMPS, the times at which agents start and the planner ends are written to that folder.
stamp() { [ -z "$BENCH_STAMPS" ] || date +%s%N >"$BENCH_STAMPS/$1"; }
stamp "$LOOPER_ROLE${LOOPER_TASK:+-$LOOPER_TASK}"
cat >/dev/null
case "$LOOPER_ROLE" in
  planner)
    cat "$BENCH_PLAN" >"$LOOPER_RESULT_FILE"
    stamp planned
    ;;
  *)
    [ -z "$BENCH_SLEEP" ] || sleep "$BENCH_SLEEP"
    echo "made by $LOOPER_TASK" >"$LOOPER_TASK.txt"
    printf '{"status":"complete","summary":"done"}' >"$LOOPER_RESULT_FILE"
    ;;
esac
