/** The driver program: runs an ACP agent as a command agent, with the prompt on stdin and events on stdout. */
import { text } from 'node:stream/consumers'
import { instructionVariable, type Instruction } from '../instruction.ts'
import { drive } from './drive.ts'

const pulseMs = 1_000

const { [instructionVariable]: instruction, ...env } = process.env
if (instruction === undefined) {
  process.stderr.write(`Started by Looper, with ${instructionVariable} set.\n`)
  process.exit(2)
}

let printedAt = performance.now()
const turn = drive({
  instruction: JSON.parse(instruction) as Instruction,
  prompt: await text(process.stdin),
  cwd: process.cwd(),
  env,
  print(event) {
    printedAt = performance.now()
    process.stdout.write(`${JSON.stringify(event)}\n`)
  },
  /** The supervisor takes silence for a stall, so a long thought must print a sign of life. */
  pulse() {
    if (performance.now() - printedAt < pulseMs) return
    printedAt = performance.now()
    process.stderr.write('.')
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => turn.stop())
process.exit(await turn.over)
