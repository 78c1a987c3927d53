import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../test/kit/cli.ts'
import { baseConfig, checkExit, play, planOf, type Played, type World } from '../../../test/kit/play.ts'
import type { CannotRun } from '../../model/cannot-run.ts'
import type { RunConfig } from '../../model/config.ts'

const paused = (cannotRun: CannotRun | null, changes: Partial<RunConfig> = {}): Played => {
  const world: World = (work) => {
    if (work.kind === 'turn' && work.role === 'planner') return planOf([{ id: 'T001' }])
    return work.kind === 'check' ? checkExit(1, { tail: 'no luck', ...(cannotRun ? { cannotRun } : {}) }) : undefined
  }
  return play(baseConfig({ review: false, baseline: 'pause', ...changes }), world)
}
const envFile: CannotRun = { kind: 'env-file', subject: '.env', line: 'no .env', inCheckout: true }
const answering = (played: Played, stdin: string, tty = true) =>
  call(['run', 'do it'], { played, io: terminal({ tty, stdin }) })

describe('on a terminal a person chooses the way out of a preflight', () => {
  test('which is written to the configuration of the project, and the run goes on', async () => {
    const { code, stderr, app } = await answering(paused(envFile), '1\n')
    expect(stderr).toContain('What should Looper do?\n  1  Copy .env from your checkout into each workspace\n')
    expect(app?.asked.other).toContainEqual([
      'config set',
      { key: 'workspace.copy', values: ['.env'], file: 'project' },
    ])
    expect(app?.asked.resume).toEqual([{ run: '001-x', limits: {}, apply: false }])
    expect(code).toBe(3)
  })

  test('another command is asked for', async () => {
    const { app } = await answering(paused(envFile), '2\npython3 -m unittest\n')
    expect(app?.asked.other).toContainEqual([
      'config set',
      { key: 'checks', values: ['python3 -m unittest'], file: 'project' },
    ])
  })

  test('the value of a variable is asked for', async () => {
    const unset: CannotRun = { kind: 'variable', subject: 'DATABASE_URL', line: 'DATABASE_URL is not set' }
    const { app, stderr } = await answering(paused(unset), '1\npg://localhost/test\n')
    expect(stderr).toContain('The value: ')
    const check = { name: 'test', run: 'npm test', env: { DATABASE_URL: 'pg://localhost/test' } }
    expect(app?.asked.other).toContainEqual([
      'config set',
      { key: 'checks', values: [JSON.stringify(check)], file: 'project' },
    ])
  })

  test('other checks keep their settings when one gets another command or is dropped', async () => {
    const checks = [
      { name: 'lint', run: 'npm run lint' },
      { name: 'unit', run: 'npm test', timeoutMinutes: 5 },
    ]
    const target: CannotRun = { kind: 'target', subject: 'lint', line: 'no lint' }
    const unit = JSON.stringify(checks[1])
    const another = await answering(paused(target, { checks }), '3\ngrep -q "<command>" x\n')
    const lint = JSON.stringify({ name: 'lint', run: 'grep -q "<command>" x' })
    expect(another.app?.asked.other).toContainEqual([
      'config set',
      { key: 'checks', values: [lint, unit], file: 'project' },
    ])
    const dropped = await answering(paused(target, { checks }), '4\n')
    expect(dropped.app?.asked.other).toContainEqual(['config set', { key: 'checks', values: [unit], file: 'project' }])
    expect(dropped.app?.asked.resume).toHaveLength(1)
  })

  test('an action outside Looper is waited for', async () => {
    const port: CannotRun = { kind: 'port', subject: '3000', line: 'in use' }
    const { app, stderr } = await answering(paused(port), '1\n\n')
    expect(stderr).toContain('Stop the program that uses port 3000, then press Enter')
    expect(app?.asked.resume).toHaveLength(1)
    expect((await answering(paused(port), '1\ns\n')).app?.asked.resume).toEqual([])
  })

  test('a red base: fix first, another command, no checks, or stop', async () => {
    const { app, stderr } = await answering(paused(null), '1\n')
    expect(stderr).toMatch(/1 {2}Repair the checks first.*\n {2}2 {2}Give test another.*\n {2}3 {2}Switch the checks/)
    expect(app?.asked.other).toContainEqual(['config set', { key: 'baseline', values: ['fix-first'], file: 'project' }])
    const off = await answering(paused(null), '3\n')
    expect(off.app?.asked.other).toContainEqual(['config set', { key: 'checks', values: ['[]'], file: 'project' }])
  })

  test.each(['s\n', '\n', '9\n', ''])('s, Enter and the end of the input leave it paused: %j', async (stdin) => {
    const { code, app } = await answering(paused(envFile), stdin)
    expect([code, app?.asked.resume]).toEqual([3, []])
  })

  test('what is none of the ways out is asked again', async () => {
    const { stderr, app } = await answering(paused(envFile), '9\nyes\n1\n')
    expect(stderr).toMatch(/> "9" is none of these\. Type a number from 1 to \d, or s: "yes" is none of these\./)
    expect(app?.asked.resume).toHaveLength(1)
  })

  test('a long way out continues below itself', async () => {
    const io = { ...terminal({ tty: true, stdin: 's\n' }), columns: 50 }
    const { stderr } = await call(['run', 'do it'], { played: paused(null), io })
    expect(stderr).toContain('  1  Repair the checks first: a task of its own\n     comes before all others\n')
  })

  test('without a terminal nothing is asked', async () => {
    const { code, stderr, app } = await answering(paused(envFile), '1\n', false)
    expect(stderr).not.toContain('What should Looper do?')
    expect([code, app?.asked.resume]).toEqual([3, []])
  })
})
