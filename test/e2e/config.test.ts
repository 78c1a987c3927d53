/** Settings as people and scripts meet them: the built program, real files. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project | null = null
afterEach(() => {
  project?.remove()
  project = null
})
const make = (...options: Parameters<typeof createProject>): Project => (project = createProject(...options))

test('D6: a setting is written, read, overruled and taken out', async () => {
  const { looper, read, root } = make({ config: { parallel: 3 } })
  expect(await looper('config', 'get', 'parallel')).toEqual({ code: 0, stdout: '3\n', stderr: '' })
  expect(await looper('config', 'set', 'limits.costUsd', '5')).toEqual({
    code: 0,
    stdout: 'limits.costUsd is now 5 in .looper/config.json\n',
    stderr: '',
  })
  expect(JSON.parse(read('.looper/config.json'))).toMatchObject({ parallel: 3, limits: { costUsd: 5 } })
  expect((await looper('config', '--json', '--cost-usd', '6')).stdout).toContain('"flag --cost-usd"')
  expect(await looper('config', 'set', 'limits.costUsd', '--unset')).toMatchObject({
    code: 0,
    stdout: 'limits.costUsd removed from .looper/config.json\n',
  })
  expect((await looper('config', 'get', 'limits.costUsd')).stdout).toBe('25\n')
  expect((await looper('config', 'set', '--user', 'review', 'no')).stdout).toBe(
    'review is now false in ~/.config/looper/config.json\n',
  )
  expect(existsSync(join(root, '../.config/looper/config.schema.json'))).toBe(true)
  expect((await looper('config')).stdout).toMatch(/^review +false +user \(~\/\.config\/looper\/config\.json\)$/m)
  expect((await looper('config', 'path')).stdout.split('\n').filter(Boolean)).toHaveLength(2)
})

test('D6: an unknown key or an invalid value is refused with exit 2', async () => {
  const { looper, read } = make({ config: { parallel: 3 } })
  expect(await looper('config', 'get', 'paralel')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('did you mean "parallel"?'),
  })
  const before = read('.looper/config.json')
  expect(await looper('config', 'set', 'workspace.mode', 'in-place')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Nothing was written.'),
  })
  expect(read('.looper/config.json')).toBe(before)
  expect(await looper('config', 'set')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing required argument 'key'"),
  })
  expect(await looper('config', '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('looper config set parallel 2'),
  })
})

test('D6: no secrets are shown', async () => {
  const { looper } = make({ config: { notify: { webhook: 'https://hooks.example/secret-path' } } })
  await looper('config', 'set', 'agents.claude.env.KEY', 'deep-secret')
  const shown = await Promise.all(
    [
      ['config'],
      ['config', '--json'],
      ['config', 'get', 'agents', '--json'],
      ['config', 'get', 'notify'],
      ['config', 'get', 'agents.claude.env.KEY'],
    ].map((argv) => looper(...argv)),
  )
  for (const { code, stdout, stderr } of shown) {
    expect(code).toBe(0)
    expect(stdout + stderr).not.toMatch(/deep-secret|secret-path/)
  }
})

test('D6: settings that are written at the same time are all kept', async () => {
  const { looper, read } = make()
  const names = Array.from({ length: 8 }, (_, at) => `KEY_${at}`)
  const done = await Promise.all(names.map((name) => looper('config', 'set', `agents.claude.env.${name}`, 'value')))
  expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
  const { agents } = JSON.parse(read('.looper/config.json')) as { agents: { claude: { env: object } } }
  expect(Object.keys(agents.claude.env).toSorted()).toEqual(names)
})

test('a path of the sandbox that does not exist, and an editable installation of the checkout: the card and doctor warn', async () => {
  const config = { review: false }
  const { looper, looperThrough, root } = make({ config, sandbox: 'os', files: { 'pyproject.toml': '' } })
  const packages = join(dirname(root), '.local/lib/python3.12/site-packages')
  mkdirSync(packages, { recursive: true })
  writeFileSync(join(packages, '__editable__.tool.pth'), `${root}/src\n`)
  const [allow, editable] = [
    /"sandboxAllow" names ~\/\.typo, which does not exist/,
    /__editable__\.tool\.pth: leads into your checkout/,
  ]
  // The environment of the kit sets the key.
  const through = ['env', 'LOOPER_SANDBOX_ALLOW=~/.typo'] as const
  for (const words of [['doctor'], ['run', 'make two files']]) {
    const { stdout, stderr } = await looperThrough(through, ...words)
    expect(stdout + stderr).toMatch(allow)
    expect(stdout + stderr).toMatch(editable)
  }
  rmSync(packages, { recursive: true })
  expect((await looper('doctor')).stdout).not.toMatch(editable)
})
