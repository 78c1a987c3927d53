/**
 * Tools by which an agent reports something while it works: each call appends a line to the turn's outbox and returns
 * at once.
 */
import { closeSync, writeFileSync } from 'node:fs'
import type { AsideKind } from '../../model/results.ts'
import type { Purpose } from '../../model/purposes.ts'
import { openPlainFile, readPlainFile } from '../../platform/plain-file.ts'
import { asideBytes, asideJsonSchema, outboxBytes, answerKeys, validateAside } from '../asides.ts'
import { loadSchemas } from '../result.ts'
import type { Tool, ToolAnswer } from './server.ts'

const tools: Record<AsideKind, { name: string; description: string; thanks: string }> = {
  decision: {
    name: 'record_decision',
    description:
      'Record a decision that others should know: your choice, the alternatives and why you rejected them, '
      + 'and what would invalidate it.',
    thanks: 'Recorded.',
  },
  task: {
    name: 'add_task',
    description:
      'Propose a task that has to be done and is not part of yours. Another agent will do it: do not do it yourself.',
    thanks: 'Added. Continue with your own task.',
  },
  question: {
    name: 'ask',
    description:
      'Ask the people in charge something you cannot find out yourself. '
      + 'There is no answer while you work: give a default to continue with.',
    thanks:
      'Recorded. There is no answer now: continue with what does not depend on it, and say in your report what does.',
  },
}

/** Only the tools whose lines the answer has a key for. */
export async function createAsideTools(purpose: Purpose, outbox: string): Promise<Tool[]> {
  const kinds = [...(await answerKeys(purpose)).keys()]
  return Promise.all(
    kinds.map(async (kind) => ({
      name: tools[kind].name,
      description: tools[kind].description,
      inputSchema: await asideJsonSchema(kind),
      call: (input: unknown) => recordAside(kind, input, outbox),
    })),
  )
}

async function recordAside(kind: AsideKind, value: unknown, outbox: string): Promise<ToolAnswer> {
  const validation = await validateAside({ kind, value })
  if (!validation.ok) return refuse(validation.errors.join('\n'))
  const line = `${JSON.stringify({ kind, value })}\n`
  if (Buffer.byteLength(line) > asideBytes) return refuse(`at most ${asideBytes} bytes are accepted at once`)
  const before = readPlainFile(outbox, outboxBytes) ?? ''
  if (Buffer.byteLength(before + line) > outboxBytes) return refuse('this turn has reached its limit')
  const { most } = (await loadSchemas()).asideSchemas[kind]
  const recorded = before.split('\n').filter((each) => each.startsWith(`{"kind":"${kind}"`)).length
  if (recorded >= most) return refuse(`at most ${most} are accepted from one turn`)
  append(outbox, line)
  return { text: tools[kind].thanks, isError: false }
}

function append(path: string, text: string): void {
  const file = openPlainFile(path, 'append')
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

const refuse = (why: string): ToolAnswer => ({ text: `Not accepted: ${why}`, isError: true })
