/** Runs a check or a set-up command with private folders, so that no run sees files that another one left. */
import { trackStarted } from './end-started.ts'
import { keyOf } from './mark.ts'
import { makePrivateFolders } from './private-folders.ts'
import { runProcess, type ProcessRequest, type ProcessResult } from './run-process.ts'

export interface ApartRequest extends ProcessRequest {
  env: NodeJS.ProcessEnv
  /**
   * Whether the command gets a private home folder, also in a sandbox: tests that write to the home folder would fail
   * otherwise.
   */
  ownHome: boolean
  /** Variables that the user set for this command. */
  kept?: readonly string[]
}

/**
 * Like `runProcess`, and also rejects when the folders cannot be created. Processes with the mark have ended when this
 * settles. The folders are removed after that, because a running process could create them again.
 */
export async function runApart({ ownHome, kept, ...request }: ApartRequest): Promise<ProcessResult> {
  const { mark, env, sandbox } = request
  const key = mark === undefined ? String(process.pid) : keyOf(mark)
  const folders = makePrivateFolders({ key, env, home: ownHome, ...(kept ? { kept } : {}) })
  const endStarted = mark === undefined ? null : trackStarted(mark, { isConfined: Boolean(sandbox) })
  try {
    const { tmp, writable } = folders
    return await runProcess({ ...request, env: { ...env, ...folders.env }, tmp, writable })
  } finally {
    await endStarted?.()
    await folders.remove()
  }
}
