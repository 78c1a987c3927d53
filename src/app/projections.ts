/** Keeps plan.md, progress.md and report.md in step with the journal. They are folds of it: losing one loses nothing. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunState } from '../model/state.ts'
import { planMd } from '../views/plan-md.ts'
import { progressMd } from '../views/progress-md.ts'
import { reportMd } from '../views/report-md.ts'

const refreshMs = 2_000

export interface Projections {
  /** Something happened: the files follow within two seconds. */
  touch(): void
  /** Writes everything now, the report included, as far as the disk lets it. */
  write(state: RunState): Promise<void>
  stop(): void
}

export function createProjections(dir: string, state: RunState): Projections {
  let timer: NodeJS.Timeout | null = null
  /** A file for people must never stop the run it tells about, nor change how it ends. */
  const put = (name: string, text: string): Promise<void> => writeFile(join(dir, name), text).catch(() => {})
  const running = async (told: RunState): Promise<void> => {
    await put('plan.md', planMd(told))
    await put('progress.md', progressMd(told))
  }
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    touch() {
      timer ??= setTimeout(() => {
        timer = null
        void running(state).catch(() => {})
      }, refreshMs)
    },
    async write(final) {
      stop()
      await running(final)
      await put('report.md', reportMd(final))
    },
    stop,
  }
}
