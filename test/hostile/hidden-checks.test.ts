import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, noted, projects } from '../kit/outside.ts'
import type { Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

describe('hidden checks', () => {
  const agent = `
import { execFileSync } from 'node:child_process'
const seen = execFileSync('sh', ['-c', 'env; cat -- .looper/* 2>/dev/null; git log -p --all 2>/dev/null; git for-each-ref'], { encoding: 'utf8', maxBuffer: 1e9 })
note('seen', String(/quiet-owl|canary-77/.test(seen + prompt)))
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'one' }] })
if (role === 'coder') { write('made.txt', /A held-out check failed/.test(prompt) ? 'right' : 'wrong'); answer({ status: 'complete' }) }
`
  const config = {
    review: false,
    checks: ['true'],
    limits: { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 2 },
  }

  test('of .looper/hidden-checks.json decide, and no agent finds them in its workspace, prompt, environment or refs', async () => {
    const project = create({ agent, config })
    project.write(
      '.looper/hidden-checks.json',
      '[{ "name": "quiet-owl", "run": "grep -q right made.txt # canary-77" }]',
    )
    const { code, stdout, stderr } = await call(project, ['run', 'make it'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('quiet-owl')
    expect(new Set(noted(project, 'seen'))).toEqual(new Set(['false']))
    const checks = project
      .events()
      .flatMap((event) => (event.type === 'check.finished' && event.check === 'quiet-owl' ? [event] : []))
    expect(checks.map(({ passed, hidden }) => [passed, hidden])).toContainEqual([false, true])
    expect(checks.at(-1)).toMatchObject({ passed: true })
    expect(project.git('check-ignore', '.looper/hidden-checks.json')).not.toBe('')
  })

  /** The run is refused, and doctor says the same. */
  async function expectRefused(project: Project, file: string, remedy: string): Promise<void> {
    const detail = `the check "held-out" is hidden, but it is in ${file}, which is committed: every workspace holds it`
    const { code, stdout, stderr } = await call(project, ['run', 'make it'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(detail)
    expect(stderr).toContain(remedy)
    const rows = JSON.parse((await call(project, ['doctor', '--json'])).stdout) as { check: string }[]
    expect(rows.find(({ check }) => check === 'hidden checks')).toMatchObject({ ok: false, detail, hint: remedy })
  }

  const heldOut = { name: 'held-out', run: 'test -e .', hidden: true }
  const remedy = 'Move it to .looper/hidden-checks.json, which git ignores, and commit .looper/config.json without it.'

  test('in a committed configuration are refused until it is committed without them', async () => {
    const project = create({ agent, config })
    project.configure({ ...config, checks: ['true', heldOut] })
    project.git('add', '-f', '.looper/config.json')
    project.git('commit', '-qm', 'settings')
    rmSync(join(project.root, '.looper/.gitignore'), { force: true })
    await expectRefused(project, '.looper/config.json', remedy)
    expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
    expect(project.git('check-ignore', '.looper/hidden-checks.json')).toBe('.looper/hidden-checks.json')
    project.configure(config)
    project.write('.looper/hidden-checks.json', JSON.stringify([{ name: 'held-out', run: 'test -e .' }]))
    await expectRefused(project, '.looper/config.json', remedy)
    project.git('commit', '-qam', 'settings')
    expect(await call(project, ['run', 'make it'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('in a hidden-checks.json that is committed are refused', async () => {
    const project = create({ agent, config })
    project.write('.looper/hidden-checks.json', JSON.stringify([heldOut]))
    project.git('add', '-f', '.looper/hidden-checks.json')
    project.git('commit', '-qm', 'settings')
    const untrack = 'Run: git rm --cached .looper/hidden-checks.json && git commit'
    await expectRefused(project, '.looper/hidden-checks.json', untrack)
  })

  test.each<[string, (project: Project) => void]>([
    ['the configuration', (project) => project.configure({ ...config, checks: ['true', heldOut] })],
    [
      'the configuration of the user',
      (project) => {
        project.configure({ ...config, checks: undefined })
        const folder = join(dirname(project.root), '.config/looper')
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'config.json'), JSON.stringify({ checks: ['true', heldOut] }))
      },
    ],
  ])('in a hidden-checks.json that is committed, then deleted and moved to %s, are refused', async (_, move) => {
    const project = create({ agent, config })
    project.write('.looper/hidden-checks.json', JSON.stringify([{ name: 'held-out', run: 'test -e .' }]))
    project.git('add', '-f', '.looper/hidden-checks.json')
    project.git('commit', '-qm', 'settings')
    rmSync(join(project.root, '.looper/hidden-checks.json'))
    move(project)
    const untrack = 'Run: git rm --cached .looper/hidden-checks.json && git commit'
    await expectRefused(project, '.looper/hidden-checks.json', untrack)
    project.git('rm', '-q', '--cached', '.looper/hidden-checks.json')
    project.git('commit', '-qm', 'without it')
    expect(await call(project, ['run', 'make it'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('in a committed file that hidden-checks.json is a link to are refused', async () => {
    const project = create({ agent, config })
    project.write('tools/held out.json', JSON.stringify([heldOut]))
    project.git('add', 'tools')
    project.git('commit', '-qm', 'settings')
    symlinkSync('../tools/held out.json', join(project.root, '.looper/hidden-checks.json'))
    await expectRefused(project, 'tools/held out.json', "Run: git rm --cached 'tools/held out.json' && git commit")
    project.git('rm', '-q', '--cached', 'tools/held out.json')
    project.git('commit', '-qm', 'without it')
    expect(await call(project, ['run', 'make it'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('that are committed later do not keep a run from being forked', async () => {
    const project = create({ agent, config })
    expect(await call(project, ['run', 'make it'])).toMatchObject({ code: 0 })
    project.configure({ ...config, checks: ['true', heldOut] })
    project.git('add', '-f', '.looper/config.json')
    project.git('commit', '-qm', 'settings')
    expect((await call(project, ['run', 'make it'])).code).toBe(2)
    const { code, stderr } = await call(project, ['fork', '001', '--at', '3'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('the check "held-out" is hidden')])
  })

  test('of a run in place are warned about', async () => {
    const project = create({ agent, config })
    project.write('.looper/hidden-checks.json', JSON.stringify([heldOut]))
    const { stderr } = await call(project, ['run', '--in-place', 'make it'])
    expect(stderr).toContain('in place, agents can read the hidden checks in .looper/hidden-checks.json')
  })

  test.each([
    ['{ "checks": [{ "name": "a" }] }', '"checks[0].run" is missing'],
    ['{"check": []}', '"checks" must be a list'],
    ['["true"]', 'there are two checks named "true"'],
    ['[', 'hidden-checks.json:1:'],
  ])('that are written wrongly are refused in one line: %s', async (text, message) => {
    const project = create({ agent, config })
    project.write('.looper/hidden-checks.json', text)
    const { code, stdout, stderr } = await call(project, ['run', 'make it'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('.looper/hidden-checks.json')
    expect(stderr).toContain(message)
  })
})
