import { expect, test } from 'vitest'
import { done, failed, unverified } from '../../../test/kit/report-samples.ts'
import { sampleState, sampleTask } from '../../../test/kit/state.ts'
import { planMd } from './plan-md.ts'

test('plan.md has the status on its first line and check boxes', () => {
  const child = sampleTask({ id: 'T003.1', parent: 'T003', title: 'Half', dependsOn: ['T001'] })
  const big = { ...failed, title: 'Big', criteria: [], reason: 'no luck' }
  expect(planMd(sampleState({ tasks: [done, unverified, big, child] }))).toMatchInlineSnapshot(`
    "Status: running · 2/4 done · 1 failed

    # Plan: Add authentication

    Accepted · score 82

    - [x] **T001** Add the parser (medium)
      - \\\`npm test\\\` passes
      - Errors name the line
      - npm test passes in under a second
    - [x] **T002** Documentation (**unverified** · medium)
      - README tells it
    - [ ] **T003** Big (**failed** · medium · no luck)
      - [ ] **T003.1** Half (medium · after T001)
    "
  `)
  expect(planMd(sampleState())).toContain('No tasks yet.')
})
