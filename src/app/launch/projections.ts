/**
 * Keeps plan.md, progress.md and report.md up to date with the journal. They are folds of it, so a lost file loses
 * nothing.
 */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { RunState } from '../../model/state.ts'
import { writePlainFile } from '../../platform/plain-file.ts'
import { planMd } from '../../views/report/plan-md.ts'
import { progressMd } from '../../views/report/progress-md.ts'
import { reportMd } from '../../views/report/report-md.ts'

const refreshMs = 2_000

export interface Projections {
  /** Updates the files within two seconds. */
  touch(): void
  /** Writes all files now, including the report. Ignores errors of the disk. */
  write(state: RunState): void
  stop(): void
}

export function createProjections(dir: string, state: RunState): Projections {
  let timer: NodeJS.Timeout | null = null
  /** A file that cannot be written must never stop the run or change how it ends. */
  const put = (name: string, text: () => string): void => {
    const path = join(dir, name)
    try {
      writePlainFile(`${path}.new`, text())
      renameSync(`${path}.new`, path)
    } catch {
      // See the comment on `put`.
    }
  }
  const running = (recorded: RunState): void => {
    put('plan.md', () => planMd(recorded))
    put('progress.md', () => progressMd(recorded))
  }
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    touch() {
      timer ??= setTimeout(() => {
        timer = null
        running(state)
      }, refreshMs)
    },
    write(final) {
      stop()
      running(final)
      put('report.md', () => reportMd(final))
    },
    stop,
  }
}
