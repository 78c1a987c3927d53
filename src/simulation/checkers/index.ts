/** All laws of the orchestrator, each with its checker. */
import type { Checker } from '../checker.ts'
import { turnsBackFacts } from './backed.ts'
import { baselineFailsNoAttempt, flakyFailsNoAttempt } from './blame.ts'
import { budget } from './budget.ts'
import { caps } from './caps.ts'
import { commands, limitsOrdered } from './commands.ts'
import { completion, convergence, endings, progress, runningTime } from './endings.ts'
import { evidence } from './evidence.ts'
import { duplicates, indexes, order, prefixes, replay } from './journal.ts'
import { landedStays, rollbackToGreen } from './landed.ts'
import { loops } from './loops.ts'
import { recoveriesBounded, undone } from './recoveries.ts'
import { claims, selection } from './selection.ts'
import { sharedCausesBounded } from './shared-causes.ts'
import { dependencies, slots } from './slots.ts'
import { handEdits, mirrored } from './sources.ts'
import { overlap, proof, race, tamper } from './together.ts'
import { gateRunsItself, landedIsVerified } from './verified.ts'
import { landing, processes, startingPoint, writeAhead } from './world.ts'

export const checkers: readonly Checker[] = [
  replay,
  order,
  prefixes,
  duplicates,
  indexes,
  dependencies,
  slots,
  caps,
  budget,
  endings,
  completion,
  convergence,
  progress,
  runningTime,
  writeAhead,
  evidence,
  landedIsVerified,
  gateRunsItself,
  turnsBackFacts,
  landing,
  processes,
  startingPoint,
  commands,
  limitsOrdered,
  claims,
  selection,
  handEdits,
  mirrored,
  loops,
  landedStays,
  rollbackToGreen,
  recoveriesBounded,
  undone,
  flakyFailsNoAttempt,
  baselineFailsNoAttempt,
  tamper,
  proof,
  race,
  overlap,
  sharedCausesBounded,
]
