/** The scripted agent's program: finds its turn in the script and plays it in the command protocol. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { chooseTurn } from './choose.js'
import { readJsonScript } from './json-script.js'
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

async function readYaml(source, name) {
  const { parseScript } = await import('./script.js')
  const parsed = parseScript(source)
  if (!parsed.ok) refuse(`${name}:${parsed.problem.line}: ${parsed.problem.message}`)
  return parsed.script
}

async function play(path) {
  const source = readFileSync(path, 'utf8')
  const script = readJsonScript(source) ?? (await readYaml(source, basename(path)))
  const turns = dirname(dirname(env.LOOPER_RESULT_FILE ?? ''))
  const entry = chooseTurn(script, now, path, join(turns, 'scripted.jsonl'))
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
