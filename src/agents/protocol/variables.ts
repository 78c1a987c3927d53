/** The variables every agent that speaks the command protocol finds in its environment. */
import type { PlanRequest } from '../adapter.ts'

export const protocolVariables = ({ run, work, resultFile, schemaFile }: PlanRequest): Record<string, string> => ({
  LOOPER_RUN: run,
  LOOPER_TASK: work.task ?? '',
  LOOPER_ROLE: work.role,
  LOOPER_PURPOSE: work.purpose,
  LOOPER_TURN: work.id,
  LOOPER_ATTEMPT: String(work.attempt),
  LOOPER_RESULT_FILE: resultFile,
  LOOPER_RESULT_SCHEMA: schemaFile,
  LOOPER_INSIDE: '1',
  ...(work.session === undefined ? {} : { LOOPER_SESSION: work.session.id }),
  ...(work.model === null ? {} : { LOOPER_MODEL: work.model }),
})
