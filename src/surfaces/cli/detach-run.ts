/** Hands a prepared run to a separate process, and prints how to find it. */
import { stepRows } from '../../views/status/next-steps.ts'
import { jsonText } from '../../views/text/json-text.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { Detached, PreparedRun, RunRequest } from '../../api/runs.ts'
import { widthOf, type CliContext } from './context.ts'
import { announce, opening } from './opening.ts'
import type { PerformOptions } from './perform-run.ts'

/** Returns the exit code. */
export async function detachRun(
  context: CliContext,
  request: RunRequest,
  prepared: PreparedRun,
  options: PerformOptions & { tmux?: boolean },
): Promise<number> {
  const { app, out } = context
  announce(context, prepared)
  const detached = await app.detach(exactly(request, prepared), {
    tmux: options.tmux === true,
    session: sessionOf(request),
  })
  const { run } = detached
  if (options.json === true) out.write(`${jsonText(detached)}\n`)
  else if (options.quiet === true) out.write(`${run}\n`)
  else {
    const started = { ...prepared, card: { ...prepared.card, run } }
    out.write(`${opening(context, started, options)}${text(detached, context)}`)
  }
  return 0
}

/** Names the run explicitly: another one may be the newest when the other process reads the request. */
function exactly(request: RunRequest, { card: { run } }: PreparedRun): RunRequest {
  return request.do === 'run' ? request : { do: 'resume', run, options: request.options }
}

function sessionOf(request: RunRequest): string | null {
  switch (request.do) {
    case 'run':
      return request.request.session ?? null
    case 'session':
      return request.session
    case 'resume':
      return null
  }
}

function text({ run, pid, tmux }: Detached, { paint, io }: CliContext): string {
  const where = tmux === null ? `in the background (pid ${pid})` : `in the tmux session ${tmux}`
  const steps = [
    ...(tmux === null ? [] : [{ command: `tmux attach -t ${tmux}`, what: 'attaches to it' }]),
    { command: `looper attach ${run}`, what: 'shows it; Ctrl-C there leaves it running' },
    { command: `looper status ${run}`, what: 'shows its status' },
    { command: `looper stop ${run}`, what: 'stops it; nothing is lost' },
  ]
  const rows = stepRows(steps, paint, widthOf(io)).map((row) => `  ${row}\n`)
  return `${paint.strong(plain(run))} is under way ${where}\n\nnext\n${rows.join('')}`
}
