/** `.looper/runs/last`: a link to the newest run, for people and scripts. */
import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Replaces the link atomically. Calls `newest` again afterwards, until the link is right: several runs can start at
 * once. Null removes the link. A file system without links gets none: nothing depends on it.
 */
export async function pointLast(runs: string, newest: () => Promise<string | null>): Promise<void> {
  const link = join(runs, 'last')
  const fresh = join(runs, `.last-${process.pid}-${Math.random().toString(36).slice(2, 10)}`)
  try {
    for (
      let wanted = await newest(), set: string | null | undefined;
      wanted !== set;
      set = wanted, wanted = await newest()
    ) {
      if (wanted === null) {
        await rm(link, { force: true })
        continue
      }
      await symlink(wanted, fresh)
      await rename(fresh, link)
    }
  } catch {
    await rm(fresh, { force: true }).catch(() => {})
  }
}
