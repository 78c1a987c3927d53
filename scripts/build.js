/** Builds dist/. Silent unless something is wrong. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'rolldown'
import config from '../rolldown.config.js'
import { compile } from './compile.js'

// One after the other: the first empties the folder.
for (const part of config) await build(part)

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
compile(dist)

// Describing every command takes loading every command: shells, which ask with each tab, read what is written here.
writeFileSync(
  join(dist, 'completion.json'),
  execFileSync(process.execPath, [join(root, 'bin', 'looper.js'), '__complete', '--table']),
)
