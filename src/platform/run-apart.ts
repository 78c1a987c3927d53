/** Runs a check or a set-up command with folders of its own, so that no run of it finds what another one left. */
import { keyOf } from './mark.ts'
import { makePrivateFolders } from './private-folders.ts'
import { runProcess, type ProcessRequest, type ProcessResult } from './run-process.ts'

export interface ApartRequest extends ProcessRequest {
  env: NodeJS.ProcessEnv
  /** Whether it gets a home folder of its own, in a sandbox as well: tests write there and would be red otherwise. */
  ownHome: boolean
  /** Variables that a person set for it. */
  kept?: readonly string[]
}

/** As `runProcess`. Rejects as well where the folders cannot be made. */
export async function runApart({ ownHome, kept, ...request }: ApartRequest): Promise<ProcessResult> {
  const { mark, env } = request
  const key = mark === undefined ? String(process.pid) : keyOf(mark)
  const folders = makePrivateFolders({ key, env, home: ownHome, ...(kept ? { kept } : {}) })
  try {
    const { tmp, writable } = folders
    return await runProcess({ ...request, env: { ...env, ...folders.env }, tmp, writable })
  } finally {
    await folders.remove()
  }
}
