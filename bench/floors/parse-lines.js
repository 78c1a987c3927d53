/**
 * The floor of reading a journal or a stream: JSON.parse of its lines, which are in memory already. Prints
 * milliseconds.
 */
import { readFileSync } from 'node:fs'

const lines = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n')
const begun = performance.now()
let bytes = 0
for (const line of lines) {
  JSON.parse(line)
  bytes += line.length
}
console.log(JSON.stringify({ ms: performance.now() - begun, lines: lines.length, bytes }))
