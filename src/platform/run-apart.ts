/** Runs a check or a set-up command with folders of its own, so that no run of it finds what another one left. */
import { keyOf } from './mark.ts'
import { makePrivateFolders } from './private-folders.ts'
import { runProcess, type ProcessRequest, type ProcessResult } from './run-process.ts'

export interface ApartRequest extends ProcessRequest {
  env: NodeJS.ProcessEnv
  /** Whether it gets a home folder of its own. In a sandbox the user's is read-only instead. */
  ownHome: boolean
  /** Variables that a person set for it. */
  kept?: readonly string[]
}

/** As `runProcess`. Rejects as well where the folders cannot be made. */
export async function runApart({ ownHome, kept, ...request }: ApartRequest): Promise<ProcessResult> {
  const { sandbox, mark, env } = request
  if (sandbox?.hasOwnTmp) return runProcess(request)
  const key = mark === undefined ? String(process.pid) : keyOf(mark)
  const folders = makePrivateFolders({ key, env, home: ownHome && !sandbox, ...(kept ? { kept } : {}) })
  try {
    return await runProcess({ ...request, env: { ...env, ...folders.env }, tmp: folders.tmp })
  } finally {
    await folders.remove()
  }
}
