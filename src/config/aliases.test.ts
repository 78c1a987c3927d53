import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aliases } from './aliases.ts'
import { keys, openKeys } from './keys.ts'
import { loadConfig } from './layers.ts'
import type { LoadedConfig } from './layers.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-aliases-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const loadFile = (content: unknown, env: Record<string, string> = {}): LoadedConfig => {
  mkdirSync(join(root, '.looper'), { recursive: true })
  writeFileSync(join(root, '.looper', 'config.json'), JSON.stringify(content))
  return loadConfig({ root, home: '/nowhere', env })
}
const load = (env: Record<string, string>): LoadedConfig => loadConfig({ root: null, home: '/nowhere', env })
const nested = (name: string, value: unknown): Record<string, unknown> =>
  name.split('.').reduceRight<unknown>((inner, part) => ({ [part === '*' ? 'codex' : part]: inner }), value) as Record<
    string,
    unknown
  >

/** For each alias: a value in the spelling of its tool, the key, and the expected value of that key. */
const cases: readonly [origin: 'file' | 'variable', name: string, value: unknown, key: string, expected: unknown][] = [
  ['file', 'max_iterations', 7, 'limits.iterations', 7],
  ['file', 'schedule', 'codex', 'agent', 'codex'],
  ['file', 'odd_agent', 'gemini', 'rotation', ['gemini', 'claude']],
  ['file', 'even_agent', 'gemini', 'rotation', ['codex', 'gemini']],
  ['file', 'rr_agents', ['gemini', 'codex'], 'rotation', ['gemini', 'codex']],
  ['file', 'roles.iter', 'codex', 'roles.iterator.agent', 'codex'],
  ['file', 'repair_agent', 'codex', 'roles.planner.agent', 'codex'],
  ['file', 'roles.repair', 'codex', 'roles.planner.agent', 'codex'],
  ['file', 'bootstrap_agent', 'codex', 'roles.planner.agent', 'codex'],
  ['file', 'roles.bootstrap', 'codex', 'roles.planner.agent', 'codex'],
  ['file', 'hooks.post_iteration', ['./a.sh', './b.sh'], 'hooks.postIteration', ['./a.sh', './b.sh']],
  ['file', 'hook_command', './a.sh', 'hooks.postIteration', ['./a.sh']],
  ['file', 'agents.*.binary', '/opt/codex', 'agents.codex.bin', '/opt/codex'],
  ['file', 'agents.*.timeout', '1h30m', 'agents.codex.timeoutMinutes', 90],
  ['file', 'agents.*.model', '', 'agents', {}],
  ['file', 'codex.binary', '/opt/codex', 'agents.codex.bin', '/opt/codex'],
  ['file', 'codex.timeout', 90e9, 'agents.codex.timeoutMinutes', 1.5],
  ['file', 'codex.model', 'gpt-5', 'agents.codex.model', 'gpt-5'],
  ['file', 'codex.args', ['-x'], 'agents.codex.args', ['-x']],
  ['file', 'claude.binary', '/opt/claude', 'agents.claude.bin', '/opt/claude'],
  ['file', 'claude.timeout', '45s', 'agents.claude.timeoutMinutes', 0.75],
  ['file', 'claude.model', 'opus', 'agents.claude.model', 'opus'],
  ['file', 'claude.args', ['-x'], 'agents.claude.args', ['-x']],
  ['variable', 'LOOPER_MAX_ITERATIONS', '7', 'limits.iterations', 7],
  ['variable', 'LOOPER_SCHEDULE', 'claude', 'agent', 'claude'],
  ['variable', 'LOOPER_ITER_SCHEDULE', 'claude', 'agent', 'claude'],
  ['variable', 'LOOPER_ITER_SCHEDULE', 'single', 'schedule', 'single'],
  ['variable', 'LOOPER_ITER_ODD_AGENT', 'gemini', 'rotation', ['gemini', 'claude']],
  ['variable', 'LOOPER_ITER_EVEN_AGENT', 'gemini', 'rotation', ['codex', 'gemini']],
  ['variable', 'LOOPER_ITER_RR_AGENTS', 'gemini, codex', 'rotation', ['gemini', 'codex']],
  ['variable', 'LOOPER_ROLES_ITER', 'codex', 'roles.iterator.agent', 'codex'],
  ['variable', 'LOOPER_REPAIR_AGENT', 'codex', 'roles.planner.agent', 'codex'],
  ['variable', 'LOOPER_ROLES_REPAIR', 'codex', 'roles.planner.agent', 'codex'],
  ['variable', 'LOOPER_BOOTSTRAP_AGENT', 'codex', 'roles.planner.agent', 'codex'],
  ['variable', 'LOOPER_ROLES_BOOTSTRAP', 'codex', 'roles.planner.agent', 'codex'],
  ['variable', 'LOOPER_HOOK', './a.sh', 'hooks.postIteration', ['./a.sh']],
  ['file', 'todo_file', 'tasks.json', 'backlog', 'tasks.json'],
  ['variable', 'LOOPER_TODO', 'tasks.json', 'backlog', 'tasks.json'],
  ['file', 'maxFixCycles', 1, 'limits.fixCycles', 1],
  ['file', 'maxPlanRevisions', 1, 'limits.planRevisions', 1],
  ['file', 'attemptsBeforeReplan', 1, 'limits.attempts', 1],
  ['file', 'maxReplanDepth', 1, 'limits.splitDepth', 1],
  ['file', 'maxGoalIterations', 1, 'limits.goalIterations', 1],
  ['file', 'timeLimit', 7_200_000, 'limits.timeMinutes', 120],
  ['file', 'timeLimit', 0, 'limits.timeMinutes', null],
  ['file', 'thresholds.approval', 80, 'thresholds.approve', 80],
  ['file', 'thresholds.revision', 40, 'thresholds.revise', 40],
  ['variable', 'LOOP_BUDGET', '$10', 'limits.costUsd', 10],
  ['variable', 'LOOP_BUDGET', '2.5', 'limits.costUsd', 2.5],
  ['variable', 'LOOP_BUDGET', 'unlimited', 'limits.costUsd', null],
  ['variable', 'LOOP_MAX_ITERATIONS', '25', 'limits.iterations', 25],
  ['variable', 'LOOP_MAX_ITERATIONS', 'Unlimited', 'limits.iterations', null],
  ['variable', 'LOOP_HEADLESS', '1', 'interaction', 'autonomous'],
  ['variable', 'LOOP_HEADLESS', '0', 'interaction', 'auto'],
]

