/** Resumes the newest run of a session. */
import { LooperError } from '../../model/error.ts'
import type { PreparedRun, ResumeOptions } from '../../api/runs.ts'
import { findRepository } from '../../workspace/git/repository.ts'
import type { AppContext } from '../context.ts'
import type { Follower } from '../follow/follow.ts'
import { findNamedSession } from '../runs/find-named-session.ts'
import { prepareResume } from './prepare-resume.ts'
import { checkSessionName } from './named-sessions.ts'

export async function prepareNamedSession(
  context: AppContext,
  follower: Follower,
  session: string,
  options: ResumeOptions,
): Promise<PreparedRun> {
  checkSessionName(session)
  const { root } = await findRepository(context.cwd)
  const found = await findNamedSession(root, session)
  if (!found)
    throw new LooperError('USAGE_NO_RUN', `There is no session "${session}" yet.`, {
      hint: 'Start it without --resume.',
    })
  return prepareResume(context, follower, found.id, options)
}
