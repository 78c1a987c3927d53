/** `looper replay`: decides a recorded run again with the current code. Calls no model and writes nothing. */
import { LooperError } from '../../model/error.ts'
import { recordedObjects } from '../../replay/recorded-objects.ts'
import { replay } from '../../replay/replay.ts'
import type { ReplayReport } from '../../views/history/replay-text.ts'
import { missingObjects } from '../../workspace/git/missing-objects.ts'
import { runOf } from '../runs/runs.ts'

export async function replayRun(root: string, id: string, options: { files: boolean }): Promise<ReplayReport> {
  const events = await runOf(root, id).journal.events()
  if (events.length === 0) throw new LooperError('USAGE_RUN_STATE', `${id} never started: there is nothing to replay.`)
  const replayed = replay(events)
  if (!options.files) return { run: id, ...replayed, files: null }
  const recorded = recordedObjects(events)
  const gone = new Set(
    await missingObjects(
      root,
      recorded.map((object) => object.id),
    ),
  )
  return {
    run: id,
    ...replayed,
    files: { recorded: recorded.length, gone: recorded.filter((object) => gone.has(object.id)) },
  }
}
