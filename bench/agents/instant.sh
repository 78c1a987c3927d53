#!/bin/sh
# An agent that needs no time: reads its prompt, writes its answer. The planner's answer is a file made beforehand.
cat >/dev/null
case "$LOOPER_ROLE" in
  planner) cat "$BENCH_PLAN" >"$LOOPER_RESULT_FILE" ;;
  *) printf '{"status":"complete","summary":"done"}' >"$LOOPER_RESULT_FILE" ;;
esac
