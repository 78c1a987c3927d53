/** Sends notifications about a run: to the user's hooks, the desktop and a webhook. */
import type { Config } from '../../model/config.ts'
import { createHooks, type Hooks } from './hooks.ts'
import { createNotifier } from './notify.ts'

export interface NotificationOptions {
  root: string
  /** The folder of the run. */
  dir: string
  hooks: Config['hooks']
  notify: Config['notify']
  env: NodeJS.ProcessEnv
  mask: (text: string) => string
  onTrouble(message: string): void
}

export function createNotifications({ root, dir, hooks, notify, env, mask, onTrouble }: NotificationOptions): Hooks {
  let run = ''
  const ring = (): void => void process.stderr.write('\u0007')
  const notifier = createNotifier({ ...notify, env, platform: process.platform, ring, onTrouble })
  const { postIteration, onQuestion, onLimit, onEnd, timeoutSeconds } = hooks
  const called = createHooks({
    root,
    dir,
    commands: { postIteration, onQuestion, onLimit, onEnd },
    timeoutMs: timeoutSeconds * 1000,
    env,
    mask,
    onTrouble,
    onNotice: (notice) => notifier.notify(notice, run),
  })
  return {
    record(event, state) {
      run = state.run
      called.record(event, state)
    },
    async idle() {
      await called.idle()
      await notifier.idle()
    },
  }
}
