/** The environment variables of every agent that speaks the command protocol. */
import type { TurnWork } from '../../model/work.ts'
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
  ...(work.session === undefined ? {} : { LOOPER_AGENT_SESSION: work.session.id }),
  ...(work.model === null ? {} : { LOOPER_MODEL: work.model }),
  ...(work.within === undefined ? {} : sessionVariables(work.within)),
})

/** The later ones are for agents and hooks that were written for other loop tools. */
const sessionVariables = ({ session, stage, type }: NonNullable<TurnWork['within']>): Record<string, string> => ({
  LOOPER_SESSION: session,
  LOOPER_STAGE: stage,
  CLAUDE_LOOP_AGENT: '1',
  CLAUDE_LOOP_SESSION: session,
  CLAUDE_LOOP_TYPE: type,
})
