/**
 * Shared by all commands that start or resume a run: prepares the request, then performs it here or in a separate
 * process.
 */
import { LooperError } from '../../api/error.ts'
import type { PauseReason, RunState } from '../../api/nouns.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { Finished, PreparedRun, RunRequest, Runs } from '../../api/runs.ts'
import { accepting } from './accept-settings.ts'
import type { Answer } from './consent.ts'
import type { CliContext } from './context.ts'
import type { OptionLine } from './option.ts'
import { performRun, type PerformOptions } from './perform-run.ts'

export interface RequestOptions extends PerformOptions {
  detach?: boolean
  tmux?: boolean
  yes?: boolean
  apply?: boolean
}

/** Off by default: the lines change all the time. */
export const activityOption: OptionLine = ['--activity', 'on a terminal, show the last tool call of each agent']

export const requestOptions: readonly OptionLine[] = [
  ['-d, --detach', 'run in the background, in a process that outlives this terminal'],
  ['--tmux', 'run in the background, in a tmux session'],
  ['--dry-run', 'show what would happen and stop'],
  ['-y, --yes', 'do not ask anything before the run starts'],
  ['--apply', 'merge the changes into your branch when the run completes'],
  ['--json', 'print each event as a line of JSON; with -d, what was started'],
  ['-q, --quiet', 'print only the summary; with -d, the id of the run'],
  activityOption,
]

/** What `--settings` does when a run is resumed. */
export const settingsText =
  'use the current configuration for set-up, copied files, hooks and, before the first task, the checks, and settings '
  + 'that changed while the run was under way'

/** The model of one run, whatever agent takes its turns. */
export const modelOption: OptionLine = ['--model <model>', "the model of the run's agent, in all roles"]

/** Throws USAGE_ARGUMENTS for an empty name. */
export function modelOf({ model }: { model?: string }): { model?: string } {
  if (model === undefined) return {}
  if (model.trim() === '') throw new LooperError('USAGE_ARGUMENTS', '--model needs the name of a model')
  return { model: model.trim() }
}

/** The option of commands that may stop a live run first. */
export const forceOption = (about: string): OptionLine => ['--force', about]

/** Returns the exit code. */
export async function requestRun(context: CliContext, asked: RunRequest, options: RequestOptions): Promise<number> {
  const { request, prepared } = await accepting(context, isAccepting(asked), async (settings) => {
    const request = settings ? accepted(asked) : asked
    return { request, prepared: await prepareRequest(context.app, request) }
  })
  let answer: Answer = 'yes'
  if (options.dryRun !== true && options.yes !== true) {
    answer = await (hasQuestion(prepared) ? ask(context, prepared) : 'yes')
    if (answer === 'edited') return requestRun(context, asked, options)
    if (answer === 'no') return nothing(context, 'started')
    if (!(await mayStop(context, prepared))) return nothing(context, 'stopped')
  }
  const shown = { ...options, isAgreed: answer === 'agreed' }
  if (options.dryRun === true || (options.detach !== true && options.tmux !== true))
    return performRun(context, prepared, { ...shown, goOn: (finished) => afterPause(context, finished, options) })
  return (await import('./detach-run.ts')).detachRun(context, request, prepared, shown)
}

/** Asks the person for what the run waits for, a way out of red checks or answers, and prepares to go on. */
async function afterPause(
  context: CliContext,
  { state }: Finished,
  { json, quiet, apply }: RequestOptions,
): Promise<PreparedRun | null> {
  if (state.pause === null || json === true || quiet === true) return null
  if (!(await hasWayOn(context, state, state.pause))) return null
  return context.app.prepareResume(state.run, { limits: {}, apply: apply === true })
}

/** The modules are loaded on demand, because most runs ask nothing. */
async function hasWayOn(context: CliContext, state: RunState, pause: PauseReason): Promise<boolean> {
  if (pause.preflight !== undefined) return (await import('./take-remedy.ts')).takeRemedy(context, pause)
  return pause.kind === 'question' && (await import('./answer-questions.ts')).answerQuestions(context, state)
}

/** Whether a person should be asked before this run. */
const hasQuestion = ({ consent = null, card }: PreparedRun): boolean =>
  consent !== null || card.writes?.from === 'repository'

/** Loaded on demand, because most runs ask nothing. */
const ask = async (context: CliContext, prepared: PreparedRun): Promise<Answer> =>
  (await import('./consent.ts')).askConsent(context, prepared)

function nothing({ err }: CliContext, what: string): number {
  err.write(`Nothing was ${what}.\n`)
  return 1
}

const isAccepting = (request: RunRequest): boolean => request.do !== 'run' && request.options.settings === true

/** The request with the person's consent to changed settings. */
const accepted = (request: RunRequest): RunRequest =>
  request.do === 'run' ? request : { ...request, options: { ...request.options, settings: true } }

/** Without a terminal, --force is enough. */
async function mayStop(context: CliContext, { stops = [] }: PreparedRun): Promise<boolean> {
  if (stops.length === 0) return true
  const [{ canAsk }, { confirm }] = await Promise.all([import('./ask.ts'), import('./confirm.ts')])
  return (
    !canAsk(context)
    || confirm(context, `Stop ${plain(stops.join(' and '))}, which ${stops.length === 1 ? 'is' : 'are'} under way?`)
  )
}

export function prepareRequest(app: Runs, request: RunRequest): Promise<PreparedRun> {
  switch (request.do) {
    case 'run':
      return app.prepareRun(request.request)
    case 'resume':
      return app.prepareResume(request.run, request.options)
    case 'session':
      return app.prepareSession(request.session, request.options)
  }
}
