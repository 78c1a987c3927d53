/** A project with a real CLI in it, and the model that talks to that CLI. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject } from 'vitest'
import type { AgentConfig } from '../../../src/model/config.ts'
import type { Event, EventType } from '../../../src/model/event.ts'
import type { TurnOutcome, TurnWork } from '../../../src/model/work.ts'
import { createModelServer, type ModelServer, type ScriptedModel } from '../../../src/testing.ts'
import { eventsSoFar } from '../../kit/live.ts'
import { createProject, type Ended, type Project } from '../../kit/project.ts'
import { goodModel, type Behavior, type GoodModel } from './good-model.ts'
import type { AgentAccess, RealAgent } from './real-agents.ts'

export interface Scene {
  agent: RealAgent
  project: Project
  model: ScriptedModel
  told: GoodModel['told']
  key: string
}

export interface Setting {
  /** Ids of the plan's tasks, or the tasks themselves. */
  tasks?: readonly (string | object)[]
  behave?: Behavior
  /** On top of the agent's own entry. */
  agent?: AgentConfig
  /** Instead of it. */
  as?: (access: AgentAccess) => AgentConfig
  /** Further CLIs, each with a good model of its own. A cooperative command agent is always there. */
  others?: readonly RealAgent[]
  config?: Record<string, unknown>
}

export const scenes: { server: ModelServer; project: Project }[] = []

export const goal = 'make the files'

export async function createScene(agent: RealAgent, setting: Setting = {}): Promise<Scene> {
  const server = await createModelServer()
  const project = createProject()
  scenes.push({ server, project })
  const tasks = (setting.tasks ?? ['T001']).map((task) =>
    typeof task === 'string' ? { id: task, title: `Make ${task}.txt` } : task,
  )
  const key = `dummy-${agent.name}-0123456789abcdef`
  const { script, told } = goodModel(agent, tasks, setting.behave)
  const model = server.script(agent.name, script)
  const entry = (real: RealAgent, { baseUrls }: ScriptedModel, config = real.config): AgentConfig => {
    const { env, ...rest } = config({ program: noting(project, real), baseUrls, key })
    return { ...rest, env: { TMPDIR: join(dirname(project.root), 'tmp'), ...env } }
  }
  const others = (setting.others ?? []).map((other) => [
    other.name,
    entry(other, server.script(`${other.name}-besides`, goodModel(other, tasks).script)),
  ])
  mkdirSync(join(dirname(project.root), 'tmp'))
  for (const real of [agent, ...(setting.others ?? [])]) furnish(dirname(project.root), real)
  const own = entry(agent, model, setting.as)
  project.configure({
    agent: agent.name,
    review: false,
    agents: {
      [agent.name]: { ...own, ...setting.agent, env: { ...own.env, ...setting.agent?.env } },
      ...Object.fromEntries(others),
      command: { command: [process.execPath, join(dirname(project.root), 'agent.mjs')] },
    },
    ...setting.config,
  })
  return { agent, project, model, told, key }
}

/** What the CLI is to find in its home. */
function furnish(home: string, { files = {}, library }: RealAgent): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), content)
  }
  if (!library) return
  const [folder, modules] = [join(home, library.folder), 'node_modules']
  const installed = inject('programs')[library.install]?.split(`/${modules}/`)[0] ?? ''
  mkdirSync(folder, { recursive: true })
  symlinkSync(join(installed, modules), join(folder, modules))
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(installed, name), join(folder, name))
}

/** Stands before the real program, notes what it is started with, and becomes it. */
function noting(project: Project, { name, install }: RealAgent): string {
  const [folder, program] = [join(dirname(project.root), 'bin'), inject('programs')[install]]
  mkdirSync(folder, { recursive: true })
  const script = [
    '#!/bin/sh',
    `note="${project.notes}/$(printf '%s' "$LOOPER_TURN" | tr / .)"`,
    'echo $$ > "$note.pid"',
    `printf '%s\\0' "$@" > "$note.argv"`,
    `exec '${program}' "$@"`,
    '',
  ]
  writeFileSync(join(folder, name), script.join('\n'), { mode: 0o755 })
  return join(folder, name)
}

const noted = ({ project }: Scene, turn: string, what: string): string =>
  readFileSync(join(project.notes, `${turn.replaceAll('/', '.')}.${what}`), 'utf8')

/** The arguments with which the CLI was started for a turn. */
export const argvOf = (scene: Scene, turn: string): string[] => noted(scene, turn, 'argv').split('\0').slice(0, -1)

export const pidOf = (scene: Scene, turn: string): number => Number(noted(scene, turn, 'pid'))

type EventOf<T extends EventType> = Extract<Event, { type: T }>

export const eventsOf = <T extends EventType>({ project }: Scene, type: T): EventOf<T>[] =>
  eventsSoFar(project).filter((event): event is EventOf<T> => event.type === type)

/** When it ended otherwise, what it said tells why. */
export const expectEnd = ({ code, stdout, stderr }: Ended, expected: number): void =>
  expect(code, `${stdout}\n${stderr}`).toBe(expected)

export interface Turn {
  work: TurnWork
  startedAt: string
  outcome: TurnOutcome
  finishedAt: string
}

/** Every turn that came to an end, in the order of their beginning. */
export function turnsOf(scene: Scene): Turn[] {
  const finished = eventsOf(scene, 'work.finished')
  return eventsOf(scene, 'work.started').flatMap(({ work, at }) => {
    const end = finished.find(({ id }) => id === work.id)
    return work.kind === 'turn' && end?.outcome.kind === 'turn'
      ? [{ work, startedAt: at, outcome: end.outcome, finishedAt: end.at }]
      : []
  })
}
