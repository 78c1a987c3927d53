/** Starts a separate process for a run, and waits until the run has started there. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { ioError } from '../../platform/files.ts'
import { openPlainFile, readPlainFile } from '../../platform/plain-file.ts'
import type { Detached, RunRequest } from '../../api/runs.ts'
import { findRoot } from '../../workspace/git/find-root.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import type { AppContext } from '../context.ts'
import { errorOf, openChannel, type Answer, type Channel } from './job-channel.ts'
import { runOf, runsOf } from '../runs/runs.ts'
import { nameTmux, refuseWithoutTmux, startInTmux } from './tmux.ts'

export const consoleFile = 'console.log'

/** Resolves when the process has ended. */
interface Started {
  gone: Promise<void>
}

export async function detach(
  context: AppContext,
  request: RunRequest,
  how: { tmux: boolean; session: string | null },
): Promise<Detached> {
  return how.tmux ? inTmux(context, request, how.session) : alone(context, request)
}

async function alone(context: AppContext, request: RunRequest): Promise<Detached> {
  const root = findRoot(context.cwd)
  const log = await logFor(root, request)
  const channel = await openChannel({ request, cwd: context.cwd, log, env: null })
  try {
    const { run, pid } = await underWay(channel, start(context, channel.path, log), () =>
      readPlainFile(log, 2_000, 'end'),
    )
    return { run, pid, log: join(runOf(root, run).folder, consoleFile), tmux: null }
  } catch (error) {
    if (request.do === 'run') await rm(log, { force: true })
    throw error
  } finally {
    await channel.close()
  }
}

/** A new run has no folder yet, so its output goes to a temporary file that is moved there later. */
async function logFor(root: string, request: RunRequest): Promise<string> {
  if (request.do === 'resume' && request.run !== null) return join(runOf(root, request.run).folder, consoleFile)
  await ensureLooperFolder(root)
  const { folder } = runsOf(root)
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw ioError(error, folder)
  })
  return join(folder, `.starting-${randomBytes(6).toString('hex')}.log`)
}

const argvOf = ({ packageFolder }: AppContext, socket: string): [string, ...string[]] => [
  process.execPath,
  ...process.execArgv,
  join(packageFolder, 'bin', 'looper.js'),
  'run',
  '--detached-job',
  socket,
]

/** Starts the process as leader of a session without a terminal, so that closing our terminal does not end it. */
function start(context: AppContext, socket: string, log: string): Started {
  const [program, ...args] = argvOf(context, socket)
  const file = open(log)
  try {
    const child = spawn(program, args, {
      cwd: context.cwd,
      env: context.env,
      detached: true,
      stdio: ['ignore', file, file],
    })
    const gone = new Promise<void>((resolve) => {
      child.once('error', () => resolve())
      child.once('exit', () => resolve())
    })
    child.unref()
    return { gone }
  } finally {
    closeSync(file)
  }
}

function open(log: string): number {
  try {
    return openPlainFile(log, 'append')
  } catch (error) {
    throw ioError(error, log)
  }
}

async function inTmux(context: AppContext, request: RunRequest, session: string | null): Promise<Detached> {
  await refuseWithoutTmux(context)
  const env = Object.fromEntries(
    Object.entries(context.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const channel = await openChannel({ request, cwd: context.cwd, log: null, env })
  try {
    const tmux = await startInTmux(context, argvOf(context, channel.path))
    const { run, pid } = await underWay(channel, tmux, () => null)
    return { run, pid, log: null, tmux: await nameTmux(context, tmux.name, `looper-${session ?? run}`) }
  } finally {
    await channel.close()
  }
}

/** How long to wait, after the process ended, for an answer that it had already sent. */
const lastWordMs = 1_000

/** Throws the error with which the other process refused the request, or an error when that process died. */
async function underWay(
  channel: Channel,
  { gone }: Started,
  lastWords: () => string | null,
): Promise<Extract<Answer, { run: string }>> {
  const died = gone
    .then(() => sleep(lastWordMs, null, { ref: false }))
    .then(() => (channel.met() ? channel.answer : null))
  const answer = await Promise.race([channel.answer, died])
  if (answer === null) throw lost(lastWords())
  if ('refused' in answer) throw errorOf(answer)
  return answer
}

function lost(words: string | null): LooperError {
  const last = (words ?? '').trim().split('\n').at(-1) ?? ''
  const what = 'The process of the run ended before the run started'
  return new LooperError('ENVIRONMENT_DETACH', last === '' ? `${what}.` : `${what}: ${last}`)
}
