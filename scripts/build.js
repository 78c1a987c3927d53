/** Builds dist/. Silent unless something is wrong. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'rolldown'
import config from '../rolldown.config.js'

// One after the other: the first empties the folder.
for (const part of config) await build(part)

// Describing every command takes loading every command: shells, which ask with each tab, read what is written here.
const root = resolve(import.meta.dirname, '..')
writeFileSync(join(root, 'dist', 'completion.json'), execFileSync(process.execPath, [join(root, 'bin', 'looper.js'), '__complete', '--table']))
