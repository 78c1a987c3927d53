/** The scripted agent's program: finds its turn in the script and plays it in the command protocol. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { chooseTurn } from './choose.js'
import { parseScript } from './script.js'
import { emit, perform } from './steps.js'

const env = process.env
const now = {
  role: env.LOOPER_ROLE ?? '',
  purpose: env.LOOPER_PURPOSE ?? '',
  task: env.LOOPER_TASK ?? '',
  attempt: Number(env.LOOPER_ATTEMPT ?? 1),
  turn: env.LOOPER_TURN ?? '',
  prompt: readFileSync(0, 'utf8'),
}

function refuse(message) {
  emit({ type: 'error', kind: 'config', message })
  process.exit(1)
}

async function play(path) {
  const parsed = parseScript(readFileSync(path, 'utf8'))
  if (!parsed.ok) refuse(`${basename(path)}:${parsed.problem.line}: ${parsed.problem.message}`)
  const turns = dirname(dirname(env.LOOPER_RESULT_FILE ?? ''))
  const entry = chooseTurn(parsed.script, now, path, join(turns, 'scripted.jsonl'))
  if (entry === null) {
    const turn = `role=${now.role} purpose=${now.purpose} task=${now.task || '-'} attempt=${now.attempt}`
    refuse(`the script has no turn for ${turn}`)
  }
  for (const step of entry.steps) await perform(step)
}

try {
  await play(process.argv[2] ?? '')
} catch (error) {
  refuse(`the script failed: ${error instanceof Error ? error.message : String(error)}`)
}
