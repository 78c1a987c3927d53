/**
 * Runs the user's hooks one after another, each with a time limit. A failing hook is reported and never stops the run.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../model/error.ts'
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { writePlainFile } from '../../platform/plain-file.ts'
import { runProcess } from '../../platform/run-process.ts'
import { noticeOf, type HookName, type Notice } from '../../views/live/notice.ts'
import { plain } from '../../views/text/plain-text.ts'

export interface HookOptions {
  /** The folder in which hooks run. */
  root: string
  /** The folder of the run. */
  dir: string
  commands: Record<HookName, readonly string[]>
  timeoutMs: number
  env: NodeJS.ProcessEnv
  mask: (text: string) => string
  /** Also called for every notice. */
  onNotice(notice: Notice): void
  onTrouble(message: string): void
}

export interface Hooks {
  record(event: Event, state: RunState): void
  /** Resolves when all pending hooks have finished. */
  idle(): Promise<void>
}

const keepBytes = 4_000

export function createHooks(options: HookOptions): Hooks {
  const { dir, commands, onTrouble } = options
  const messageFile = join(dir, 'last-message.txt')
  let last: Promise<void> = Promise.resolve()

  const call = async (command: string, notice: Notice, args: readonly string[], run: string): Promise<void> => {
    const { hook, title, text } = notice
    const { exitCode, timedOut, stdout, stderr } = await runProcess({
      // The command line is the user's own. Text from agents is passed as arguments, which the shell does not
      // interpret.
      argv: ['/bin/sh', '-c', `${command} "$@"`, 'looper', ...args],
      cwd: options.root,
      timeoutMs: options.timeoutMs,
      keepBytes,
      env: { ...options.env, LOOPER_INSIDE: '1', LOOPER_HOOK_NAME: hook, LOOPER_RUN: run },
      input: `${JSON.stringify({ hook, args: notice.args, title, text })}\n`,
    })
    const said = options.mask(`${stdout}${stderr}`)
    const ended = timedOut ? 'timed out' : `exit ${exitCode ?? 'signal'}`
    log(dir, `${hook} ${command} ${JSON.stringify(args)} → ${ended}\n${said}`)
    const name = `the hook ${hook} ${JSON.stringify(command)}`
    const words = said.trim() === '' ? '' : `: ${plain(said, 200)}`
    if (timedOut) onTrouble(`${name} took longer than ${Math.round(options.timeoutMs / 1000)} s and was ended`)
    else if (exitCode !== 0) onTrouble(`${name} failed (exit ${exitCode ?? 'by a signal'})${words}`)
  }

  return {
    record(event, state) {
      const notice = noticeOf(event, state)
      if (notice === null) return
      options.onNotice(notice)
      const list = commands[notice.hook]
      if (list.length === 0) return
      const { run } = state
      last = last
        .then(async () => {
          if (notice.hook === 'postIteration') writePlainFile(messageFile, `${options.mask(notice.message)}\n`)
          const [subject = '', status = '', label = ''] = notice.args
          const args = notice.hook === 'postIteration' ? [subject, status, messageFile, label] : notice.args
          for (const command of list)
            await call(
              command,
              notice,
              args.map((each) => options.mask(each)),
              run,
            )
        })
        .catch((error: unknown) => onTrouble(`a hook could not be called: ${messageOf(error)}`))
    },
    idle: () => last,
  }
}

function log(dir: string, text: string): void {
  try {
    appendFileSync(join(dir, 'hooks.log'), `${new Date().toISOString()} ${text.trimEnd()}\n`, { mode: 0o600 })
  } catch {
    // A log file that cannot be written must never stop the run.
  }
}
