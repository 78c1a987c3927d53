/** Watches a running turn until its outcome. */
import { messageOf } from '../model/error.ts'
import type { WorkStatus } from '../model/ports/site.ts'
import { finishTurn } from './finish-turn.ts'
import type { OpenJob } from './job.ts'
import type { Supervision } from './supervise.ts'
import { boundTurn, type RunningTurn, type Turn } from './turn.ts'

/** Watches the turn until its outcome and settles its job. */
export function watchTurn(turn: RunningTurn, job: OpenJob): Supervision {
  const { parser } = turn
  const supervision = boundTurn(turn, { progress: hintOnUsage(turn) })
  job.attach({
    usage: () => parser.usage(),
    stop: (how) => supervision.stop('cancelled', how),
    close() {
      supervision.close()
      turn.output.close()
      turn.disk.close()
    },
  })
  const failed = (error: unknown): WorkStatus => ({ state: 'lost', why: messageOf(error) })
  void supervision.over
    .then((ended) => finishTurn(turn, ended))
    .catch(failed)
    .then((state) => job.settle(state))
  return supervision
}

function hintOnUsage({ parser, setting }: Turn): () => void {
  let last = parser.usage()
  let hintedAt = -Infinity
  return () => {
    if (parser.usage() === last || performance.now() - hintedAt < setting.timings.hintMs) return
    last = parser.usage()
    hintedAt = performance.now()
    setting.hint()
  }
}
