/** Builds dist/. Silent unless something is wrong. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { join, resolve } from 'node:path'
import { Script } from 'node:vm'
import { build } from 'rolldown'
import config from '../rolldown.config.js'

// One after the other: the first empties the folder.
for (const part of config) await build(part)

// Compiled code for bin/looper.js. It must be as old as the program, for V8 hardly compares the two. A script with an
// `import()` would need a loader of its own.
const dist = resolve(import.meta.dirname, '..', 'dist')
for (const name of readdirSync(dist).filter((name) => name.endsWith('.cjs'))) {
  const code = readFileSync(join(dist, name), 'utf8')
  if (/\bimport\(/.test(code)) continue
  const script = new Script(Module.wrap(code), { filename: join(dist, name) })
  writeFileSync(join(dist, `${name}.code`), script.createCachedData())
}

// Describing every command takes loading every command: shells, which ask with each tab, read what is written here.
const root = resolve(import.meta.dirname, '..')
writeFileSync(join(root, 'dist', 'completion.json'), execFileSync(process.execPath, [join(root, 'bin', 'looper.js'), '__complete', '--table']))
