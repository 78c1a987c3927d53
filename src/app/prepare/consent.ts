/**
 * The user's consent to what agents may do in a repository. It lies in the user's state folder and not in the
 * repository, so that a cloned repository cannot bring one.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { RunConfig } from '../../model/config.ts'
import { writeAtomic } from '../../platform/files.ts'
import { realPath } from '../../platform/real-path.ts'
import type { Consent } from '../../api/runs.ts'
import type { AppContext } from '../context.ts'

/** What agents may do beyond the least: edit a workspace of their own in a sandbox. */
interface Rights {
  sandbox: 'off' | 'os'
  mode: 'worktree' | 'in-place'
  /** Paths outside the workspace that the sandbox lets them write. */
  allow: string[]
}

type UserHome = Pick<AppContext, 'env' | 'home'>

const rightsOf = ({ sandbox = 'off', workspace, agents, sandboxAllow = [] }: RunConfig): Rights => ({
  sandbox: sandbox ?? 'off',
  mode: workspace.mode,
  allow: [...new Set([...sandboxAllow, ...Object.values(agents).flatMap((agent) => agent.sandboxAllow ?? [])])],
})

/** Null when the user has agreed to all of it in this repository. */
export async function consentFor(user: UserHome, root: string, config: RunConfig): Promise<Consent | null> {
  const file = consentFile(user, root)
  const [known, wanted] = [await readRights(file), rightsOf(config)]
  const added = known === null ? [] : widerRights(known, wanted)
  if (known !== null && added.length === 0) return null
  return {
    why: known === null ? 'first' : 'wider',
    added,
    async agree() {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await writeAtomic(file, `${JSON.stringify({ repository: root, ...wanted }, null, 2)}\n`)
    },
  }
}

/** What `wanted` allows and `known` does not, in words. */
function widerRights(known: Rights, wanted: Rights): string[] {
  const isOpen = wanted.sandbox === 'off'
  const paths = isOpen ? [] : wanted.allow.filter((path) => !known.allow.includes(path))
  return [
    ...(isOpen && known.sandbox === 'os' ? ['agents run without a sandbox'] : []),
    ...(wanted.mode === 'in-place' && known.mode === 'worktree' ? ['agents edit your checkout'] : []),
    ...(known.sandbox === 'os' && paths.length > 0 ? [`agents may write to ${paths.join(', ')}`] : []),
  ]
}

function consentFile({ env, home }: UserHome, root: string): string {
  const state = env['XDG_STATE_HOME'] ?? ''
  const folder = isAbsolute(state) ? state : join(home, '.local', 'state')
  const key = createHash('sha256').update(realPath(root)).digest('hex').slice(0, 16)
  return join(folder, 'looper', 'consent', `${key}.json`)
}

/** A file that is missing or cannot be understood means that the user is asked. */
async function readRights(file: string): Promise<Rights | null> {
  try {
    const { sandbox, mode, allow } = JSON.parse(await readFile(file, 'utf8')) as Partial<Record<string, unknown>>
    if ((sandbox !== 'os' && sandbox !== 'off') || (mode !== 'worktree' && mode !== 'in-place')) return null
    return { sandbox, mode, allow: Array.isArray(allow) ? allow.filter((path) => typeof path === 'string') : [] }
  } catch {
    return null
  }
}
