/** Types of json-script.js for the TypeScript side. */
import type { Script } from './script.js'

export function readJsonScript(source: string): Script | null
