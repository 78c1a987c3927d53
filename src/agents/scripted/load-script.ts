/** Validates a script before a run starts, so that a typo is a one-line error and not a paused run. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { parseScript, type Script } from './script.js'

/** Throws AGENT_SCRIPT with the file, the line and the problem. */
export async function loadScript(path: string): Promise<Script> {
  const parsed = parseScript(await readSource(path))
  if (parsed.ok) return parsed.script
  throw new LooperError('AGENT_SCRIPT', `${basename(path)}:${parsed.problem.line}: ${parsed.problem.message}`, {
    hint: `Fix ${path}.`,
    details: { path, line: parsed.problem.line },
  })
}

/** The script as JSON, which players read faster than YAML. */
export function jsonOf({ turns }: Script): string {
  const plain = turns.map(({ match, times, steps }) => ({
    match,
    ...(times === Infinity ? {} : { times }),
    steps: steps.map(({ kind, value }) => ({ [kind]: value })),
  }))
  return `${JSON.stringify({ turns: plain }, null, 2)}\n`
}

async function readSource(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const hint = 'Check "script" of the agent in .looper/config.json.'
    throw new LooperError('AGENT_SCRIPT', `cannot read the script ${path}`, { cause, hint })
  }
}
