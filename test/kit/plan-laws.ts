/** What every adapter's plan has to be: pure, and complete in what it hands over. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanRequest } from '../../src/agents/adapter.ts'
import { noUsage } from '../../src/model/usage.ts'
import type { Contract } from './adapter-contract.ts'
import { sampleTurn } from './state.ts'

/** For a turn whose folder and workspace are in this one. */
export const requestIn = (root: string, change: Partial<PlanRequest>): PlanRequest => ({
  run: '001-x',
  work: sampleTurn(),
  agent: {},
  env: {},
  prompt: 'Do it.\n',
  cwd: join(root, 'workspace'),
  rights: 'write',
  folder: join(root, 'turns', 'T'),
  home: join(root, 'homes', 'x'),
  mcp: { command: process.execPath, args: [], env: {} },
  resultFile: join(root, 'turns', 'T', 'result.json'),
  schemaFile: join(root, 'turns', 'T', 'schema.json'),
  schema: '{"type":"object"}',
  ...change,
})

export function planLaws({ adapter, agent }: Pick<Contract, 'adapter' | 'agent'>): void {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'looper-plan-'))
    mkdirSync(join(root, 'turns', 'T'), { recursive: true })
  })
  afterAll(() => rmSync(root, { recursive: true }))

  test('a plan is pure: the same request, the same plan, and nothing on disk', () => {
    for (const rights of ['read', 'write'] as const) {
      const asked = requestIn(root, { agent, rights })
      const [before, again] = [structuredClone(asked), structuredClone(asked)]
      expect(adapter.plan(asked)).toEqual(adapter.plan(again))
      expect(asked).toEqual(before)
    }
    expect(readdirSync(root, { recursive: true })).toEqual(['turns', join('turns', 'T')])
  })

  test('it hands over the variables of the protocol, and the configuration cannot bend them', () => {
    const bent = { ...agent, env: { MINE: '1', LOOPER_INSIDE: '0', LOOPER_ROLE: 'king' } }
    const asked = requestIn(root, { agent: bent, work: sampleTurn({ attempt: 2, task: null }) })
    const { env } = adapter.plan(asked)
    expect(env).toMatchObject({
      MINE: '1',
      LOOPER_RUN: '001-x',
      LOOPER_TASK: '',
      LOOPER_ROLE: 'coder',
      LOOPER_PURPOSE: 'implement',
      LOOPER_TURN: asked.work.id,
      LOOPER_ATTEMPT: '2',
      LOOPER_RESULT_FILE: asked.resultFile,
      LOOPER_RESULT_SCHEMA: asked.schemaFile,
      LOOPER_INSIDE: '1',
    })
    for (const absent of ['LOOPER_MODEL', 'LOOPER_SESSION', 'LOOPER_AGENT_SESSION'])
      expect(env).not.toHaveProperty(absent)
    const work = sampleTurn({
      model: 'large',
      session: { id: 's-1', spent: noUsage },
      within: { session: 'auth', stage: 'draft', type: 'polish' },
    })
    expect(adapter.plan({ ...asked, work }).env).toMatchObject({
      LOOPER_TASK: 'T002',
      LOOPER_MODEL: 'large',
      LOOPER_AGENT_SESSION: 's-1',
      LOOPER_SESSION: 'auth',
      LOOPER_STAGE: 'draft',
      CLAUDE_LOOP_AGENT: '1',
      CLAUDE_LOOP_SESSION: 'auth',
      CLAUDE_LOOP_TYPE: 'polish',
    })
  })

  test('the prompt is on stdin only, the schema is written, and nothing outside of what belongs to the turn', () => {
    const asked = requestIn(root, { agent })
    const { argv, stdin, files } = adapter.plan(asked)
    expect(stdin.startsWith(asked.prompt)).toBe(true)
    expect(argv.join(' ')).not.toContain('Do it')
    expect(files).toContainEqual({ path: asked.schemaFile, content: asked.schema })
    for (const { path } of files)
      expect(
        [asked.folder, asked.home].some((folder) => path.startsWith(`${folder}/`)),
        path,
      ).toBe(true)
  })

  test('an agent that names no program is the one on the PATH, or is refused', () => {
    const asked = requestIn(root, {})
    if (adapter.program === null)
      expect(() => adapter.plan(asked)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    else expect(adapter.plan(asked).argv[0]).toBe(adapter.program)
  })

  test('it is asked to stop before it is made to', () => {
    expect(adapter.stopSignals).toEqual(['SIGINT', 'SIGTERM', 'SIGKILL'])
  })
}
