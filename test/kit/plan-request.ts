/** The request for the command line of an agent, for tests of adapters: a coder's turn with parts replaced. */
import type { PlanRequest } from '../../src/agents/adapter.ts'
import type { AgentConfig } from '../../src/model/config.ts'
import type { TurnWork } from '../../src/model/work.ts'
import { sampleTurn } from './state.ts'

export type MakeRequest = (agent?: AgentConfig, change?: Partial<TurnWork>, more?: Partial<PlanRequest>) => PlanRequest

/** `usual`: what all requests of a test file have in common. */
export const requestsFor =
  (name: string, usual: Partial<PlanRequest> = {}): MakeRequest =>
  (agent = {}, change = {}, more = {}) => ({
    env: {},
    home: '/r/homes/x',
    run: '001-x',
    work: sampleTurn({
      task: 'T001',
      workspace: 'T001',
      id: 'T001/a2/implement',
      slot: 'T001/a2',
      attempt: 2,
      agent: name,
      ...change,
    }),
    agent: { bin: `/opt/${name}`, ...agent },
    prompt: 'Do it.\n',
    cwd: '/w',
    rights: 'write',
    folder: '/r/turns/T',
    resultFile: '/r/turns/T/result.json',
    schemaFile: '/r/schemas/coder.json',
    schema: '{"type":"object"}',
    mcp: { command: 'node', args: [], env: {} },
    ...usual,
    ...more,
  })
