import { describe, expect, test } from 'vitest'
import { projectWith } from '../../test/kit/definitions.ts'
import { plain, stageIn } from '../../test/kit/loaded-stages.ts'
import { loadPipeline } from './load-pipeline.ts'

describe('the files of loop-agents, as they are', () => {
  const pipelineYaml = `name: full-refine
description: Refine plan then beads
stages:
  - name: plan
    loop: improve-plan
    runs: 5
  - name: beads
    loop: refine-beads
    runs: 5
`
  const loopYaml = `name: my-stage
description: What this stage does
completion: plateau      # beads-empty, plateau, fixed-n, all-items
delay: 3                 # seconds between iterations
min_iterations: 1        # for plateau: start checking after this many
output_parse: plateau:PLATEAU reasoning:REASONING  # extract from output
`

  test('C1: a loop', () => {
    const where = projectWith({
      'scripts/loops/my-stage/loop.yaml': loopYaml,
      'scripts/loops/my-stage/prompt.md': 'Improve ${PROGRESS_FILE}.\n',
    })
    expect(stageIn(where, 'my-stage')).toEqual({
      ...plain,
      name: 'my-stage',
      stage: 'my-stage',
      description: 'What this stage does',
      prompt: 'Improve ${PROGRESS_FILE}.',
      completion: { kind: 'plateau' },
      runs: 25,
      delaySeconds: 3,
      outputParse: [
        { field: 'plateau', label: 'PLATEAU' },
        { field: 'reasoning', label: 'REASONING' },
      ],
    })
  })

  test('C3, C4: a pipeline of built-in stages, one of them by its other name', () => {
    const where = projectWith({ 'scripts/pipelines/full-refine.yaml': pipelineYaml })
    for (const name of ['full-refine', 'full-refine.yaml', 'scripts/pipelines/full-refine.yaml']) {
      expect(loadPipeline(name, where)).toMatchObject({
        name: 'full-refine',
        description: 'Refine plan then beads',
        stages: [
          { name: 'plan', stage: 'improve-plan', runs: 5, completion: { kind: 'plateau' } },
          { name: 'beads', stage: 'refine-tasks', runs: 5, completion: { kind: 'plateau' } },
        ],
      })
    }
  })

  test("C4: the project's own loop goes before the built-in stage of that name", () => {
    const where = projectWith({
      'scripts/pipelines/full-refine.yaml': pipelineYaml,
      'scripts/loops/refine-beads/loop.yaml': loopYaml,
      'scripts/loops/refine-beads/prompt.md': 'With bd.',
    })
    expect(loadPipeline('full-refine', where).stages[1]).toMatchObject({
      stage: 'refine-beads',
      prompt: 'With bd.',
      delaySeconds: 3,
    })
  })
})
