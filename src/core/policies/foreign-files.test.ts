import { expect, test } from 'vitest'
import { inspected } from '../../../test/kit/inspected-runs.ts'
import { baseConfig, planOf, play } from '../../../test/kit/play.ts'

type Declared = Record<'T001' | 'T002', string[]>

/** T001 lands first and changes `a.ts`. */
const titles = (declared: Declared): string[] =>
  play(baseConfig({ parallel: 1, review: false }), (work) => {
    if (work.kind === 'turn' && work.role === 'planner')
      return planOf([
        { id: 'T001', files: declared.T001 },
        { id: 'T002', files: declared.T002 },
      ])
    if (work.kind !== 'inspect') return undefined
    const files = work.task === 'T001' ? ['a.ts', 'a.test.ts'] : ['b.ts']
    return inspected({ files, fileCount: files.length, hashes: Object.fromEntries(files.map((path) => [path, 'h'])) })
  })
    .of('finding.raised')
    .flatMap(({ severity, task, title }) => (severity === 'WARNING' && task !== null ? [`${task}: ${title}`] : []))

const suspect = ['T001: the change may be the work of T002']

test.each<[what: string, declared: Declared, expected: string[]]>([
  ['files of the other task and none of its own', { T001: ['c.ts'], T002: ['a.ts'] }, suspect],
  ['a folder of the other task', { T001: ['src'], T002: ['*.ts'] }, suspect],
  ['its own files', { T001: ['a.ts'], T002: ['a.ts'] }, []],
  ['files that no task declares', { T001: ['c.ts'], T002: ['b.ts'] }, []],
  ['no files declared, all of them by the other task', { T001: [], T002: ['a.ts', 'a.test.ts'] }, suspect],
  ['no files declared, some of them by the other task', { T001: [], T002: ['a.ts'] }, []],
])('a change in %s', (_what, declared, expected) => expect(titles(declared)).toEqual(expected))
