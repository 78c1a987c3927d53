/** Agents and checks that print, answer and commit secrets: no spelling of one is stored, shown, sent or landed. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, noted, ownAgent, projects } from '../kit/outside.ts'
import type { Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const secrets = {
  MY_TOKEN: 'tok/4f9a+77c1=zq"8',
  DATABASE_URL: 'postgres://app:pa55%2Bw0rd%2Fx1@db.example.org:5432/app',
  SMTP_PASS: 'brown-fox-9021',
}
const values = [secrets.MY_TOKEN, 'pa55%2Bw0rd%2Fx1', 'pa55+w0rd/x1', secrets.SMTP_PASS]

/** JavaScript that makes `spellings`: every value in every way in which programs write it down. */
const spelling = `
const b64 = (text) => Buffer.from(text).toString('base64')
const password = decodeURIComponent(new URL(process.env.DATABASE_URL ?? 'x:y').password)
const spellings = [process.env.MY_TOKEN, process.env.DATABASE_URL, process.env.SMTP_PASS, password].filter(Boolean).flatMap((value) => [
  value, b64(value), b64('x' + value), b64('xy' + value + '!'), Buffer.from('user:' + value).toString('base64url'), encodeURIComponent(value),
  encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()), 'https://me:' + encodeURIComponent(value) + '@example.org/',
  JSON.stringify({ value }), Buffer.from(value).toString('hex'), new URLSearchParams({ value }).toString(),
])
`
const forms = values.flatMap((value) => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('hex'),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ...[1, 2].map((before) => {
    const text = Buffer.from('x'.repeat(before) + value).toString('base64')
    return text.slice([0, 2, 3][before], Math.floor(((before + Buffer.byteLength(value)) * 8) / 6))
  }),
])

const below = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return lstatSync(path).isDirectory() ? below(path) : lstatSync(path).isFile() ? [path] : []
  })

const leaksIn = (place: string, text: string): string[] =>
  forms.filter((form) => text.includes(form)).map((form) => `${place}: ${form}`)

const readers = [
  ['status'],
  ['status', '--json'],
  ['ls'],
  ['ls', '--json'],
  ['runs'],
  ['runs', '--json'],
  ['report'],
  ['tail', '-n', 'all'],
  ['tail', '--json', '-n', 'all'],
  ['logs'],
  ['logs', '--json'],
  ['explain'],
  ['diff'],
  ['stats'],
  ['config'],
  ['config', '--json'],
  ['doctor'],
  ['doctor', '--json'],
]