describe('names of other tools', () => {
  test.each(cases)('D6: in a %s, %s %j sets %s', (origin, name, value, key, expected) => {
    const { config, sources, warnings } =
      origin === 'file' ? loadFile(nested(name, value)) : load({ [name]: String(value) })
    expect(key.split('.').reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], config)).toEqual(
      expected,
    )
    expect(warnings).toEqual([])
    const silent = key === 'agents' || expected === 'auto'
    if (!silent)
      expect(sources[key]?.source).toBe(
        origin === 'file' ? `project (.looper/config.json: ${name.replace('*', 'codex')})` : `env ${name}`,
      )
  })

  test('D6: all have a case above, or say what to do instead', () => {
    for (const { origin, name, means } of aliases) {
      if ('key' in means) {
        expect(
          cases.filter((each) => each[0] === origin && each[1] === name),
          name,
        ).not.toEqual([])
        expect(
          [...keys, ...openKeys, { name: 'agents.codex.x' }].some(
            ({ name: key }) => key === means.key || means.key.startsWith('agents.'),
          ),
          means.key,
        ).toBe(true)
        continue
      }
      if ('elsewhere' in means) continue
      const { config, warnings } = origin === 'file' ? loadFile(nested(name, 'x')) : load({ [name]: 'x' })
      expect(config).toEqual(load({}).config)
      const said = name.replace('*', 'codex')
      expect(warnings).toEqual([
        `${origin === 'file' ? `.looper/config.json: "${said}"` : `"${said}"`} of looper-go has no effect. ${means.instead}`,
      ])
      expect(means.instead).toMatch(/^[A-Z].+\.$/)
    }
  })

  test('D6: lose against the real key, with a warning', () => {
    const file = loadFile({ max_iterations: 7, limits: { iterations: 9 } })
    expect(file.config.limits.iterations).toBe(9)
    expect(file.sources['limits.iterations']?.source).toBe('project (.looper/config.json)')
    expect(file.warnings).toEqual([
      '.looper/config.json ("max_iterations") has no effect: "limits.iterations" in .looper/config.json sets the same',
    ])
    const variable = load({ LOOP_BUDGET: '5', LOOPER_LIMITS_COST_USD: '6' })
    expect(variable.config.limits.costUsd).toBe(6)
    expect(variable.warnings).toEqual([
      'LOOP_BUDGET has no effect: "limits.costUsd" in LOOPER_LIMITS_COST_USD sets the same',
    ])
    expect(load({ LOOP_BUDGET: '5', LOOPER_LIMITS: '{"costUsd":6}' }).config.limits.costUsd).toBe(6)
  })

  test('beat what lies below, like any other name', () => {
    expect(loadFile({ limits: { iterations: 9 } }, { LOOP_MAX_ITERATIONS: '3' })).toMatchObject({
      config: { limits: { iterations: 3 } },
      warnings: [],
    })
  })

  test('that contradict each other are reported', () => {
    const { config, warnings } = loadFile({ repair_agent: 'codex', bootstrap_agent: 'claude' })
    expect(config.roles.planner?.agent).toBe('claude')
    expect(warnings).toEqual([
      '.looper/config.json ("repair_agent") has no effect: .looper/config.json ("bootstrap_agent") sets the same',
    ])
  })

  test('D5: a schedule picks its list, as in a file that has them all', () => {
    const all = { odd_agent: 'codex', even_agent: 'gemini', rr_agents: ['claude', 'codex', 'gemini'] }
    expect(loadFile({ ...all, schedule: 'odd-even' })).toMatchObject({
      config: { rotation: ['codex', 'gemini'], schedule: 'odd-even' },
      warnings: [],
    })
    expect(loadFile({ ...all, schedule: 'round-robin' })).toMatchObject({
      config: { rotation: ['claude', 'codex', 'gemini'] },
      warnings: [],
    })
    const env = {
      LOOPER_ITER_ODD_AGENT: 'codex',
      LOOPER_ITER_EVEN_AGENT: 'gemini',
      LOOPER_ITER_RR_AGENTS: 'claude',
      LOOPER_SCHEDULE: 'round-robin',
    }
    expect(load(env)).toMatchObject({ config: { rotation: ['claude'], schedule: 'round-robin' }, warnings: [] })
  })

  test('D6: a whole file of looper-go is understood', () => {
    const { config, warnings } = loadFile({
      todo_file: 'to-do.json',
      log_dir: 'logs',
      max_iterations: 20,
      schedule: 'mine',
      hooks: { post_iteration: ['./notify.sh'] },
      agents: { codex: { binary: 'codex', model: '', args: ['-q'] }, mine: { command: ['x'], timeout: '10m' } },
    })
    expect(config).toMatchObject({
      agent: 'mine',
      limits: { iterations: 20 },
      hooks: { postIteration: ['./notify.sh'] },
      agents: { codex: { bin: 'codex', args: ['-q'] }, mine: { command: ['x'], timeoutMinutes: 10 } },
    })
    expect(warnings).toHaveLength(1)
  })

  test('with a wrong value are refused by the name that people wrote', () => {
    expect(() => loadFile({ max_iterations: 'many' })).toThrow(
      '.looper/config.json ("max_iterations"): "limits.iterations" must be a whole number of at least 0, or null, not "many"',
    )
    expect(() => loadFile({ agents: { codex: { timeout: 'soon' } } })).toThrow(
      '("agents.codex.timeout"): "agents.codex.timeoutMinutes" must be',
    )
    expect(() => loadFile({ agents: { codex: { timeout: 30 } } })).toThrow(
      '"agents.codex.timeoutMinutes" must be a number above 0 and at most 10080, not "30"',
    )
    expect(() => load({ LOOP_BUDGET: 'lots' })).toThrow(
      'LOOP_BUDGET: "limits.costUsd" must be a number of at least 0, or null, not "lots"',
    )
    expect(() => loadFile({ schedule: 'unknown' })).toThrow(
      '"schedule" must be one of single, odd-even, round-robin, not "unknown"',
    )
  })
})
