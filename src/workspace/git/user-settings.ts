/** Reads two things from the user's git configuration: their identity and their global ignore rules. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { readIfExists } from '../../platform/files.ts'
import { gitError, tryGit } from './git.ts'

export interface UserSettings {
  /** Variables for `commit-tree`, only for values that the user has not configured. */
  identity: Record<string, string>
  ignoreRules: string
}

const wanted = String.raw`^(user|author|committer)\.(name|email)$|^core\.excludesfile$`

export async function readUserSettings(root: string, mark?: string): Promise<UserSettings> {
  const args = ['config', '-z', '--get-regexp', wanted]
  const result = await tryGit(args, { cwd: root, mark })
  if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, result)
  const configured = new Map(
    result.stdout.split('\0').map((entry): [string, string] => {
      const [key = '', ...value] = entry.split('\n')
      return [key, value.join('\n')]
    }),
  )
  const ignoreFile = ignoreFileOf(root, configured.get('core.excludesfile'))
  return { identity: identityOf(configured), ignoreRules: (await readIfExists(ignoreFile))?.toString('utf8') ?? '' }
}

/** Reads on first use, and again only after a failure. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  return () =>
    (answer ??= read().catch((error: unknown) => {
      answer = null
      throw error
    }))
}

export function identityOf(configured: ReadonlyMap<string, string>): Record<string, string> {
  const identity: Record<string, string> = {}
  for (const who of ['author', 'committer']) {
    const variable = `GIT_${who.toUpperCase()}`
    const known = (what: string): string | undefined =>
      configured.get(`${who}.${what}`) || configured.get(`user.${what}`)
    if (!process.env[`${variable}_NAME`] && !known('name')) identity[`${variable}_NAME`] = 'Looper'
    if (!process.env[`${variable}_EMAIL`] && !known('email') && !process.env['EMAIL'])
      identity[`${variable}_EMAIL`] = 'looper@localhost'
  }
  return identity
}

export function ignoreFileOf(root: string, configured: string | undefined): string {
  const home = process.env['HOME'] || homedir()
  if (configured) return configured.startsWith('~/') ? join(home, configured.slice(2)) : resolve(root, configured)
  return join(process.env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', 'ignore')
}