/** Everything that a run leaves behind and every command says of it. */
async function leaks(project: Project, printed: string): Promise<string[]> {
  const env = secrets
  const said = await Promise.all(
    readers.map(async (args) => {
      const { stdout, stderr } = await call(project, args, { env })
      return leaksIn(`looper ${args.join(' ')}`, stdout + stderr)
    }),
  )
  const kept = below(join(project.root, '.looper')).filter((path) => !path.includes('/worktrees/'))
  expect(kept.length).toBeGreaterThan(15)
  return [
    ...leaksIn('the terminal', printed),
    ...said.flat(),
    ...kept.flatMap((path) => leaksIn(path, readFileSync(path, 'utf8'))),
    ...leaksIn('git', project.git('log', '-p', '--single-worktree', '--all', '--format=%H%n%an%n%B%n%D')),
    ...leaksIn('git', project.git('for-each-ref')),
    ...leaksIn(
      'the files',
      below(project.root)
        .filter((path) => !/\/\.(?:git|looper)\//.test(path))
        .map((path) => readFileSync(path, 'utf8'))
        .join('\n'),
    ),
  ]
}

const branchOf = (project: Project): string =>
  project.events().flatMap((event) => (event.type === 'run.started' ? [event.branch] : []))[0] ?? ''

const pass = ['MY_TOKEN', 'DATABASE_URL', 'SMTP_PASS']
const talking = `${spelling}
const all = spellings.join(' ')
for (const each of spellings) {
  process.stderr.write(each + '\\n'); process.stdout.write(each + '\\n')
  say({ type: 'message', text: each }); say({ type: 'tool_use', name: 'run', input: { each } })
}
`
/** An agent with the given steps of a coder, configured with a check that prints every secret. */
function makeProject(coder: string, more: Record<string, unknown> = {}): Project {
  const project = create({
    agent: `import { execFileSync } from 'node:child_process'
${talking}
if (role === 'planner') answer({ analysis: all, tasks: [{ id: 'T001', title: 'one ' + all, description: all, criteria: [all] }] })
if (role === 'coder') { ${coder} }
`,
    files: { 'print.mjs': `${spelling}\nconsole.log(spellings.join('\\n')); console.error(spellings.join(' '))\n` },
  })
  project.configure({
    agents: { test: { ...ownAgent(project), pass } },
    checks: [{ name: 'print', run: 'node print.mjs', pass }],
    review: false,
    parallel: 1,
    limits: { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 2 },
    ...more,
  })
  return project
}

describe('secrets', () => {
  test('that agents and checks print, answer and name tasks with are not kept, shown or landed', async () => {
    const project = makeProject(
      `write('made.txt', 'fine'); answer({ status: 'complete', summary: all, decisions: [{ title: all, choice: all }] })`,
    )
    const { code, stdout, stderr } = await call(project, ['run', `say ${secrets.SMTP_PASS} to everybody`], {
      env: secrets,
    })
    expect(code).toBe(0)
    expect(stdout).toContain('[MY_TOKEN]')
    expect(await leaks(project, stdout + stderr)).toEqual([])
    expect(project.git('log', '-1', '--format=%B', branchOf(project))).toContain('[MY_TOKEN]')
  })

  test('in the tree are a BLOCKER that names the place, and the fixed change lands', async () => {
    const project = makeProject(`
note('prompt', /holds the value of/.test(prompt) ? 'fix: ' + prompt.match(/^- .*holds the value of.*$/m)[0] : 'first')
if (/holds the value of/.test(prompt)) { fs.rmSync('secret-' + env.SMTP_PASS, { force: true }); fs.rmSync('data.bin', { force: true }); write('config.js', 'process.env.MY_TOKEN') }
else {
  write('config.js', 'one\\nconst token = ' + JSON.stringify(b64('me:' + env.MY_TOKEN))); write('secret-' + env.SMTP_PASS, 'x')
  fs.writeFileSync('data.bin', Buffer.concat([Buffer.alloc(8), Buffer.from(env.MY_TOKEN)]))
  execFileSync('git', ['add', '-A']); execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'use ' + env.MY_TOKEN])
}
answer({ status: 'complete', summary: 'done' })`)
    const { code, stdout, stderr } = await call(project, ['run', 'use the token'], { env: secrets })
    expect(code).toBe(0)
    expect(noted(project, 'prompt')).toEqual(['first', 'fix: - config.js:2 holds the value of MY_TOKEN'])
    const raised = project.events().flatMap((event) => (event.type === 'finding.raised' ? [event] : []))
    expect(raised).toMatchObject([{ severity: 'BLOCKER', title: 'the change holds a secret' }])
    expect(raised[0]?.detail.split('\n')).toEqual([
      'config.js:2 holds the value of MY_TOKEN',
      'data.bin:1 holds the value of MY_TOKEN',
      'the name of the file secret-[SMTP_PASS] holds the value of SMTP_PASS',
    ])
    expect(await leaks(project, stdout + stderr)).toEqual([])
    expect(project.git('ls-tree', '-r', '--name-only', branchOf(project))).toBe('README.md\nconfig.js\nprint.mjs')
  })

  test('in a change that is never fixed do not land, and no ref keeps them', async () => {
    const project = makeProject(`write('config.js', env.MY_TOKEN + attempt); execFileSync('git', ['add', '-A'])
execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'use ' + env.MY_TOKEN, '--allow-empty']); answer({ status: 'complete', summary: all })`)
    const { code, stdout, stderr } = await call(project, ['run', 'use the token'], { env: secrets })
    expect(code).toBe(1)
    expect(stdout).toContain('the change holds a secret')
    expect(await leaks(project, stdout + stderr)).toEqual([])
  })
})

describe('a backlog', () => {
  const backlog = `{ "tasks": [{ "id": "A", "title": "log in with ${secrets.SMTP_PASS}", "status": "open" }] }`
  const config = {
    workflow: 'backlog',
    review: false,
    checks: ['true'],
    parallel: 1,
    limits: { fixCycles: 0, iterations: 4 },
  }

  test('that holds a secret itself is worked through as it is, and the run reports nothing of it', async () => {
    const project = create({
      agent: `note('asked', prompt.includes('${secrets.SMTP_PASS}') ? 'shown' : 'masked')
write('made.txt', 'x'); answer({ task_id: 'A', status: 'done', summary: 'used ${secrets.SMTP_PASS}' })`,
    })
    project.configure({ ...config, agents: { test: ownAgent(project) } })
    project.write('to-do.json', backlog)
    const { code, stdout, stderr } = await call(project, ['run'], { env: secrets })
    expect(code).toBe(0)
    expect(new Set(noted(project, 'asked'))).toEqual(new Set(['masked']))
    const { tasks } = JSON.parse(project.read('to-do.json')) as {
      tasks: { title: string; status: string; summary?: string }[]
    }
    expect(tasks).toMatchObject([{ title: `log in with ${secrets.SMTP_PASS}`, status: 'done' }])
    expect(JSON.stringify(tasks[0]).split(secrets.SMTP_PASS)).toHaveLength(2)
    expect(leaksIn('journal', JSON.stringify(project.events()))).toEqual([])
    expect(leaksIn('terminal', stdout + stderr)).toEqual([])
  })
})

describe('the environment of checks and set-up', () => {
  test('is the allow-list, what the configuration adds, and a hint where a failure names what is missing', async () => {
    const project = makeProject(`write('made.txt', 'fine'); answer({ status: 'complete' })`, {
      workspace: {
        setup: [
          'node -e "console.log(Object.keys(process.env).join())" > /dev/null; test "$SETUP_MODE/$SMTP_PASS" = fast/',
        ],
        env: { SETUP_MODE: 'fast' },
      },
      checks: [
        {
          name: 'sees',
          run: 'test "$MODE/$MY_TOKEN/$ANTHROPIC_API_KEY/$GOFLAGS" = "one/$WANTED//-mod=mod"',
          env: { MODE: 'one', WANTED: 'x-token-1' },
          pass: ['MY_TOKEN'],
        },
        { name: 'misses', run: 'test -n "$DATABASE_URL" || { echo "DATABASE_URL is not set"; exit 1; }' },
      ],
      baseline: 'off',
    })
    const env = { ...secrets, MY_TOKEN: 'x-token-1', ANTHROPIC_API_KEY: 'sk-ant-0123456789', GOFLAGS: '-mod=mod' }
    const { stdout } = await call(project, ['run', 'look around'], { env })
    const checks = project.events().flatMap((event) => (event.type === 'check.finished' ? [event] : []))
    expect(checks.find(({ check }) => check === 'sees')).toMatchObject({ passed: true })
    const misses = checks.find(({ check }) => check === 'misses')
    expect(misses).toMatchObject({ passed: false })
    expect(misses?.tail).toContain(
      'DATABASE_URL is set in your environment and not passed on: add it to "checks[].pass"',
    )
    expect(stdout).not.toContain('x-token-1')
    expect(JSON.stringify(project.events())).not.toMatch(/x-token-1|"env":|"pass":\["MY_TOKEN"\]/)
  })

  test('a command that holds a secret itself is refused before anything is written', async () => {
    const project = makeProject('', { checks: [`curl -u me:${secrets.SMTP_PASS} localhost`] })
    const { code, stdout, stderr } = await call(project, ['run', 'x'], { env: secrets })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /The command of the check ".*\[SMTP_PASS\].*" holds the value of SMTP_PASS\.[^]*add SMTP_PASS to "checks\[\]\.pass"/,
    )
    expect(stderr).not.toContain(secrets.SMTP_PASS)
  })
})
