/** What Looper's driver prints when a stand-in says again what an agent said in a recorded conversation. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { drive } from '../../src/agents/acp/driver/drive.ts'
import { createAcpAdapter } from '../../src/agents/acp/index.ts'
import type { Instruction } from '../../src/agents/acp/instruction.ts'
import { protocolLooser } from '../recordings/protocol-cases.ts'
import { usualCases } from '../recordings/usual-cases.ts'
import type { Contract, Expected } from './adapter-contract.ts'
import { recordingPath, type Recording } from './recording.ts'

const replay = resolve(import.meta.dirname, 'acp-replay.js')

export const acpAdapter = createAcpAdapter({ driverPath: resolve(import.meta.dirname, '../../dist/acp.js') })

async function driven(path: string, { work, rights = 'write' }: Expected): Promise<Recording> {
  const id = /"sessionId\\":\\"(?<id>[^\\]+)/.exec(readFileSync(`${path}.json`, 'utf8'))?.groups?.['id'] ?? ''
  const instruction: Instruction = {
    argv: [process.execPath, replay, `${path}.jsonl`],
    rights,
    model: null,
    countsCost: true,
    mcp: { command: 'x', args: [], env: {} },
    session: work?.session === undefined ? null : { id, spentUsd: work.session.spent.costUsd },
  }
  const lines: string[] = []
  const print = (event: object): void => {
    lines.push(JSON.stringify(event))
  }
  const code = await drive({ instruction, prompt: 'Do it.', cwd: '/', env: process.env, print, pulse: () => {} }).over
  return {
    lines,
    ending: { code, signal: null, file: null, stderr: '', extra: null },
    startedAt: new Date().toISOString(),
  }
}

/** Of what is recorded of every CLI. */
const spoken = [
  'ok-text',
  'tool-write',
  'tool-write-asking',
  'tool-command',
  'mcp-report',
  'resume-first',
  'resume-second',
  'auth-401',
  'rate-limit-429',
  'usage-limit-429',
  'overloaded-503',
  'overflow',
  'dropped',
  'garbage',
  'interrupted',
]

/** Of an agent in whose folder are conversations. Where no use of a tool is expected, there is none. */
export function conversations(
  folder: string,
  particular: Record<string, Expected>,
  { unplayed = {}, tellsCost = true }: Pick<Contract, 'unplayed'> & { tellsCost?: boolean } = {},
): Contract {
  const usual: typeof usualCases = {
    ...usualCases,
    'tool-write-asking': { ...usualCases['tool-write'], rights: 'read' },
  }
  const cases = Object.fromEntries(
    spoken
      .filter((name) => !(name in unplayed))
      .map((name) => {
        const { usage: [input, output, costUsd] = [0, 0, 0], ...expected } = {
          uses: [],
          ...usual[name],
          ...particular[name],
        }
        return [
          name,
          { ...expected, steps: undefined, usage: [input, output, tellsCost ? costUsd : 0] as Expected['usage'] },
        ]
      }),
  )
  return {
    adapter: acpAdapter,
    folder,
    cases,
    unplayed,
    agent: { acp: ['agent'] },
    sessionKey: 'id',
    looser: protocolLooser,
    read: (name, expected) => driven(recordingPath(folder, name), expected),
  }
}
