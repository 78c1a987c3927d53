/**
 * Sends notifications to the desktop, the terminal bell and a webhook. A failure is reported and never stops the run.
 */
import { messageOf } from '../../model/error.ts'
import { runProcess, type ProcessResult } from '../../platform/run-process.ts'
import type { HookName, Notice } from '../../views/live/notice.ts'

export interface NotifyOptions {
  desktop: boolean
  bell: boolean
  webhook: string | null
  on: readonly ('question' | 'limit' | 'end')[]
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  ring(): void
  onTrouble(message: string): void
}

export interface Notifier {
  notify(notice: Notice, run: string): void
  idle(): Promise<void>
}

const timeoutMs = 10_000
const occasions: Partial<Record<HookName, 'question' | 'limit' | 'end'>> = {
  onQuestion: 'question',
  onLimit: 'limit',
  onEnd: 'end',
}

export function createNotifier(options: NotifyOptions): Notifier {
  const { desktop, bell, webhook, on, onTrouble } = options
  let last: Promise<void> = Promise.resolve()
  const later = (what: string, act: () => Promise<string | null>): void => {
    last = last
      .then(act)
      .then((problem) => {
        if (problem !== null) onTrouble(`${what}: ${problem}`)
      })
      .catch((error: unknown) => onTrouble(`${what}: ${messageOf(error)}`))
  }
  return {
    notify(notice, run) {
      const occasion = occasions[notice.hook]
      if (occasion === undefined || !on.includes(occasion)) return
      if (bell) options.ring()
      if (desktop) later('the desktop could not be notified', () => show(notice, options))
      const { title, text } = notice
      if (webhook !== null)
        later('the webhook could not be called', () => post(webhook, { run, occasion, title, text }))
    },
    idle: () => last,
  }
}

/** Text is passed as arguments and never as part of the script. */
async function show({ title, text }: Notice, { platform, env }: NotifyOptions): Promise<string | null> {
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run'
  const argv: [string, ...string[]] =
    platform === 'darwin'
      ? ['osascript', '-e', script, title, text]
      : ['notify-send', '--app-name=looper', '--', title, text]
  return problemOf(await runProcess({ argv, cwd: '/', env, timeoutMs, keepBytes: 1_000 }), argv[0])
}

function problemOf({ started, exitCode, stderr }: ProcessResult, program: string): string | null {
  if (!started) return `there is no program ${program}`
  return exitCode === 0 ? null : `${program}: ${stderr.trim().split('\n').at(-1) ?? ''}`
}

async function post(url: string, body: object): Promise<string | null> {
  const { ok, status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return ok ? null : `it answered ${status}`
}
