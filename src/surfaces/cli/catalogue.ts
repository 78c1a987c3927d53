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
  load(): Promise<{ command: CommandSpec }>
}

type Row = readonly [name: string, changes: Entry['changes'], summary: string, load: Entry['load']]

const inGroup = (group: Entry['group'], rows: readonly Row[]): Entry[] =>
  rows.map(([name, changes, summary, load]) => ({ name, group, changes, summary, load }))

const unlessDry = { unless: 'dryRun' }

/** The command of a line that names none. */
export const runEntry: Entry = {
  name: 'run',
  group: 'Work',
  changes: unlessDry,
  summary: 'start a run toward a goal, or through the backlog',
  load: () => import('./commands/run.ts'),
}

const work = inGroup('Work', [
  ['resume', unlessDry, 'resume a paused, failed or crashed run', () => import('./commands/resume.ts')],
  ['work', unlessDry, 'work through the open tasks, a fresh agent for each', () => import('./commands/work.ts')],
  ['refine', unlessDry, 'go over plan and tasks until nothing more is to gain', () => import('./commands/refine.ts')],
  ['ideate', unlessDry, 'have agents look for what is worth doing', () => import('./commands/ideate.ts')],
  ['pipeline run', unlessDry, 'walk the stages of a pipeline', () => import('./commands/pipeline-run.ts')],
  ['fork', true, 'begin a new run in the middle of another one', () => import('./commands/fork.ts')],
  ['attach', false, 'show a run that is under way elsewhere', () => import('./commands/attach.ts')],
  ['stop', true, 'stop agents gracefully and pause the run', () => import('./commands/stop.ts')],
  ['pause', true, 'let agents finish their turn, then pause', () => import('./commands/pause.ts')],
  ['limit', true, 'raise or lower the limits of a run', () => import('./commands/limit.ts')],
  ['abort', true, 'end a run for good', () => import('./commands/abort.ts')],
  ['answer', true, 'answer a question of a run', () => import('./commands/answer.ts')],
  ['task add', true, 'add a task to a run', () => import('./commands/task-add.ts')],
  ['task retry', true, 'open a failed or blocked task again', () => import('./commands/task-retry.ts')],
  ['task skip', true, 'go on without a task', () => import('./commands/task-skip.ts')],
])

const look = inGroup('Inspect', [
  ['status', false, 'where a run stands and what to do next', () => import('./commands/status.ts')],
  ['runs', false, 'the runs of this repository', () => import('./commands/runs.ts')],
  ['ls', false, 'the tasks of the backlog, or of a run with their evidence', () => import('./commands/ls.ts')],
  ['tail', false, 'the last lines of a run; -f follows it', () => import('./commands/tail.ts')],
  ['logs', false, 'what agents said and did', () => import('./commands/logs.ts')],
  ['report', false, 'what was done and what proves it', () => import('./commands/report.ts')],
  ['diff', false, 'what a run changed', () => import('./commands/diff.ts')],
  ['stats', false, 'summarize runs: success rate, cost, time, failures', () => import('./commands/stats.ts')],
  ['pipeline ls', false, 'stages and pipelines, own and built-in', () => import('./commands/pipeline-ls.ts')],
  ['pipeline lint', false, 'what is wrong with stages and pipelines', () => import('./commands/pipeline-lint.ts')],
  [
    'pipeline dry-run',
    false,
    'what a pipeline would do, with its prompts',
    () => import('./commands/pipeline-dry-run.ts'),
  ],
  ['lint', false, 'alias of `pipeline lint`', () => import('./commands/lint.ts')],
  ['replay', false, 'decide a recorded run again and show what differs', () => import('./commands/replay.ts')],
])

const review = inGroup('Review and merge', [
  ['apply', true, 'bring the changes of a run into your branch', () => import('./commands/apply.ts')],
  ['discard', true, 'throw the changes of a run away', () => import('./commands/discard.ts')],
  ['rollback', true, 'take the branch of a run back to what was good', () => import('./commands/rollback.ts')],
  ['clean', unlessDry, 'remove old runs, and show the disk space of each', () => import('./commands/clean.ts')],
  [
    'push',
    unlessDry,
    'release what is committed: checks, version, changelog, tag, push',
    () => import('./commands/push.ts'),
  ],
])

const setUp = inGroup('Set up', [
  ['validate', false, 'what is wrong with the backlog, and where', () => import('./commands/validate.ts')],
  ['fmt', { when: 'write' }, 'the backlog in its canonical form', () => import('./commands/fmt.ts')],
  ['init', true, 'write .looper/config.json', () => import('./commands/init.ts')],
  ['import', unlessDry, 'bring tasks from elsewhere into the backlog', () => import('./commands/import.ts')],
  ['config', false, 'the settings in force and their sources', () => import('./commands/config.ts')],
  ['config get', false, 'one setting, for scripts', () => import('./commands/config-get.ts')],
  ['config set', true, 'change a setting in a file', () => import('./commands/config-set.ts')],
  ['config path', false, 'the files that settings come from', () => import('./commands/config-path.ts')],
  [
    'doctor',
    { when: 'repair' },
    'check that everything Looper needs is there, or explain a run',
    () => import('./commands/doctor.ts'),
  ],
  [
    'completion',
    false,
    'complete commands, flags and names with tab, in four shells',
    () => import('./commands/completion.ts'),
  ],
  ['demo', true, 'watch a whole run with a scripted agent', () => import('./commands/demo.ts')],
  ['version', false, 'the version of Looper', () => import('./commands/version.ts')],
])

export const catalogue: readonly Entry[] = [runEntry, ...work, ...look, ...review, ...setUp]

/** Whether the command changes anything when called with these options. */
export function changesAnything(
  { changes }: Pick<Entry, 'changes'>,
  options: Readonly<Record<string, unknown>>,
): boolean {
  if (typeof changes === 'boolean') return changes
  return 'when' in changes ? options[changes.when] === true : options[changes.unless] !== true
}

/** All valid first words of a command line. */
export const firstWords: readonly string[] = [
  ...new Set([...catalogue.map(({ name }) => name.split(' ')[0] ?? ''), 'help']),
]
