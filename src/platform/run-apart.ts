/** Runs a check or a set-up command with folders of its own, so that no run of it finds what another one left. */
import { trackStarted } from './end-started.ts'
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

/**
 * As `runProcess`. Rejects as well where the folders cannot be made. Processes with the mark have ended when this
 * resolves or rejects; the folders are removed after them, because a process that still runs could make them again.
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
