/** Plays a turn of an agent that speaks ACP. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createAcpAdapter } from '../../src/agents/acp/index.ts'
import type { PlanRequest } from '../../src/agents/adapter.ts'
import type { AgentConfig } from '../../src/model/config.ts'
import type { TurnWork } from '../../src/model/work.ts'
import { playTurn, type PlayedTurn } from './play-turn.ts'
import { sampleTurn } from './state.ts'

export const dist = resolve(import.meta.dirname, '../../dist')
export const standIn = resolve(import.meta.dirname, 'acp-agent.js')
const adapter = createAcpAdapter({ driverPath: join(dist, 'acp.js') })
export let root: string

export interface Played extends PlayedTurn {
  /** The messages that the fake agent received. */
  log: Record<string, unknown>[]
}

export interface Settings extends Partial<Omit<PlanRequest, 'work'>> {
  work?: Partial<TurnWork>
  /** Called with the driver's pid when the fake agent receives this method. */
  when?: [method: string, act: (pid: number) => void]
}

/** Runs one turn with a fake agent that follows the scenario. */
export async function play(scenario: object, { when, work, agent, ...settings }: Settings = {}): Promise<Played> {
  const folder = mkdtempSync(join(root, 'turn-'))
  const logged = join(folder, 'workspace', 'acp.log')
  const log = (): Record<string, unknown>[] => (existsSync(logged) ? linesOf(readFileSync(logged, 'utf8')) : [])
  const env = { LOOPER_MARK: 'marked', ...agent?.env }
  const config: AgentConfig = { acp: [process.execPath, standIn], args: [JSON.stringify(scenario)], ...agent, env }
  const turn = await playTurn(
    adapter,
    folder,
    { agent: config, work: sampleTurn(work), ...settings },
    async (pid, isOver) => {
      if (when === undefined) return
      await expect
        .poll(() => isOver() || log().some(({ method }) => method === when[0]), { timeout: 120_000 })
        .toBe(true)
      when[1](pid)
    },
  )
  return { ...turn, log: log() }
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
export const says = (text: string, messageId?: string): object => ({
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId },
})
export const uses = (more: object): object => ({
  update: { sessionUpdate: 'tool_call', toolCallId: 't-1', title: 'a title', ...more },
})
export const told = ({ log }: Played, method: string): unknown => log.find((each) => each.method === method)?.params
export const methods = ({ log }: Played): unknown[] => log.flatMap(({ method }) => method ?? [])
export const failure = ({ answer }: Played) => answer.failure

/** Call it once in each test file. */
export function useAcpFolder(): void {
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'looper-acp-'))
  })
  afterAll(() => rmSync(root, { recursive: true }))
}
