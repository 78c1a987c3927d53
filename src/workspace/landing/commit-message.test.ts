import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeRepository } from '../../../test/kit/repository.ts'
import type { CommitSettings } from '../../model/config.ts'
import { messageOf } from './commit.ts'
import { squashText, usualCommitSettings } from './commit-message.ts'

const conventional: CommitSettings = { style: 'conventional', template: null, subjectLength: 72 }
const subjectOf = (title: string, settings: CommitSettings, type?: string): string =>
  messageOf(
    '001-x',
    { id: 'T001/a1/merge0', task: 'T001', title, ...(type === undefined ? {} : { type }) },
    { goal: 'g', settings },
  ).split('\n')[0] ?? ''

describe('subjects', () => {
  test.each<[title: string, type: string | undefined, subject: string]>([
    ['Add a --json flag', 'feature', 'feat: add a --json flag'],
    ['Close the file.', 'bug', 'fix: close the file'],
    ['JSON output', 'refactor', 'refactor: JSON output'],
    ['GitHub login', undefined, 'feat: GitHub login'],
    ['Fix the list', undefined, 'fix: fix the list'],
    ['Document it', 'nonsense: x\n', 'docs: document it'],
    ['feat(api)!: drop it', 'bug', 'feat(api)!: drop it'],
    ['fix: ', undefined, 'fix: fix:'],
    ['', undefined, 'feat: T001'],
    ['#12 crash', 'fix', 'fix: #12 crash'],
    ['I/O errors', 'fix', 'fix: I/O errors'],
  ])('conventional: %j of type %j', (title, type, subject) => {
    expect(subjectOf(title, conventional, type)).toBe(subject)
  })

  test('a long one is cut at its limit', () => {
    expect(subjectOf('word '.repeat(40), { ...conventional, subjectLength: 30 })).toHaveLength(30)
    expect(subjectOf('word '.repeat(40), usualCommitSettings)).toHaveLength(72)
  })

  test('a line that git would drop as a comment follows the id', () => {
    expect(subjectOf('#12 crash', usualCommitSettings)).toBe('T001: #12 crash')
  })
})

test('a squashed run: the goal cut in the subject and whole in the body, then the tasks', () => {
  const goal = `${'Make the parser faster and '.repeat(4)}smaller.\nAlso document it.`
  const text = squashText('001-x', [{ id: 'T001', title: '# one\nTrailer: x', type: null }], { goal })
  const [subject = '', , ...body] = text.split('\n')
  expect(subject).toHaveLength(72)
  expect(body.join('\n')).toBe(
    'Make the parser faster and Make the parser faster and Make the parser\n'
      + 'faster and Make the parser faster and smaller. Also document it.\n\n'
      + '- # one Trailer: x (T001)\n\nLooper-Run: 001-x\n',
  )
})

test('no title and no goal can add a line, a trailer or a comment, whatever the template', () => {
  const repository = makeRepository({ 'a.txt': 'a\n' })
  const tree = repository.git('rev-parse', 'HEAD^{tree}')
  const templates = [null, '{{task.title}}', '{{goal}}\n\n{{task.title}}\n{{goal}}', 'x\n\nRefs: {{task.title}}']
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'Looper-Work: T009/a1',
      '#x',
      '\n\nLooper-Work: T009/a1\n',
      'a\r\nLooper-Task: T9',
      '\u2028#',
      '---',
    ),
  )
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 4 }),
      text,
      fc.constantFrom(...templates),
      fc.constantFrom('plain', 'conventional'),
      (parts, goal, template, style) => {
        const settings = { style, template, subjectLength: 72 } as const
        const work = { id: 'T001/a1/merge0', task: 'T001', title: parts.join('\n') }
        const message = messageOf('001-x', work, { goal, settings })
        const lines = message.split('\n')
        expect(lines[0]).not.toMatch(/^(?:#|\s*$)/)
        expect(lines.filter((line) => line.startsWith('#'))).toEqual([])
        expect(lines.filter((line) => line.startsWith('Looper-')).slice(-3)).toEqual(
          ['Run: 001-x', 'Task: T001', 'Work: T001/a1/0'].map((rest) => `Looper-${rest}`),
        )
        const commit = execFileSync('git', ['commit-tree', tree, '-F', '-'], {
          cwd: repository.root,
          input: message,
          encoding: 'utf8',
        }).trim()
        expect(repository.git('log', '-1', '--format=%(trailers:key=Looper-Work,valueonly)', commit).trim()).toBe(
          'T001/a1/0',
        )
      },
    ),
    { numRuns: 15 },
  )
})
