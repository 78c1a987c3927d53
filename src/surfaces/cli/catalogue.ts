/** Every command with its one line; the command itself is loaded only when it is called. */
import type { CommandSpec } from './command.ts'

export interface Entry {
  /** One word, or two for a command within a group. */
  name: string
  summary: string
  group: 'Work' | 'Look' | 'Take over' | 'Set up'
  /** The arguments of most calls, which can be read without loading commander: at most and at least so many words, and these flags. */
  quick?: { words: number; needed?: number; flags: readonly string[] }
  load(): Promise<{ command: CommandSpec }>
}

export const catalogue: readonly Entry[] = [
  {
    name: 'run', group: 'Work', summary: 'start a run toward a goal, or through the backlog', quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/run.ts'),
  },
  { name: 'resume', group: 'Work', summary: 'go on with a run that paused, failed or crashed', load: () => import('./commands/resume.ts') },
  { name: 'work', group: 'Work', summary: 'work through the open tasks, a fresh agent for each', load: () => import('./commands/work.ts') },
  {
    name: 'refine', group: 'Work', summary: 'go over plan and tasks until nothing more is to gain',
    load: () => import('./commands/refine.ts'),
  },
  { name: 'ideate', group: 'Work', summary: 'have agents look for what is worth doing', load: () => import('./commands/ideate.ts') },
  { name: 'pipeline run', group: 'Work', summary: 'walk the stages of a pipeline', load: () => import('./commands/pipeline-run.ts') },
  { name: 'fork', group: 'Work', summary: 'begin a new run in the middle of another one', load: () => import('./commands/fork.ts') },
  { name: 'attach', group: 'Work', summary: 'show a run that is under way elsewhere', load: () => import('./commands/attach.ts') },
  { name: 'stop', group: 'Work', summary: 'stop agents gracefully and pause the run', load: () => import('./commands/stop.ts') },
  { name: 'pause', group: 'Work', summary: 'let agents finish their turn, then pause', load: () => import('./commands/pause.ts') },
  { name: 'limit', group: 'Work', summary: 'raise or lower the limits of a run', load: () => import('./commands/limit.ts') },
  { name: 'abort', group: 'Work', summary: 'end a run for good', load: () => import('./commands/abort.ts') },
  { name: 'answer', group: 'Work', summary: 'answer a question of a run', load: () => import('./commands/answer.ts') },
  { name: 'task add', group: 'Work', summary: 'add a task to a run', load: () => import('./commands/task-add.ts') },
  { name: 'task retry', group: 'Work', summary: 'open a failed or blocked task again', load: () => import('./commands/task-retry.ts') },
  { name: 'task skip', group: 'Work', summary: 'go on without a task', load: () => import('./commands/task-skip.ts') },
  {
    name: 'status', group: 'Look', summary: 'where a run stands and what to do next', quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'runs', group: 'Look', summary: 'the runs of this repository', quick: { words: 0, flags: ['--json'] },
    load: () => import('./commands/runs.ts'),
  },
  {
    name: 'ls', group: 'Look', summary: 'the tasks of the backlog, or of a run with their evidence', quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/ls.ts'),
  },
  { name: 'tail', group: 'Look', summary: 'the last lines of a run; -f follows it', load: () => import('./commands/tail.ts') },
  { name: 'logs', group: 'Look', summary: 'what agents said and did', load: () => import('./commands/logs.ts') },
  {
    name: 'report', group: 'Look', summary: 'what was done and what proves it', quick: { words: 1, flags: [] },
    load: () => import('./commands/report.ts'),
  },
  { name: 'diff', group: 'Look', summary: 'what a run changed', load: () => import('./commands/diff.ts') },
  {
    name: 'stats', group: 'Look', summary: 'what all runs came to: success, cost, time, failures',
    load: () => import('./commands/stats.ts'),
  },
  {
    name: 'pipeline ls', group: 'Look', summary: 'stages and pipelines, own and built-in', quick: { words: 0, flags: ['--json'] },
    load: () => import('./commands/pipeline-ls.ts'),
  },
  {
    name: 'pipeline lint', group: 'Look', summary: 'what is wrong with stages and pipelines', quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/pipeline-lint.ts'),
  },
  {
    name: 'pipeline dry-run', group: 'Look', summary: 'what a pipeline would do, with its prompts',
    load: () => import('./commands/pipeline-dry-run.ts'),
  },
  { name: 'lint', group: 'Look', summary: 'pipeline lint in other words: lint loop work', load: () => import('./commands/lint.ts') },
  {
    name: 'replay', group: 'Look', summary: 'decide a recorded run again and show what differs',
    quick: { words: 1, flags: ['--json', '--files'] }, load: () => import('./commands/replay.ts'),
  },
  { name: 'apply', group: 'Take over', summary: 'bring the changes of a run into your branch', load: () => import('./commands/apply.ts') },
  { name: 'discard', group: 'Take over', summary: 'throw the changes of a run away', load: () => import('./commands/discard.ts') },
  {
    name: 'rollback', group: 'Take over', summary: 'take the branch of a run back to what was good',
    load: () => import('./commands/rollback.ts'),
  },
  {
    name: 'clean', group: 'Take over', summary: 'remove old runs and tell how much room each takes',
    load: () => import('./commands/clean.ts'),
  },
  {
    name: 'push', group: 'Take over', summary: 'release what is committed: checks, version, changelog, tag, push',
    load: () => import('./commands/push.ts'),
  },
  {
    name: 'validate', group: 'Set up', summary: 'what is wrong with the backlog, and where', quick: { words: 1, flags: ['--json'] },
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'fmt', group: 'Set up', summary: 'the backlog in its canonical form',
    quick: { words: 1, flags: ['--write', '--check', '--diff'] }, load: () => import('./commands/fmt.ts'),
  },
  { name: 'init', group: 'Set up', summary: 'write .looper/config.json', load: () => import('./commands/init.ts') },
  { name: 'import', group: 'Set up', summary: 'bring tasks from elsewhere into the backlog', load: () => import('./commands/import.ts') },
  { name: 'config', group: 'Set up', summary: 'the settings in force and their sources', load: () => import('./commands/config.ts') },
  {
    name: 'config get', group: 'Set up', summary: 'one setting, for scripts', quick: { words: 1, needed: 1, flags: ['--json'] },
    load: () => import('./commands/config-get.ts'),
  },
  { name: 'config set', group: 'Set up', summary: 'change a setting in a file', load: () => import('./commands/config-set.ts') },
  {
    name: 'config path', group: 'Set up', summary: 'the files that settings come from', quick: { words: 0, flags: ['--json'] },
    load: () => import('./commands/config-path.ts'),
  },
  {
    name: 'doctor', group: 'Set up', summary: 'check that everything Looper needs is there, or explain a run',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion', group: 'Set up', summary: 'complete commands, flags and names with tab, in four shells',
    load: () => import('./commands/completion.ts'),
  },
  { name: 'demo', group: 'Set up', summary: 'watch a whole run with a scripted agent', load: () => import('./commands/demo.ts') },
  {
    name: 'version', group: 'Set up', summary: 'the version of Looper', quick: { words: 0, flags: [] },
    load: () => import('./commands/version.ts'),
  },
]

const firstWord = ({ name }: Entry): string => name.split(' ')[0] ?? ''

export const groupNames: readonly string[] = [...new Set(catalogue.filter(({ name }) => name.includes(' ')).map(firstWord))]
/** Everything a person may type as the first word. */
export const firstWords: readonly string[] = [...new Set([...catalogue.map(firstWord), 'help'])]
