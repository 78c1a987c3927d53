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
  changes: boolean | { when: readonly string[] } | { unless: string }
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
  ['refine', unlessDry, 'refine the plan and the tasks until two agents agree', () => import('./commands/refine.ts')],
  ['ideate', unlessDry, 'have agents propose improvements', () => import('./commands/ideate.ts')],
  ['pipeline run', unlessDry, 'run the stages of a pipeline', () => import('./commands/pipeline-run.ts')],
  ['fork', true, 'start a new run from a point in another run', () => import('./commands/fork.ts')],
  ['attach', false, 'follow a run of another process', () => import('./commands/attach.ts')],
  ['stop', true, 'stop agents gracefully and pause the run', () => import('./commands/stop.ts')],
  ['pause', true, 'let agents finish their turn, then pause', () => import('./commands/pause.ts')],
  ['limit', true, 'raise or lower the limits of a run', () => import('./commands/limit.ts')],
  ['abort', true, 'end a run; it cannot be resumed', () => import('./commands/abort.ts')],
  ['answer', true, 'answer a question of a run', () => import('./commands/answer.ts')],
  ['task add', true, 'add a task to a run', () => import('./commands/task-add.ts')],
  ['task retry', true, 'retry a failed or blocked task', () => import('./commands/task-retry.ts')],
  ['task skip', true, 'skip a task', () => import('./commands/task-skip.ts')],
])

const inspect = inGroup('Inspect', [
  ['status', false, 'show the status of a run and the next steps', () => import('./commands/status.ts')],
  ['runs', false, 'list the runs of this repository', () => import('./commands/runs.ts')],
  ['ls', false, 'list the tasks of the backlog, or of a run with their evidence', () => import('./commands/ls.ts')],
  ['tail', false, 'show the last events of a run; -f follows it', () => import('./commands/tail.ts')],
  ['logs', false, 'show the output of agents', () => import('./commands/logs.ts')],
  ['report', false, 'show the report of a run: results and evidence', () => import('./commands/report.ts')],
  ['diff', false, 'show the changes of a run', () => import('./commands/diff.ts')],
  ['stats', false, 'summarize runs: success rate, cost, time, failures', () => import('./commands/stats.ts')],
  ['pipeline ls', false, 'list stages and pipelines, own and built-in', () => import('./commands/pipeline-ls.ts')],
  ['pipeline lint', false, 'check stages and pipelines for problems', () => import('./commands/pipeline-lint.ts')],
  [
    'pipeline dry-run',
    false,
    'show what a pipeline would do, with its prompts',
    () => import('./commands/pipeline-dry-run.ts'),
  ],
  ['lint', false, 'alias of `pipeline lint`', () => import('./commands/lint.ts')],
  ['replay', false, 'replay a recorded run and show decisions that differ', () => import('./commands/replay.ts')],
])

const review = inGroup('Review and merge', [
  ['apply', true, 'merge the changes of a run into your branch', () => import('./commands/apply.ts')],
  ['branch', true, 'push the branch of a run to a remote', () => import('./commands/branch.ts')],
  ['pr', true, 'open a pull request from a run, with gh', () => import('./commands/pr.ts')],
  ['discard', true, 'discard the changes of a run', () => import('./commands/discard.ts')],
  ['rollback', true, 'reset the branch of a run to a checkpoint', () => import('./commands/rollback.ts')],
  ['clean', unlessDry, 'remove old runs, and show the disk space of each', () => import('./commands/clean.ts')],
  [
    'release',
    unlessDry,
    'release the committed state: checks, version, changelog, tag, push',
    () => import('./commands/release.ts'),
  ],
  ['push', unlessDry, 'alias of `release`', () => import('./commands/release.ts')],
])

const setUp = inGroup('Set up', [
  ['validate', false, 'check the backlog for problems', () => import('./commands/validate.ts')],
  ['fmt', { when: ['write'] }, 'format the backlog', () => import('./commands/fmt.ts')],
  ['init', true, 'write .looper/config.json', () => import('./commands/init.ts')],
  ['import', unlessDry, 'import tasks into the backlog', () => import('./commands/import.ts')],
  ['config', false, 'show the settings in effect and their sources', () => import('./commands/config.ts')],
  ['config get', false, 'print one setting, for scripts', () => import('./commands/config-get.ts')],
  ['config set', true, 'change a setting in a file', () => import('./commands/config-set.ts')],
  ['config path', false, 'list the configuration files', () => import('./commands/config-path.ts')],
  [
    'doctor',
    { when: ['repair', 'checks'] },
    'check the environment, or explain a run',
    () => import('./commands/doctor.ts'),
  ],
  ['completion', false, 'print a completion script for your shell', () => import('./commands/completion.ts')],
  ['demo', true, 'play a whole run with a scripted agent', () => import('./commands/demo.ts')],
  ['version', false, 'print the version of Looper', () => import('./commands/version.ts')],
])

export const catalog: readonly Entry[] = [runEntry, ...work, ...inspect, ...review, ...setUp]

/** Whether the command changes anything when called with these options. */
export function changesAnything(
  { changes }: Pick<Entry, 'changes'>,
  options: Readonly<Record<string, unknown>>,
): boolean {
  if (typeof changes === 'boolean') return changes
  return 'when' in changes ? changes.when.some((option) => options[option] === true) : options[changes.unless] !== true
}

/** All valid first words of a command line. */
export const firstWords: readonly string[] = [
  ...new Set([...catalog.map(({ name }) => name.split(' ')[0] ?? ''), 'help']),
]
