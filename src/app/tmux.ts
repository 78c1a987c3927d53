/**
 * Runs in tmux: a session for each, named after what it runs. Every word that tmux gets is an argument of its own and
 * none is a user's.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { runProcess, type ProcessResult } from '../platform/run-process.ts'
import type { Context } from './context.ts'

const tmux = ({ cwd, env }: Context, ...args: string[]): Promise<ProcessResult> =>
  runProcess({ argv: ['tmux', ...args], cwd, env })

export async function refuseWithoutTmux(context: Context): Promise<void> {
  const { started, exitCode } = await tmux(context, '-V')
  if (!started || exitCode !== 0) throw new LooperError('ENVIRONMENT_NO_TMUX', 'There is no tmux on the PATH.')
}

const lookMs = 500

/** The session has a name of its own at first, because the run's is not known before it is under way. */
export async function startInTmux(
  context: Context,
  argv: readonly string[],
): Promise<{ name: string; gone: Promise<void> }> {
  const name = `looper-${randomBytes(4).toString('hex')}`
  // A folder that ends in `;` would end the command for tmux, so it is not named: a new session begins where its client
  // is.
  const { exitCode, stderr } = await tmux(context, 'new-session', '-d', '-s', name, '--', ...argv)
  if (exitCode !== 0)
    throw new LooperError('ENVIRONMENT_DETACH', `tmux could not start a session: ${stderr.trim().slice(0, 300)}`, {
      hint: 'Use --detach instead, or mend tmux.',
    })
  return { name, gone: ended(context, name) }
}

async function ended(context: Context, name: string): Promise<void> {
  do await sleep(lookMs, null, { ref: false })
  while ((await tmux(context, 'has-session', '-t', `=${name}`)).exitCode === 0)
}

/** The name it has in the end: another session may have the one that is wanted. */
export async function nameTmux(context: Context, name: string, wanted: string): Promise<string> {
  return (await tmux(context, 'rename-session', '-t', `=${name}`, wanted)).exitCode === 0 ? wanted : name
}
