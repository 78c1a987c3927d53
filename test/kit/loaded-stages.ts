/** Loads stages and refusals of definitions, for tests of pipelines. */
import { expect } from 'vitest'
import { LooperError } from '../../src/model/error.ts'
import type { LoopStage } from '../../src/model/loop.ts'
import type { Where } from '../../src/pipelines/find-definition.ts'
import { loadPipeline } from '../../src/pipelines/load-pipeline.ts'

export const stageIn = (where: Where, name: string): LoopStage =>
  loadPipeline(name, { ...where, single: true }).stages[0]!

export function refused(load: () => unknown): string {
  try {
    load()
  } catch (error) {
    expect(error).toBeInstanceOf(LooperError)
    return (error as LooperError).message
  }
  throw new Error('it was not refused')
}

export const plain: LoopStage = {
  name: 'my',
  stage: 'my',
  description: 'What it does',
  prompt: 'Do it.',
  completion: { kind: 'fixed-n' },
  minIterations: 1,
  runs: 2,
  delaySeconds: 0,
  agent: null,
  model: null,
  perspectives: [],
  outputParse: [],
  checks: true,
}
