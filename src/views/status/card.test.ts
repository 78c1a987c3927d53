import { expect, test } from 'vitest'
import { sampleConfig } from '../../../test/kit/state.ts'
import { noPaint } from '../text/paint.ts'
import { card, cardLine, reserveOf, type CardInput } from './card.ts'
import { consentText } from './consent.ts'

const input: CardInput = {
  run: '001-add-auth',
  goal: 'Add\nauth\u001B[2J',
  workflow: 'supervised',
  agent: { name: 'claude', model: null, from: 'the installed one' },
  roles: [{ role: 'planner', agent: 'claude', model: 'opus' }],
  checks: {
    list: [
      { name: 'test', run: 'npm test' },
      { name: 'make lint', run: 'make lint' },
    ],
    from: 'found in package.json',
  },
  setup: ['npm ci'],
  review: true,
  branch: 'looper/001-add-auth',
  base: { commit: '1234567890abcdef', branch: 'main' },
  mode: 'worktree',
  parallel: 4,
  limits: sampleConfig().limits,
  uncommitted: 2,
  sandbox: 'os',
}

test('the card says what will happen', () => {
  expect(card(input)).toMatchInlineSnapshot(`
    "goal    Add auth
    run     001-add-auth · workflow supervised
    agent   claude · the installed one
            planner: claude (opus)
    checks  test (npm test), make lint · found in package.json
    setup   npm ci
    branch  looper/001-add-auth from 12345678 (main)
    where   a worktree for each task, up to 4 at a time
    limits  2h 00m · $25.00 · 3 attempts a task · 3 fixes an attempt
    rights  agents run any command in a sandbox (os): they write only to their worktree, caches and their own state; credentials are hidden; they see only allowed variables of your environment
    note    2 files with uncommitted changes in your checkout: left alone, and not part of the run
    "
  `)
})

test('the card and the consent name every agent that may work', () => {
  const config = sampleConfig({
    agent: 'a',
    roles: { planner: { agent: 'p' } },
    rotation: ['a', 'r'],
    agents: { a: { command: ['a'], fallback: ['f'] }, own: { command: ['own'] }, claude: {} },
  })
  const reserve = reserveOf(config)
  expect(reserve).toEqual(['f', 'r', 'own'])
  expect(card({ ...input, reserve })).toContain('\n        when work stalls: f, r, own\nchecks ')
  expect(consentText({ ...input, reserve }, [], noPaint, null)).toContain('claude, f, r, own change files and run')
  expect(card({ ...input, reserve: [] })).toBe(card(input))
})

test('without checks, review and limits it says so', () => {
  const limits = { ...input.limits, timeMinutes: null, costUsd: null }
  const checks = { list: [], from: 'configured' }
  expect(
    card({
      ...input,
      run: null,
      checks,
      review: false,
      mode: 'in-place',
      uncommitted: 1,
      roles: [],
      setup: [],
      limits,
      sandbox: 'off',
    }),
  ).toMatchInlineSnapshot(`
      "goal    Add auth
      run     workflow supervised
      agent   claude · the installed one
      checks  none: everything will be unverified
      review  off: checks alone decide
      branch  looper/001-add-auth from 12345678 (main)
      where   in place: agents edit your checkout
      limits  3 attempts a task · 3 fixes an attempt · no time limit · no cost limit
      rights  agents run any command with your rights, starting in your checkout (sandbox off); changes elsewhere are reported, not prevented; they see only allowed variables of your environment
      note    1 file not committed in your checkout: agents will see and may change them
      "
    `)
})

test('after the person has agreed, the card has only what the question did not show', () => {
  const rows = (text: string): string[] => text.split('\n').map((line) => line.split(' ')[0] ?? '')
  const [whole, agreed] = [rows(card(input)), rows(card(input, noPaint, null, { isAgreed: true }))]
  expect(whole.filter((name) => !agreed.includes(name))).toEqual(['checks', 'rights'])
  expect(consentText(input, [], noPaint, null)).toMatch(/^rights .*\n[^]*^proof /m)
})

test('a run that goes on has one line', () => {
  expect(cardLine(input, noPaint, null)).toBe('goal    Add auth\n')
  expect(cardLine({ ...input, goal: '' }, noPaint, null)).toBe('run     001-add-auth · workflow supervised\n')
})
