/** Builds dist/. Silent unless something is wrong. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { join, resolve } from 'node:path'
import { Script } from 'node:vm'
import { build } from 'rolldown'
import config from '../rolldown.config.js'

// One after the other: the first empties the folder.
for (const part of config) await build(part)

// Compiled code for bin/looper.js, after a digest of it and of the program. A script with an `import()` would need a
// loader of its own.
const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
for (const name of readdirSync(dist).filter((name) => name.endsWith('.cjs'))) {
  const code = readFileSync(join(dist, name), 'utf8')
  if (/\bimport\(/.test(code)) continue
  const script = new Script(Module.wrap(code), { filename: join(dist, name) })
  const data = script.createCachedData()
  writeFileSync(
    join(dist, `${name}.code`),
    Buffer.concat([createHash('sha256').update(code).update(data).digest(), data]),
  )
}

// Describing every command takes loading every command: shells, which ask with each tab, read what is written here.
writeFileSync(
  join(dist, 'completion.json'),
  execFileSync(process.execPath, [join(root, 'bin', 'looper.js'), '__complete', '--table']),
)
