import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleTurn } from '../../test/kit/state.ts'
import { createMask } from '../agents/mask.ts'
import { claudeAdapter } from '../agents/claude/index.ts'
import { defaultOutputLimits, openOutput } from './output.ts'
import { createQuotas } from './quotas.ts'
import { createFolder, turnFolder } from './turn-folder.ts'

const recorded = resolve(import.meta.dirname, '../../test/recordings/claude-2.1.325/subscription-usage-limit-429.jsonl')

test('the newest report of each quota is kept', async () => {
  const runDir = mkdtempSync(join(tmpdir(), 'looper-quotas-'))
  onTestFinished(() => rmSync(runDir, { recursive: true }))
  const folder = turnFolder(runDir, 'plan/r0', 1)
  createFolder(folder)
  copyFileSync(recorded, folder.stream)
  const parser = claudeAdapter.parser({
    agent: {},
    work: sampleTurn({ role: 'planner', purpose: 'plan' }),
    startedAt: '2026-11-16T00:00:00.000Z',
  })
  const output = openOutput({ folder, parser, mask: createMask({}, []) }, defaultOutputLimits)
  await output.readAll()
  output.close()
  expect(output.quotas()).toEqual([{ name: 'five_hour', used: 1, resetsAt: '2026-11-17T01:54:00.000Z' }])
})

test('of endless quotas only the newest are kept, those reported again as new ones, under names that have an end', () => {
  const quotas = createQuotas(createMask({ MY_SECRET: 'swordfish' }, ['MY_SECRET']))
  const long = (number: number) => `…${'x'.repeat(98)}${number}`
  const note = (name: string, used = 0) => quotas.record({ name, used, resetsAt: null })
  note('first')
  for (let number = 0; number < 1_000; number++) {
    note(`q${number}`)
    note('first', number / 1_000)
    note(`${'x'.repeat(1_000)}${number % 3}`)
    expect(quotas.list().length).toBeLessThanOrEqual(5)
  }
  expect(quotas.list().map(({ name }) => name)).toEqual(['q998', long(2), 'q999', 'first', long(0)])
  expect(quotas.list().find(({ name }) => name === 'first')?.used).toBe(0.999)
  note('of swordfish')
  expect(quotas.list().at(-1)?.name).toBe('of [MY_SECRET]')
})
