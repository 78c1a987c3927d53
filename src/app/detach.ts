/** Starts a process of its own for a run, and waits until the run is under way there. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { ioError } from '../platform/files.ts'
import { openPlainFile, readPlainFile } from '../platform/plain-file.ts'
import type { Detached, Undertaking } from '../surfaces/cli/app.ts'
import { findRoot } from '../workspace/find-root.ts'
import { ensureLooperFolder } from '../workspace/looper-folder.ts'
import type { Context } from './context.ts'
import { errorOf, openChannel, type Answer, type Channel } from './errand-channel.ts'
import { runFolder, runsFolder } from './run-folder.ts'
import { nameTmux, refuseWithoutTmux, startInTmux } from './tmux.ts'

export const consoleFile = 'console.log'

/** Resolves when the process is known to be gone. */
interface Started {
  gone: Promise<void>
}

export async function detach(
  context: Context,
  what: Undertaking,
  how: { tmux: boolean; session: string | null },
): Promise<Detached> {
  return how.tmux ? inTmux(context, what, how.session) : alone(context, what)
}

async function alone(context: Context, what: Undertaking): Promise<Detached> {
  const root = findRoot(context.cwd)
  const log = await logFor(root, what)
  const channel = await openChannel({ what, cwd: context.cwd, log, env: null })
  try {
    const { run, pid } = await underWay(channel, start(context, channel.path, log), () =>
      readPlainFile(log, 2_000, 'end'),
    )
    return { run, pid, log: join(runFolder(root, run), consoleFile), tmux: null }
  } catch (error) {
    if (what.do === 'run') await rm(log, { force: true })
    throw error
  } finally {
    await channel.close()
  }
}

/** A run that begins has no folder yet: what is printed until then moves there with the file. */
async function logFor(root: string, what: Undertaking): Promise<string> {
  if (what.do === 'resume' && what.run !== null) return join(runFolder(root, what.run), consoleFile)
  await ensureLooperFolder(root)
  await mkdir(runsFolder(root), { recursive: true }).catch((error: unknown) => {
    throw ioError(error, runsFolder(root))
  })
  return join(runsFolder(root), `.starting-${randomBytes(6).toString('hex')}.log`)
}

const argvOf = ({ packageFolder }: Context, socket: string): [string, ...string[]] => [
  process.execPath,
  ...process.execArgv,
  join(packageFolder, 'bin', 'looper.js'),
  'run',
  '--errand',
  socket,
]

/** The leader of a session without a terminal: the end of ours is not its business. */
function start(context: Context, socket: string, log: string): Started {
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

async function inTmux(context: Context, what: Undertaking, session: string | null): Promise<Detached> {
  await refuseWithoutTmux(context)
  const env = Object.fromEntries(
    Object.entries(context.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const channel = await openChannel({ what, cwd: context.cwd, log: null, env })
  try {
    const tmux = await startInTmux(context, argvOf(context, channel.path))
    const { run, pid } = await underWay(channel, tmux, () => null)
    return { run, pid, log: null, tmux: await nameTmux(context, tmux.name, `looper-${session ?? run}`) }
  } finally {
    await channel.close()
  }
}

/** A word that was on its way when its process ended still arrives. */
const lastWordMs = 1_000

/** Throws what the other process was refused with, or that it died. */
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
  const what = 'The process that was to perform the run ended before it began'
  return new LooperError('ENVIRONMENT_DETACH', last === '' ? `${what}.` : `${what}: ${last}`)
}
