/** Finds the run that an order without a run name means: the live run, else the newest. */
import { LooperError } from '../../model/error.ts'
import { findRunId } from './find-run.ts'
import { readState } from './read-run.ts'
import { runsOf } from './runs.ts'

/** Throws USAGE_NO_RUN when several runs are live. */
export async function findLiveRunId(root: string, name: string | null): Promise<string> {
  if (name !== null) return findRunId(root, name)
  const live = await liveRunIds(root)
  if (live.length <= 1) return live[0] ?? findRunId(root, null)
  const named = live.slice(-5).join(', ')
  throw new LooperError('USAGE_NO_RUN', `${live.length} runs are under way: ${named}.`, {
    hint: 'Name one of them; its number is enough.',
  })
}

/** Checks the status too: a process that sends an order to a resting run also holds its lock for a moment. */
async function liveRunIds(root: string): Promise<string[]> {
  const runs = runsOf(root)
  const ids = await runs.list()
  const live = await Promise.all(
    ids.map(async (id) => {
      const run = runs.open(id)
      return (await run.lock.isHeld()) && (await readState(run).catch(() => null))?.status === 'running'
    }),
  )
  return ids.filter((_, index) => live[index])
}
