/** Plays a run of many tasks through the core, the way the engine does, and says how long that took. */
import { playAll } from './play-all.ts'

const [, , tasks = ''] = process.argv
const begun = performance.now()
const { seq } = playAll(Number(tasks))
console.log(JSON.stringify({ ms: performance.now() - begun, events: seq }))
