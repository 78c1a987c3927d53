/** The program that makes a command agent of an agent that speaks ACP: prompt on stdin, events on stdout. */
import { text } from 'node:stream/consumers'
import { instructionVariable, type Instruction } from '../instruction.ts'
import { drive } from './drive.ts'

const pulseMs = 1_000

const { [instructionVariable]: told, ...env } = process.env
if (told === undefined) {
  process.stderr.write(`Started by Looper, with ${instructionVariable} set.\n`)
  process.exit(2)
}

let printedAt = performance.now()
const turn = drive({
  instruction: JSON.parse(told) as Instruction,
  prompt: await text(process.stdin),
  cwd: process.cwd(),
  env,
  print(event) {
    printedAt = performance.now()
    process.stdout.write(`${JSON.stringify(event)}\n`)
  },
  /** Whoever watches over us takes silence for a stall; a long thought is none. */
  pulse() {
    if (performance.now() - printedAt < pulseMs) return
    printedAt = performance.now()
    process.stderr.write('.')
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => turn.stop())
process.exit(await turn.over)
