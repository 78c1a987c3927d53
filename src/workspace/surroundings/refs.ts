/**
 * Reads the refs of the user's repository from their files. Moving a ref to `packed-refs` does not count as a change.
 */
import { join } from 'node:path'
import { entriesOf, stampOf, textAt } from './stamps.ts'

/** Maps full ref names to a commit or, for a symbolic ref, its target. */
export type Refs = Map<string, string>

interface Known {
  stamp: string
  text: string
}

export interface RefReader {
  /** Excludes refs of Looper's runs. Returns the same object when no file has changed. */
  read(): Refs
}

const packedLine = /^([0-9a-f]{40,64}) (refs\/\S+)$/gm

export function createRefReader(commonDir: string, isOwn: (ref: string) => boolean): RefReader {
  let files = new Map<string, Known>()
  let refs: Refs = new Map()
  const packed = join(commonDir, 'packed-refs')

  /** Loose refs. They take precedence over packed refs. */
  function* names(folder: string): Generator<string> {
    for (const entry of entriesOf(join(commonDir, folder))) {
      const name = `${folder}/${entry.name}`
      if (isOwn(entry.isDirectory() ? `${name}/` : name) || name.endsWith('.lock')) continue
      if (entry.isDirectory()) yield* names(name)
      else yield name
    }
  }

  function readRef(path: string): Known | null {
    const [stamp, known] = [stampOf(path), files.get(path)]
    if (stamp === null) return null
    return known?.stamp === stamp ? known : { stamp, text: textAt(path) ?? '' }
  }

  return {
    read() {
      const found = new Map<string, Known>()
      for (const name of ['packed-refs', ...names('refs')]) {
        const known = readRef(join(commonDir, name))
        if (known) found.set(join(commonDir, name), known)
      }
      const isSame = found.size === files.size && [...found].every(([path, known]) => files.get(path) === known)
      if (isSame) return refs
      files = found
      refs = new Map()
      for (const [, commit = '', ref = ''] of (files.get(packed)?.text ?? '').matchAll(packedLine)) {
        if (!isOwn(ref)) refs.set(ref, commit)
      }
      for (const [path, { text }] of files) {
        if (path !== packed) refs.set(path.slice(commonDir.length + 1), text.trim())
      }
      return refs
    },
  }
}
