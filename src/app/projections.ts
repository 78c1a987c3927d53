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
  /** Writes everything now, the report included. */
  write(state: RunState): Promise<void>
  stop(): void
}

export function createProjections(dir: string, state: RunState): Projections {
  let timer: NodeJS.Timeout | null = null
  const running = async (): Promise<void> => {
    await writeFile(join(dir, 'plan.md'), planMd(state))
    await writeFile(join(dir, 'progress.md'), progressMd(state))
  }
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    touch() {
      timer ??= setTimeout(() => {
        timer = null
        // A file for people must never stop the run it tells about.
        void running().catch(() => {})
      }, refreshMs)
    },
    async write(final) {
      stop()
      await writeFile(join(dir, 'plan.md'), planMd(final))
      await writeFile(join(dir, 'progress.md'), progressMd(final))
      await writeFile(join(dir, 'report.md'), reportMd(final))
    },
    stop,
  }
}
