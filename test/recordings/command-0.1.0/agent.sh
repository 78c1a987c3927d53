# A command agent: what it does is the name of its task.
case $LOOPER_TASK in
answers)
  echo '{"type":"session","id":"s-1"}'
  echo '{"type":"message","text":"hi"}'
  echo '{"type":"tool_use","name":"edit","input":{"file":"a"}}'
  echo hello > a.txt
  echo '{"type":"command","command":"true","exitCode":0}'
  echo '{"type":"usage","inputTokens":10,"outputTokens":5,"costUsd":0.25}'
  echo '{"type":"usage","inputTokens":1}'
  printf '{"status":"complete","summary":"done"}' > "$LOOPER_RESULT_FILE" ;;
answers-in-words)
  echo '{"status":"blocked","summary":"not this one"}'
  echo '{"status":"complete","summary":"said"}'
  echo '{"type":"message","text":"That is all."}' ;;
answers-and-fails) printf '{"status":"blocked"}' > "$LOOPER_RESULT_FILE"; exit 1 ;;
fails) echo oops >&2; exit 3 ;;
crashes) kill -SEGV $$ ;;
complains) echo '{"type":"error","kind":"usage_limit","message":"no more","resetsAt":"2030-01-01T00:00:00Z"}'; exit 1 ;;
babbles) printf '{\033[31m"\nwords\n[1,\n' ;;
esac
