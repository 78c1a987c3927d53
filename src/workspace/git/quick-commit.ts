/**
 * Writes commits and tags as loose objects, byte for byte as git does. Null means an unusual case that git must handle.
 */
import type { LooseObjects } from './loose-objects.ts'

export interface NewCommit {
  tree: string
  parents: readonly string[]
  message: string
}

/** Author and committer of a commit as git would write them: `Name <address>`. */
export interface Signatures {
  author: string
  committer: string
}

type Variables = Readonly<Record<string, string | undefined>>

/** Git strips these characters from both ends of a name, so names that start or end with one are left to git. */
const isPlain = /^[^\s.,:;<>"\\'](?:[^<>\n\0]*[^\s.,:;<>"\\'])?$/

/** `env` is the environment that git would get, and `configured` its configuration. */
export function signaturesOf(env: Variables, configured: ReadonlyMap<string, string>): Signatures | null {
  if (env['GIT_AUTHOR_DATE'] || env['GIT_COMMITTER_DATE']) return null
  const of = (who: 'author' | 'committer'): string | null => {
    const known = (what: string): string | undefined =>
      configured.get(`${who}.${what}`) || configured.get(`user.${what}`)
    const variable = `GIT_${who.toUpperCase()}`
    const name = env[`${variable}_NAME`] || known('name') || ''
    const address = env[`${variable}_EMAIL`] || known('email') || env['EMAIL'] || ''
    return isPlain.test(name) && isPlain.test(address) ? `${name} <${address}>` : null
  }
  const [author, committer] = [of('author'), of('committer')]
  return author === null || committer === null ? null : { author, committer }
}

/** Null when the tree is not a loose object: only git can check whether it exists elsewhere. */
export function writeCommit(
  { tree, parents, message }: NewCommit,
  objects: LooseObjects,
  { author, committer }: Signatures,
  now: Date,
): string | null {
  if (!objects.has(tree) || message.includes('\0')) return null
  const time = `${Math.floor(now.getTime() / 1000)} ${zoneOf(now)}`
  const lines = [
    `tree ${tree}`,
    ...new Set(parents.map((parent) => `parent ${parent}`)),
    `author ${author} ${time}`,
    `committer ${committer} ${time}`,
    '',
    message,
  ]
  return objects.write('commit', lines.join('\n'), tree)
}

/** The tag gets the time of its commit. */
export function writeTag(commit: string, name: string, text: string, objects: LooseObjects): string | null {
  const made = objects.read('commit', commit, 64 * 1024)?.toString() ?? ''
  const [, seconds] = /^committer .* (\d+) [+-]\d{4}$/m.exec(made) ?? []
  if (seconds === undefined) return null
  const tagger = `Looper <looper@localhost> ${seconds} +0000`
  const lines = [`object ${commit}`, 'type commit', `tag ${name}`, `tagger ${tagger}`, text]
  return objects.write('tag', lines.join('\n'), commit)
}

function zoneOf(now: Date): string {
  const minutes = -now.getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${String(rest).padStart(2, '0')}`
}
