#!/bin/sh
# An agent that needs no time: reads its prompt, writes its answer. What a long plan cannot hold, the first task asks the run to add,
# as `looper task add` does: one file each in its inbox.
cat >/dev/null
if [ "$LOOPER_ROLE" = planner ]; then
  cat "$BENCH_PLAN" >"$LOOPER_RESULT_FILE"
else
  if [ "$LOOPER_TASK" = T001 ] && [ -d "$BENCH_REST" ]; then mv "$BENCH_REST"/*.json ".looper/runs/$LOOPER_RUN/inbox/"; fi
  printf '{"status":"complete","summary":"done"}' >"$LOOPER_RESULT_FILE"
fi
