/** Takes stamps of a git directory: settings, hooks, ignore rules, stash and index. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parseIndex, type IndexContent } from './git-index.ts'
import { bytesAt, entriesOf, stampEntries, stampInto, stampOf, textAt, type Stamps } from './stamps.ts'

const none = (): boolean => false
/** The stamps are written to a file and settings may contain secrets, so only digests are stored. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export function stampGit(stamps: Stamps, gitDir: string, commonDir: string): void {
  // Compare the content, because git rewrites these files without changes, for example when it deletes a branch without
  // settings.
  for (const path of [join(gitDir, 'HEAD'), join(gitDir, 'config.worktree'), join(commonDir, 'config')]) {
    const found = textAt(path) ?? stampOf(path)
    if (found !== null) stamps.set(path, digestOf(found))
  }
  for (const name of ['shallow', 'objects/info/alternates', 'logs/refs/stash']) stampInto(stamps, join(commonDir, name))
  for (const name of ['hooks', 'info', 'worktrees']) stampEntries(stamps, join(commonDir, name), none)
  for (const { name } of entriesOf(join(commonDir, 'modules'))) {
    stampInto(stamps, join(commonDir, 'modules', name, 'config'))
    stampEntries(stamps, join(commonDir, 'modules', name, 'hooks'), none)
  }
}

export interface IndexReader {
  digest(): string
  paths(): string[]
}

/** Reads the index again only when its file has changed. */
export function createIndexReader(gitDir: string, commonDir: string): IndexReader {
  const file = join(gitDir, 'index')
  let stamp: string | null | undefined
  let digest = ''
  const read = (): IndexContent | null => {
    const isLong = /^\s*objectformat\s*=\s*sha256\s*$/im.test(textAt(join(commonDir, 'config')) ?? '')
    return parseIndex(bytesAt(file) ?? Buffer.alloc(0), isLong ? 32 : 20)
  }
  return {
    digest() {
      const now = stampOf(file)
      if (now !== stamp) digest = read()?.digest ?? `unreadable ${now}`
      stamp = now
      return digest
    },
    paths: () => read()?.paths ?? [],
  }
}
