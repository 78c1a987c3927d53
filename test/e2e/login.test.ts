/** An agent that cannot answer is known before a run starts: without a login, or without its script. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, noted, projects } from '../kit/outside.ts'
import type { Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const create = projects()

/** A project whose agent is a program that answers like Claude Code and records how it was called. */
function withClaude(loggedIn: boolean, config: Record<string, unknown> = {}): { project: Project; path: string } {
  const project = create()
  const bin = join(dirname(project.root), 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'claude'),
    `#!/bin/sh
echo "$*" >> '${join(project.notes, 'claude')}'
case "$1" in
  --version) echo '2.1.325 (Claude Code)';;
  auth) echo '{"loggedIn":${String(loggedIn)}}';;
  *) exit 9;;
esac
`,
    { mode: 0o755 },
  )
  const check = `echo ran >> ${join(project.notes, 'check')}`
  project.write('.looper/config.json', JSON.stringify({ agent: 'claude', checks: [check], ...config }))
  return { project, path: `${bin}:${process.env['PATH']}` }
}

const advice = 'Run `claude` once and log in, or set ANTHROPIC_API_KEY, then try again.'

describe('G1: an agent without a login', () => {
  test.each([
    ['here', ['run', 'do it']],
    ['in a process of its own', ['run', 'do it', '-d']],
  ])('is named before the first check, exit 3: %s', async (_, args) => {
    const { project, path } = withClaude(false)
    const { code, stderr } = await call(project, args, { env: { PATH: path } })
    expect({ code, stderr }).toEqual({ code: 3, stderr: `looper: claude is not logged in.\n  ${advice}\n` })
    expect(noted(project, 'check')).toEqual([])
    expect((await project.looper('runs')).stdout).toMatch(/^No runs yet/)
  })

  test('a dry run says so below the card', async () => {
    const { project, path } = withClaude(false)
    const { code, stdout, stderr } = await call(project, ['run', 'do it', '--dry-run'], { env: { PATH: path } })
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('claude is not logged in') })
    expect(stdout).toContain('agent   claude')
  })

  test('a key in the environment is a login: the program is not asked', async () => {
    const { project, path } = withClaude(false)
    await call(project, ['run', 'do it', '--dry-run'], { env: { PATH: path, ANTHROPIC_API_KEY: 'sk-1' } })
    expect(noted(project, 'claude')).toEqual([])
  })

  test('one that only reviews is not needed where nothing is reviewed', async () => {
    const { project, path } = withClaude(false)
    const config = { agent: 'mine', agents: { mine: { command: ['true'] } }, roles: { tester: { agent: 'claude' } } }
    const dryRun = (review: boolean) => {
      project.write('.looper/config.json', JSON.stringify({ ...config, review, checks: ['true'] }))
      return call(project, ['run', 'do it', '--dry-run'], { env: { PATH: path } })
    }
    expect((await dryRun(false)).code).toBe(0)
    expect((await dryRun(true)).code).toBe(3)
  })
})

test('an agent whose script does not exist is refused, exit 2', async () => {
  const { project, path } = withClaude(true, { agent: 'mine', agents: { mine: { command: ['node', 'nope.mjs'] } } })
  const { code, stderr } = await call(project, ['run', 'do it'], { env: { PATH: path } })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `looper: node nope.mjs: there is no nope.mjs in ${project.root}\n  Write it, or fix "agents.mine.command" in .looper/config.json.\n`,
  })
  expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
})

test('a run without a goal says that first, and not that there is no agent', async () => {
  const project = create()
  project.write('.looper/config.json', '{}')
  const { code, stderr } = await call(project, ['run'], { env: { PATH: '/usr/bin:/bin' } })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('needs a goal') })
})
