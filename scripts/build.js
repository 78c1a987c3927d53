/** Builds dist/. Silent unless something is wrong. */
import { build } from 'rolldown'
import config from '../rolldown.config.js'

await build(config)
