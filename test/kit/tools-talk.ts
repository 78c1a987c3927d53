/** Talks to Looper's tools as an agent does. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { resultJsonSchema } from '../../src/agents/result.ts'
import type { Purpose } from '../../src/model/purposes.ts'

export const program = resolve(import.meta.dirname, '../../dist/tools.js')
export let root: string

export let folder: string
export const file = (name: string): string => join(folder, name)

export const variables = (purpose: string): Record<string, string> => ({
  LOOPER_PURPOSE: purpose,
  LOOPER_RESULT_FILE: file('result.json'),
  LOOPER_RESULT_SCHEMA: file('schema.json'),
  LOOPER_OUTBOX: file('outbox.jsonl'),
})

export interface Answer {
  result: {
    tools: { name: string; inputSchema: { type: string } }[]
    content: { text: string }[]
    isError: boolean
    protocolVersion: string
  }
}

/** Sends lines, closes the input, resolves with the response lines. */
export async function talk(
  lines: readonly (string | Buffer | object)[],
  purpose: Purpose = 'implement',
): Promise<Answer[]> {
  writeFileSync(file('schema.json'), JSON.stringify(await resultJsonSchema(purpose)))
  const child = spawn(process.execPath, [program], { env: variables(purpose), stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  for (const line of lines) {
    const text = typeof line === 'string' || Buffer.isBuffer(line) ? line : JSON.stringify({ jsonrpc: '2.0', ...line })
    child.stdin.write(Buffer.concat([Buffer.from(text), Buffer.from('\n')]))
  }
  child.stdin.end()
  const code = await new Promise((settle) => child.on('close', settle))
  expect(code).toBe(0)
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer)
}

/** Call it once in each test file. */
export function useToolsFolder(): void {
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'looper-tools-'))
  })
  afterAll(() => rmSync(root, { recursive: true }))
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'turn-'))
  })
}
