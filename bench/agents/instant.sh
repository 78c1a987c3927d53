#!/bin/sh
# An agent that needs no time: reads its prompt, writes its answer.
cat >/dev/null
if [ "$LOOPER_ROLE" = planner ]; then
  cat "$BENCH_PLAN" >"$LOOPER_RESULT_FILE"
elif [ "$LOOPER_ROLE" = iterator ]; then
  printf '{"task_id":null,"status":"done","summary":"done"}' >"$LOOPER_RESULT_FILE"
else
  printf '{"status":"complete","summary":"done"}' >"$LOOPER_RESULT_FILE"
fi
