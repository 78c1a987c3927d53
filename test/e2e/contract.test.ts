/**
 * The contract as a stranger relies on it: agents in three languages, events on stdout, errors by kind, JSON that
 * scripts read.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Event } from '../../src/model/event.ts'
import { beside, call, ownAgent, projects } from '../kit/outside.ts'
import { type Ended, type Project, type ProjectOptions } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const variables = ['RUN', 'TASK', 'ROLE', 'PURPOSE', 'TURN', 'ATTEMPT', 'RESULT_FILE', 'RESULT_SCHEMA', 'INSIDE'].map(
  (name) => `LOOPER_${name}`,
)
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never

const planner = `#!/bin/sh
cat > "$NOTES/prompt-$LOOPER_ROLE"
env > "$NOTES/env-$LOOPER_ROLE"; pwd > "$NOTES/pwd-$LOOPER_ROLE"; ls -A > "$NOTES/ls-$LOOPER_ROLE"
cp "$LOOPER_RESULT_SCHEMA" "$NOTES/schema-$LOOPER_ROLE"
echo '{"type":"session","id":"s-1"}'
echo '{"type":"usage","inputTokens":10,"outputTokens":5,"costUsd":0.25}'
echo 'Now I think: {"not": json'
echo '{"type":"message","text":"still thinking"}'
echo '{"type":"usage","inputTokens":1,"outputTokens":2,"costUsd":0.5}'
cat <<'END'
Here is the plan:
{
  "status": "plan",
  "confidence": { "of": "mine" },
  "tasks": [
    { "id": "T001", "title": "first", "criteria": ["it is there", "it says \\"}\\" and {"], "colour": "red" },
    { "id": "T002", "title": "second", "complexity": "simple", "dependsOn": ["T001"] }
  ]
}
END
echo '{"type":"message","text":"done"}'
`

const tester = `#!/bin/sh
cat > /dev/null
env > "$NOTES/env-$LOOPER_ROLE"
cp "$LOOPER_RESULT_SCHEMA" "$NOTES/schema-$LOOPER_ROLE"
echo '{"status":"passed","total":2,"passed":2,"failed":0}'
echo '{"type":"usage","inputTokens":100,"outputTokens":0}'
`

const coder = `
import json, os, shutil, sys
env, prompt = os.environ, sys.stdin.read()
notes = env['NOTES']
task = env['LOOPER_TASK']
with open(os.path.join(notes, 'prompt-' + task), 'w') as f: f.write(prompt)
with open(os.path.join(notes, 'env-' + task), 'w') as f:
    for name, value in env.items(): f.write(name + '=' + value + chr(10))
with open(os.path.join(notes, 'pwd-' + task), 'w') as f: f.write(os.getcwd())
shutil.copy(env['LOOPER_RESULT_SCHEMA'], os.path.join(notes, 'schema-coder'))
print(json.dumps({'type': 'tool_use', 'name': 'write', 'input': {'path': task}}), flush=True)
print(json.dumps({'type': 'command', 'command': 'make', 'exitCode': 0}))
print(json.dumps({'status': 'blocked', 'summary': 'the file decides, not this'}))
with open(task + '.txt', 'w') as f: f.write('made by ' + task)
with open(env['LOOPER_RESULT_FILE'], 'w') as f: json.dump({'status': 'complete', 'mood': 'good', 'summary': None, 'newTasks': None}, f)
`

const supervisor = `
fs.writeFileSync(path.join(env.NOTES, 'env-' + purpose), Object.entries(env).map((entry) => entry.join('=')).join('\\n'))
fs.copyFileSync(env.LOOPER_RESULT_SCHEMA, path.join(env.NOTES, 'schema-supervisor'))
console.log('My judgement, after {"score": 1} which was too low:\\n\\n\`\`\`json\\n' + JSON.stringify({ score: 88, approved: false }, null, 2) + '\\n\`\`\`\\nThat is all.')
`

/** A planner in sh, a coder in python, a tester in sh and a supervisor in node work together. */
async function runThreeAgents(
  open: (options: ProjectOptions) => Project,
): Promise<{ project: Project; ended: Ended }> {
  const project = open({ agent: supervisor })
  const env = { NOTES: project.notes }
  project.configure({
    agent: 'sh',
    agents: {
      sh: { command: ['sh', beside(project, 'planner.sh', planner)], env },
      py: { command: ['python3', beside(project, 'coder.py', coder)], env, model: 'snake-1' },
      js: ownAgent(project),
      tests: { command: [beside(project, 'tester.sh', tester)], env },
    },
    roles: { coder: { agent: 'py' }, supervisor: { agent: 'js' }, tester: { agent: 'tests' } },
    checks: ['test -e T001.txt'],
  })
  const ended = await call(project, ['run', 'Make two files', '--json'], {
    env: { FOREIGN: 'x', MY_API_KEY: 'not for agents' },
  })
  return { project, ended }
}

