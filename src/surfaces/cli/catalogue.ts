/** All commands with their summaries; the code of a command is loaded only when it is called. */
import type { CommandSpec } from './command.ts'

export interface Entry {
  /** One word, or two for a command in a group. */
  name: string
  summary: string
  group: 'Work' | 'Inspect' | 'Review and merge' | 'Set up'
  /**
   * Whether it changes anything: processes of a run may only call commands that do not. The value of an option can
   * decide.
   */
  changes: boolean | { when: string } | { unless: string }
  /**
   * The arguments of most calls, which can be parsed without loading commander: the maximum and minimum number of
   * words, and the flags.
   */
  quick?: { words: number; needed?: number; flags: readonly string[] }
  load(): Promise<{ command: CommandSpec }>
}

const unlessDry = { unless: 'dryRun' }

export const catalogue: readonly Entry[] = [
  {
    name: 'run',
    group: 'Work',
    changes: unlessDry,
    summary: 'start a run toward a goal, or through the backlog',
    quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'resume',
    group: 'Work',
    changes: unlessDry,
    summary: 'resume a paused, failed or crashed run',
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'work',
    group: 'Work',
    changes: unlessDry,
    summary: 'work through the open tasks, a fresh agent for each',
    load: () => import('./commands/work.ts'),
  },
  {
    name: 'refine',
    group: 'Work',
    changes: unlessDry,
    summary: 'refine the plan and the tasks until two agents agree',
    load: () => import('./commands/refine.ts'),
  },
  {
    name: 'ideate',
    group: 'Work',
    changes: unlessDry,
    summary: 'have agents propose improvements',
    load: () => import('./commands/ideate.ts'),
  },
  {
    name: 'pipeline run',
    group: 'Work',
    changes: unlessDry,
    summary: 'run the stages of a pipeline',
    load: () => import('./commands/pipeline-run.ts'),
  },
  {
    name: 'fork',
    group: 'Work',
    changes: true,
    summary: 'start a new run from a point in another run',
    load: () => import('./commands/fork.ts'),
  },
  {
    name: 'attach',
    group: 'Work',
    changes: false,
    summary: 'follow a run of another process',
    load: () => import('./commands/attach.ts'),
  },
  {
    name: 'stop',
    group: 'Work',
    changes: true,
    summary: 'stop agents gracefully and pause the run',
    load: () => import('./commands/stop.ts'),
  },
  {
    name: 'pause',
    group: 'Work',
    changes: true,
    summary: 'let agents finish their turn, then pause',
    load: () => import('./commands/pause.ts'),
  },
  {
    name: 'limit',
    group: 'Work',
    changes: true,
    summary: 'raise or lower the limits of a run',
    load: () => import('./commands/limit.ts'),
  },
  {
    name: 'abort',
    group: 'Work',
    changes: true,
    summary: 'end a run; it cannot be resumed',
    load: () => import('./commands/abort.ts'),
  },
  {
    name: 'answer',
    group: 'Work',
    changes: true,
    summary: 'answer a question of a run',
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'task add',
    group: 'Work',
    changes: true,
    summary: 'add a task to a run',
    load: () => import('./commands/task-add.ts'),
  },
  {
    name: 'task retry',
    group: 'Work',
    changes: true,
    summary: 'retry a failed or blocked task',
    load: () => import('./commands/task-retry.ts'),
  },
  {
    name: 'task skip',
    group: 'Work',
    changes: true,
    summary: 'skip a task',
    load: () => import('./commands/task-skip.ts'),
  },
  {
    name: 'status',
    group: 'Inspect',
    changes: false,
    summary: 'show the status of a run and the next steps',
    quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'runs',
    group: 'Inspect',
    changes: false,
    summary: 'list the runs of this repository',
    quick: { words: 0, flags: ['--json'] },
    load: () => import('./commands/runs.ts'),
  },
  {
    name: 'ls',
    group: 'Inspect',
    changes: false,
    summary: 'list the tasks of the backlog, or of a run with their evidence',
    quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/ls.ts'),
  },
  {
    name: 'tail',
    group: 'Inspect',
    changes: false,
    summary: 'show the last events of a run; -f follows it',
    load: () => import('./commands/tail.ts'),
  },
  {
    name: 'logs',
    group: 'Inspect',
    changes: false,
    summary: 'show the output of agents',
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'report',
    group: 'Inspect',
    changes: false,
    summary: 'show the report of a run: results and evidence',
    quick: { words: 1, flags: [] },
    load: () => import('./commands/report.ts'),
  },
  {
    name: 'diff',
    group: 'Inspect',
    changes: false,
    summary: 'show the changes of a run',
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'stats',
    group: 'Inspect',
    changes: false,
    summary: 'summarize runs: success rate, cost, time, failures',
    load: () => import('./commands/stats.ts'),
  },
  {
    name: 'pipeline ls',
    group: 'Inspect',
    changes: false,
    summary: 'list stages and pipelines, own and built-in',
    quick: { words: 0, flags: ['--json'] },
    load: () => import('./commands/pipeline-ls.ts'),
  },
  {
    name: 'pipeline lint',
    group: 'Inspect',
    changes: false,
    summary: 'check stages and pipelines for problems',
    quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/pipeline-lint.ts'),
  },
  {
    name: 'pipeline dry-run',
    group: 'Inspect',
    changes: false,
    summary: 'show what a pipeline would do, with its prompts',
    load: () => import('./commands/pipeline-dry-run.ts'),
  },
  {
    name: 'lint',
    group: 'Inspect',
    changes: false,
    summary: 'alias of `pipeline lint`',
    load: () => import('./commands/lint.ts'),
  },
  {
    name: 'replay',
    group: 'Inspect',
    changes: false,
    summary: 'replay a recorded run and show decisions that differ',
    quick: { words: 1, flags: ['--json', '--files'] },
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'apply',
    group: 'Review and merge',
    changes: true,
    summary: 'merge the changes of a run into your branch',
    load: () => import('./commands/apply.ts'),
  },
  {
    name: 'discard',
    group: 'Review and merge',
    changes: true,
    summary: 'discard the changes of a run',
    load: () => import('./commands/discard.ts'),
  },
  {
    name: 'rollback',
    group: 'Review and merge',
    changes: true,
    summary: 'reset the branch of a run to a checkpoint',
    load: () => import('./commands/rollback.ts'),
  },
  {
    name: 'clean',
    group: 'Review and merge',
    changes: unlessDry,
    summary: 'remove old runs, and show the disk space of each',
    load: () => import('./commands/clean.ts'),
  },
  {
    name: 'push',
    group: 'Review and merge',
    changes: unlessDry,
    summary: 'release the committed state: checks, version, changelog, tag, push',
    load: () => import('./commands/push.ts'),
  },
  {
    name: 'validate',
    group: 'Set up',
    changes: false,
    summary: 'check the backlog for problems',
    quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'fmt',
    group: 'Set up',
    changes: { when: 'write' },
    summary: 'format the backlog',
    quick: { words: 1, flags: ['--write', '--check', '--diff'] },
    load: () => import('./commands/fmt.ts'),
  },
  {
    name: 'init',
    group: 'Set up',
    changes: true,
    summary: 'write .looper/config.json',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'import',
    group: 'Set up',
    changes: unlessDry,
    summary: 'import tasks into the backlog',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'config',
    group: 'Set up',
    changes: false,
    summary: 'show the settings in effect and their sources',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'config get',
    group: 'Set up',
    changes: false,
    summary: 'print one setting, for scripts',
    quick: { words: 1, needed: 1, flags: ['--json'] },
    load: () => import('./commands/config-get.ts'),
  },
  {
    name: 'config set',
    group: 'Set up',
    changes: true,
    summary: 'change a setting in a file',
    load: () => import('./commands/config-set.ts'),
  },
  {
    name: 'config path',
    group: 'Set up',
    changes: false,
    summary: 'list the configuration files',
    quick: { words: 0, flags: ['--json'] },
    load: () => import('./commands/config-path.ts'),
  },
  {
    name: 'doctor',
    group: 'Set up',
    changes: { when: 'repair' },
    summary: 'check the environment, or explain a run',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    group: 'Set up',
    changes: false,
    summary: 'print a completion script for your shell',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'demo',
    group: 'Set up',
    changes: true,
    summary: 'play a whole run with a scripted agent',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'version',
    group: 'Set up',
    changes: false,
    summary: 'print the version of Looper',
    quick: { words: 0, flags: [] },
    load: () => import('./commands/version.ts'),
  },
]

/** Whether the command changes anything when called with these options. */
export function changesAnything({ changes }: Pick<Entry, 'changes'>, options: object): boolean {
  if (typeof changes === 'boolean') return changes
  const isGiven = (name: string): boolean => new Map(Object.entries(options)).get(name) === true
  return 'when' in changes ? isGiven(changes.when) : !isGiven(changes.unless)
}

const firstWord = ({ name }: Entry): string => name.split(' ')[0] ?? ''

export const groupNames: readonly string[] = [
  ...new Set(catalogue.filter(({ name }) => name.includes(' ')).map(firstWord)),
]
/** All valid first words of a command line. */
export const firstWords: readonly string[] = [...new Set([...catalogue.map(firstWord), 'help'])]
