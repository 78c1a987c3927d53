import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleTurn } from '../../test/kit/state.ts'
import { claudeAdapter } from '../agents/claude/index.ts'
import { defaultOutputLimits, openOutput } from './output.ts'
import { createFolder, turnFolder } from './turn-folder.ts'

const recorded = resolve(import.meta.dirname, '../../test/recordings/claude-2.1.325/subscription-usage-limit-429.jsonl')

test('what an agent tells of its quotas is kept, the newest of each', async () => {
  const runDir = mkdtempSync(join(tmpdir(), 'looper-quotas-'))
  onTestFinished(() => rmSync(runDir, { recursive: true }))
  const folder = turnFolder(runDir, 'plan/r0', 1)
  createFolder(folder)
  copyFileSync(recorded, folder.stream)
  const parser = claudeAdapter.parser({ agent: {}, work: sampleTurn({ role: 'planner', purpose: 'plan' }), startedAt: '2026-11-16T00:00:00.000Z' })
  const output = openOutput(folder, parser, defaultOutputLimits)
  await output.readAll()
  output.close()
  expect(output.quotas()).toEqual([{ name: 'five_hour', used: 1, resetsAt: '2026-11-17T01:54:00.000Z' }])
})
