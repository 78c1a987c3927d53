import { expect, test } from 'vitest'
import type { Landing } from '../model/convergence.ts'
import { soundBefore, takenBackLater } from './sound.ts'

/** `-T001` takes T001 back. */
const landed = (...tasks: string[]): Landing[] => tasks.map((name, place): Landing => ({
  task: name.replace('-', ''), commit: `c${place + 1}`, wave: 1, ...(name.startsWith('-') ? { revert: true } : {}),
}))

test.each<[string[], number, string | null]>([
  [['T001', 'T002', '-T001', 'T003'], 1, 'T001'], [['T001', 'T002', '-T001', 'T003'], 2, 'T001'], [['T001', 'T002', '-T001', 'T003'], 3, null],
  [['T001', 'T002', '-T001', 'T003'], 0, null], [['T001', '-T001', 'T001'], 1, 'T001'], [['T001', '-T001', 'T001', '-T001'], 2, null],
  [['T001', '-T001', 'T001', '-T001'], 3, 'T001'],
])('E8: of %j with the first %i something was taken back later: %s', (names, kept, task) => {
  expect(takenBackLater(landed(...names), kept)?.task ?? null).toBe(task)
})

test.each<[string[], number, number]>([
  [['T001', 'T002', 'T003'], 3, 2], [['T001', 'T002', 'T003'], 1, 0], [['T001', 'T002', '-T002', 'T003'], 3, 1], [['T001', '-T001'], 2, 0],
  [['T001', 'T002', '-T001', '-T002'], 4, 0],
])('E8: of %j before the %ith, what is left is the first %i', (names, place, kept) => {
  expect(soundBefore(landed(...names), place)).toBe(kept)
})