describe('agents in sh, python and node take a run from goal to branch', () => {
  let project: Project
  let ended: Ended

  beforeAll(async () => {
    ;({ project, ended } = await runThreeAgents(create))
  })

  test('and it completes', async () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('ls-tree', '--name-only', 'looper/001-make-two-files').split('\n')).toEqual([
      'README.md',
      'T001.txt',
      'T002.txt',
    ])
  })

  const environment = (name: string): Record<string, string> =>
    Object.fromEntries(
      readFileSync(join(project.notes, `env-${name}`), 'utf8')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )

  test.each([
    ['planner', { TASK: '', ROLE: 'planner', PURPOSE: 'plan', TURN: 'plan/r0', ATTEMPT: '1' }],
    ['T002', { TASK: 'T002', ROLE: 'coder', PURPOSE: 'implement', TURN: 'T002/a1/implement', ATTEMPT: '1' }],
    ['tester', { TASK: 'T002', ROLE: 'tester', PURPOSE: 'test', TURN: 'T002/a1/test0', ATTEMPT: '1' }],
    ['review-plan', { TASK: '', ROLE: 'supervisor', PURPOSE: 'review-plan', ATTEMPT: '1' }],
    ['verify-task', { TASK: 'T002', ROLE: 'supervisor', PURPOSE: 'verify-task' }],
    ['verify-goal', { TASK: '', ROLE: 'supervisor', PURPOSE: 'verify-goal' }],
  ])('the environment of %s', (name, expected) => {
    const env = environment(name)
    expect(env).toMatchObject(
      Object.fromEntries(
        Object.entries({ RUN: '001-make-two-files', INSIDE: '1', ...expected }).map(([key, value]) => [
          `LOOPER_${key}`,
          value,
        ]),
      ),
    )
    for (const variable of variables) expect(env).toHaveProperty(variable)
    expect(env).not.toHaveProperty('FOREIGN')
    expect(env).not.toHaveProperty('MY_API_KEY')
    expect(env).toHaveProperty('PATH')
    expect(env).toHaveProperty('HOME')
  })

  test('the prompt comes on stdin; the workspace is a worktree of the task with the files of its base', () => {
    const prompt = readFileSync(join(project.notes, 'prompt-planner'), 'utf8')
    expect(prompt).toContain('Make two files')
    const files = readFileSync(join(project.notes, 'ls-planner'), 'utf8').split('\n')
    expect(files).toContain('README.md')
    expect(files).not.toContain('.looper')
    const places = ['planner', 'T001', 'T002'].map((name) =>
      readFileSync(join(project.notes, `pwd-${name}`), 'utf8').trim(),
    )
    // A task may have the worktree of one that is done; the planner's is not shared.
    const [planner, ...tasks] = places
    expect(tasks).not.toContain(planner)
    for (const place of places) expect(place.startsWith(project.workspaces)).toBe(true)
    expect(readFileSync(join(project.notes, 'prompt-T001'), 'utf8')).toMatch(/it is there[^]*it says "\}" and \{/)
  })

  test('LOOPER_RESULT_SCHEMA is a JSON Schema that takes good answers and no bad ones', () => {
    const schemaOf = (role: string): z.ZodType => {
      const text = readFileSync(join(project.notes, `schema-${role}`), 'utf8')
      expect(JSON.parse(text)).toMatchObject({
        $schema: expect.stringContaining('json-schema.org'),
        type: 'object',
        properties: {},
      })
      return z.fromJSONSchema(JSON.parse(text))
    }
    const cases: Record<string, { good: unknown[]; bad: unknown[] }> = {
      planner: {
        good: [
          { status: 'plan', tasks: [{ title: 'x' }] },
          { tasks: [{ id: 'a', title: 'x', dependsOn: [], more: 1 }], extra: true },
        ],
        bad: [{ status: 'maybe' }, { tasks: [{ title: 7 }] }, { tasks: [{ title: 'x', complexity: 'huge' }] }],
      },
      coder: {
        good: [{ status: 'complete' }, { status: 'blocked', blocker: { kind: 'external', reason: 'x' }, extra: [] }],
        bad: [{}, { status: 'done' }],
      },
      tester: {
        good: [{ status: 'passed' }, { status: 'failed', failures: [{ name: 'x', error: 'y' }] }],
        bad: [{}, { status: 'green' }],
      },
      supervisor: {
        good: [{ score: 1 }, { score: 99, issues: [{ severity: 'minor', message: 'x' }] }],
        bad: [{}, { score: 'high' }],
      },
    }
    for (const [role, { good, bad }] of Object.entries(cases)) {
      const schema = schemaOf(role)
      for (const answer of good)
        expect(schema.safeParse(answer), `${role} ${JSON.stringify(answer)}`).toMatchObject({ success: true })
      for (const answer of bad)
        expect(schema.safeParse(answer), `${role} ${JSON.stringify(answer)}`).toMatchObject({ success: false })
    }
  })

  test('usage events are summed; a file beats stdout; extra keys are kept and missing ones defaulted', async () => {
    const status = await project.status()
    expect(status.usage).toEqual({ inputTokens: 11 + 2 * 100, outputTokens: 7, costUsd: 0.75 })
    const results = found(project, 'work.finished').flatMap(({ id, outcome }) =>
      outcome.kind === 'turn' && outcome.status === 'ok' ? [[id, outcome.result] as const] : [],
    )
    const answers = Object.fromEntries(results)
    expect(answers['plan/r0']).toMatchObject({
      confidence: { of: 'mine' },
      risks: [],
      assumptions: [],
      decisions: [],
      questions: [],
      tasks: [
        { id: 'T001', colour: 'red', complexity: 'medium', dependsOn: [], description: '' },
        { complexity: 'simple' },
      ],
    })
    expect(answers['T001/a1/implement']).toMatchObject({
      status: 'complete',
      mood: 'good',
      summary: '',
      files: [],
      newTasks: [],
      questions: [],
    })
    expect(answers['T001/a1/test0']).toMatchObject({ status: 'passed', total: 2 })
    expect(answers['T001/a1/verify0']).toMatchObject({
      score: 88,
      approved: false,
      issues: [],
      missing: [],
      feedback: '',
    })
    expect(found(project, 'work.finished').find(({ id }) => id === 'plan/r0')?.outcome).toMatchObject({
      sessionId: 's-1',
    })
  })

  test('run --json prints the journal: one event a line, seq 1, 2, 3 …, ISO times, valid sums', () => {
    const lines = ended.stdout.trimEnd().split('\n')
    expect(ended.stdout === readFileSync(join(project.root, '.looper/runs/last/events.jsonl'), 'utf8')).toBe(true)
    const events = lines.map((line) => JSON.parse(line) as Event & { sum: string })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    for (const { at } of events) expect(new Date(at).toISOString()).toBe(at)
    for (const line of lines) {
      const body = line.slice(0, line.lastIndexOf(',"sum":'))
      expect(JSON.parse(line)).toMatchObject({ sum: crc32(body).toString(16).padStart(8, '0') })
    }
    const types = new Set(events.map(({ type }) => type))
    for (const type of [
      'run.started',
      'stage.entered',
      'plan.accepted',
      'task.added',
      'task.started',
      'task.finished',
      'work.started',
      'work.finished',
      'check.finished',
      'verdict.given',
      'budget.spent',
      'run.ended',
    ]) {
      expect(types).toContain(type)
    }
    expect(events[0]).toMatchObject({ type: 'run.started', run: '001-make-two-files', workflow: 'supervised' })
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', status: 'completed', reason: null })
    expect(JSON.stringify(events)).not.toContain(project.notes)
  })

  test('status --json has the documented shape', async () => {
    const status = await project.status()
    expect(status).toMatchObject({
      id: '001-make-two-files',
      goal: 'Make two files',
      workflow: 'supervised',
      status: 'completed',
      reason: null,
      stage: 'report',
      health: 'PROGRESSING',
      branch: 'looper/001-make-two-files',
      turns: 2 + 2 * 3 + 1,
      wave: 2,
      questions: [],
      checkpoints: [
        { id: 'C1', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
        { id: 'C2', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      ],
    })
    expect(status.tasks).toMatchObject([
      {
        id: 'T001',
        title: 'first',
        status: 'done',
        attempts: 1,
        fixCycles: 0,
        dependsOn: [],
        parent: null,
        evidence: [{ check: 'test -e T001.txt', exitCode: 0 }],
      },
      {
        id: 'T002',
        title: 'second',
        status: 'done',
        attempts: 1,
        fixCycles: 0,
        dependsOn: ['T001'],
        parent: null,
        evidence: [{ check: 'test -e T001.txt', exitCode: 0 }],
      },
    ])
    expect(Object.keys(status.usage).toSorted()).toEqual(['costUsd', 'inputTokens', 'outputTokens'])
    for (const named of ['1', '001', '001-make-two-files', 'make two', 'last'])
      expect((await project.status(named)).id).toBe(status.id)
    expect(await project.looper('status', 'nothing-like-it', '--json')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('nothing-like-it'),
    })
  })

  test('runs, ls, config and doctor --json have theirs', async () => {
    const [runs, ls, config, doctor, tail] = (await Promise.all(
      [['runs'], ['ls'], ['config'], ['doctor'], ['tail', '-n', '3']].map((args) => project.looper(...args, '--json')),
    )) as [Ended, Ended, Ended, Ended, Ended]
    const [row] = JSON.parse(runs.stdout) as Record<string, unknown>[]
    expect(row).toMatchObject({
      id: '001-make-two-files',
      goal: 'Make two files',
      workflow: 'supervised',
      status: 'completed',
      startedAt: expect.any(String),
      endedAt: expect.any(String),
    })
    expect(row).toMatchObject({
      tasks: { done: 2, total: 2 },
      reason: null,
      unverified: false,
      applied: null,
      discardedAt: null,
      usage: { costUsd: expect.any(Number) },
    })
    expect(JSON.parse(ls.stdout)).toMatchObject([
      { id: 'T001', status: 'done' },
      { id: 'T002', status: 'done' },
    ])
    const settings = JSON.parse(config.stdout) as Record<string, { value: unknown; source: string }>
    for (const entry of Object.values(settings)) expect(Object.keys(entry).toSorted()).toEqual(['source', 'value'])
    expect(settings).toMatchObject({
      workflow: { value: 'supervised', source: 'default' },
      parallel: { value: 4, source: 'default' },
      'limits.timeMinutes': { value: 120, source: 'default' },
      agent: { value: 'sh', source: expect.stringContaining('.looper/config.json') },
      checks: {
        value: [{ name: 'test -e T001.txt', run: 'test -e T001.txt' }],
        source: expect.stringContaining('project'),
      },
    })
    const rows = JSON.parse(doctor.stdout) as Record<string, unknown>[]
    for (const each of rows)
      expect(each).toEqual({
        check: expect.any(String),
        ok: true,
        detail: expect.any(String),
        hint: each['hint'] === null ? null : expect.any(String),
      })
    expect([runs, ls, config, doctor, tail].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(tail.stdout).toBe(`${ended.stdout.trimEnd().split('\n').slice(-3).join('\n')}\n`)
  })

  test('a run leaves its folder, the link to it, and files that only the user can read', () => {
    const dir = join(project.root, '.looper/runs/last')
    for (const file of ['events.jsonl', 'plan.md', 'progress.md', 'report.md'])
      expect(existsSync(join(dir, file))).toBe(true)
    expect(basename(readFileSync(join(dir, 'report.md'), 'utf8').split('\n')[0] ?? '')).toContain('COMPLETED')
    for (const file of ['prompt.md', 'stream', 'stderr'])
      expect(statSync(join(dir, 'turns/plan.r0', file)).mode & 0o077).toBe(0)
    expect(project.git('status', '--porcelain', '--untracked-files=all')).toBe('?? .looper/config.json')
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})
