/**
 * Starts runs in tmux, each in its own session. Every argument of tmux is passed separately, and none contains text of
 * the user.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { runProcess, type ProcessResult } from '../../platform/run-process.ts'
import type { AppContext } from '../context.ts'

const tmux = ({ cwd, env }: AppContext, ...args: string[]): Promise<ProcessResult> =>
  runProcess({ argv: ['tmux', ...args], cwd, env })

export async function refuseWithoutTmux(context: AppContext): Promise<void> {
  const { started, exitCode } = await tmux(context, '-V')
  if (!started || exitCode !== 0) throw new LooperError('ENVIRONMENT_NO_TMUX', 'tmux is not in PATH.')
}

const pollMs = 500

/** The session gets a temporary name, because the id of the run is not known until it starts. */
export async function startInTmux(
  context: AppContext,
  argv: readonly string[],
): Promise<{ name: string; gone: Promise<void> }> {
  const name = `looper-${randomBytes(4).toString('hex')}`
  // The folder is not passed: tmux would take a `;` at its end as the end of the command. A new session starts in the
  // folder of its client.
  const { exitCode, stderr } = await tmux(context, 'new-session', '-d', '-s', name, '--', ...argv)
  if (exitCode !== 0)
    throw new LooperError('ENVIRONMENT_DETACH', `tmux could not start a session: ${stderr.trim().slice(0, 300)}`, {
      hint: 'Use --detach instead, or fix tmux.',
    })
  return { name, gone: ended(context, name) }
}

async function ended(context: AppContext, name: string): Promise<void> {
  do await sleep(pollMs, null, { ref: false })
  while ((await tmux(context, 'has-session', '-t', `=${name}`)).exitCode === 0)
}

/** Returns the final name: when another session has the wanted name, the old one is kept. */
export async function nameTmux(context: AppContext, name: string, wanted: string): Promise<string> {
  return (await tmux(context, 'rename-session', '-t', `=${name}`, wanted)).exitCode === 0 ? wanted : name
}
