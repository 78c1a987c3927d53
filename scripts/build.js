/** Builds dist/. Silent unless something is wrong. */
import { build } from 'rolldown'
import config from '../rolldown.config.js'

// One after the other: the first empties the folder.
for (const part of config) await build(part)
