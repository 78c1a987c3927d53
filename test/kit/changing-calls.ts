/**
 * Calls of each command that changes something, with the arguments that it needs. The tests of refused commands use
 * this one table, and one of them fails when a command of the catalog is missing here.
 */

export const changingCalls: Record<string, string[][]> = {
  run: [['run', 'do it'], ['run', 'do it', '-d'], ['run', '--detached-job', '/tmp/s'], ['do it']],
  resume: [['resume']],
  work: [['work']],
  refine: [['refine']],
  ideate: [['ideate']],
  'pipeline run': [['pipeline', 'run', 'polish']],
  fork: [['fork', '--at', 'last']],
  stop: [['stop']],
  pause: [['pause']],
  limit: [['limit', '--turns', '9']],
  abort: [['abort']],
  answer: [['answer', 'Q1', 'yes']],
  'task add': [['task', 'add', 'more']],
  'task retry': [['task', 'retry', 'T001']],
  'task skip': [['task', 'skip', 'T001']],
  apply: [['apply']],
  branch: [['branch']],
  pr: [['pr', '--draft']],
  discard: [['discard'], ['discard', '--yes']],
  rollback: [['rollback', '--to', 'base']],
  clean: [['clean'], ['clean', '--all', '--yes']],
  release: [['release'], ['release', '--yes'], ['release', '--abort']],
  push: [['push'], ['push', '--yes'], ['push', '--abort']],
  fmt: [
    ['fmt', '-w'],
    ['fmt', '--write'],
  ],
  init: [['init']],
  import: [
    ['import', 'plan.md'],
    ['import', '--beads'],
  ],
  'config set': [
    ['config', 'set', 'guard', 'off'],
    ['config', 'set', '--user', 'guard', 'off'],
  ],
  doctor: [['doctor', '--repair']],
  demo: [['demo']],
}
