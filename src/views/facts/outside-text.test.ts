import { expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import type { Bystander, OutsideChange } from '../../model/outside.ts'
import { lineFor } from '../live/lines.ts'
import { outsideLine, outsideText, pathsText } from './outside-text.ts'
import { reportMd } from '../report/report-md.ts'
import { statusText } from '../status/status-text.ts'
import { statusView } from '../status/status.ts'

const coder = (task: string): Bystander => ({ work: `${task}/a1/implement`, task, what: 'coder' })
const planner: Bystander = { work: 'plan/r0', task: null, what: 'planner' }
const check: Bystander = { work: 'T002/a1/check0.test', task: 'T002', what: 'check' }
const changed = (during: Bystander[], paths: string[], more = 0): OutsideChange => ({ during, paths, more })

test.each<[OutsideChange, string]>([
  [
    changed([coder('T001')], ['.git/config', '~/.bashrc']),
    "changed while T001's coder ran, outside its workspace: .git/config, ~/.bashrc",
  ],
  [changed([planner], ['a']), 'changed while the planner ran, outside its workspace: a'],
  [
    changed([coder('T001'), check, check], ['a']),
    "changed while T001's coder and a check of T002 ran, outside their workspaces: a",
  ],
  [changed([], ['a']), 'changed while agents of this run worked, outside their workspaces: a'],
  [
    changed([coder('T001')], 'abcdefghij'.split(''), 5),
    "changed while T001's coder ran, outside its workspace: a, b, c, d, e, f, g, h and 7 more",
  ],
  [changed([coder('T001')], ['evil\u001B[31m']), "changed while T001's coder ran, outside its workspace: evil"],
])('words %#', (change, words) => expect(outsideText(change)).toBe(words))

test('a path of several changes is listed once', () => {
  expect(pathsText([changed([], ['a', 'b']), changed([], ['b', 'c'], 2)], 2)).toBe('a, b and 3 more')
})

test('log, status, report and summary name what changed', () => {
  const outside = [changed([coder('T001')], ['.git/config'])]
  const state = sampleState({ outside })
  const words = "changed while T001's coder ran, outside its workspace: .git/config"
  expect(lineFor({ type: 'outside.changed', seq: 9, at: state.lastAt, ...outside[0]! }, state)).toBe(`! ${words}`)
  expect(statusView(state).outside).toEqual([{ during: ["T001's coder"], paths: ['.git/config'], more: 0 }])
  expect(statusText(state, { live: true, now: state.lastAt })).toContain(words)
  const two = { ...state, outside: [...outside, changed([planner], ['~/.profile'])] }
  expect(outsideLine(two)).toBe(
    'changed while agents and commands ran, outside their workspaces: .git/config, ~/.profile',
  )
  expect(outsideLine(sampleState())).toBe('')
  expect(reportMd(state)).toContain(`## Changed outside the workspaces\n\n- ${words}`)
  expect(statusView(sampleState()).outside).toEqual([])
  expect(reportMd(sampleState())).not.toContain('outside')
})
