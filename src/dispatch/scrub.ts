/** Takes the values of secrets out of the files a turn leaves behind. */
import { closeSync, lstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { openPlainFile } from '../platform/plain-file.ts'
import type { Secret } from '../agents/mask.ts'

const blockBytes = 1024 * 1024

/** Rewrites each file only when it holds a secret, by rename, so that whoever still has it open writes to nowhere. */
export function scrubFiles(paths: readonly string[], secrets: readonly Secret[]): void {
  if (secrets.length === 0) return
  // Bytes as latin1 text: every byte is one character, so nothing but the secrets can change.
  const names = new Map(secrets.map(({ name, value }) => [Buffer.from(value).toString('latin1'), `[${name}]`]))
  const longest = Math.max(...[...names.keys()].map((value) => value.length))
  const pattern = new RegExp([...names.keys()].map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g')
  for (const path of paths) {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue
    const copy = `${path}.scrubbed`
    try {
      if (!transform(path, null, pattern, names, longest)) continue
      transform(path, copy, pattern, names, longest)
      renameSync(copy, path)
    } catch {
      // A full disk, a hostile name: better no file than one that tells.
      for (const each of [copy, path]) rmSync(each, { recursive: true, force: true })
    }
  }
}

/** Copies `from` to `to` with the secrets replaced; without `to` only looks. Returns whether there was any. */
function transform(from: string, to: string | null, pattern: RegExp, names: Map<string, string>, longest: number): boolean {
  if (to !== null) rmSync(to, { force: true })
  const input = openPlainFile(from, 'read')
  const output = to === null ? null : openSync(to, 'wx', 0o600)
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let carry = ''
  let found = false
  try {
    for (;;) {
      const count = readSync(input, block, 0, block.length, null)
      const text = carry + block.toString('latin1', 0, count)
      // A match that begins in the last bytes may go on in the next block, or be a longer one: it has to wait.
      const settled = count === 0 ? text.length : Math.max(0, text.length - longest + 1)
      let done = 0
      let clean = ''
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match !== null && match.index < settled; match = pattern.exec(text)) {
        clean += text.slice(done, match.index) + (names.get(match[0]) ?? '')
        done = pattern.lastIndex
        found = true
        if (output === null) return true
      }
      const upTo = Math.max(done, settled)
      if (output !== null) writeFileSync(output, clean + text.slice(done, upTo), 'latin1')
      carry = text.slice(upTo)
      if (count === 0) return found
    }
  } finally {
    closeSync(input)
    if (output !== null) closeSync(output)
  }
}
