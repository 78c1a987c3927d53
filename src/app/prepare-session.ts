/** Resumes the newest run of a session. */
import { LooperError } from '../model/error.ts'
import type { PreparedRun, ResumeOptions } from '../api/runs.ts'
import { findRepository } from '../workspace/repository.ts'
import type { Context } from './context.ts'
import { findSession } from './find-session.ts'
import { prepareResume } from './prepare-resume.ts'
import { checkSessionName } from './sessions.ts'

export async function prepareSession(context: Context, session: string, options: ResumeOptions): Promise<PreparedRun> {
  checkSessionName(session)
  const { root } = await findRepository(context.cwd)
  const found = await findSession(root, session)
  if (!found)
    throw new LooperError('USAGE_NO_RUN', `There is no session "${session}" yet.`, {
      hint: 'Start it without --resume.',
    })
  return prepareResume(context, found.id, options)
}
