import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readDocument } from './document.ts'
import { problems } from './problems.ts'
import { statusOf, statusWords } from './status.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/backlog.md'), 'utf8')

it('the guide shows a valid backlog, but for the task that it leaves out', () => {
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  expect(problems(readDocument(example)).map(({ kind }) => kind)).toEqual(['missing-dependency'])
})

it('the guide names every status, and every other word for it', () => {
  const table = page.split('\n').filter((line) => /^\| `\w+`/.test(line)).slice(0, 5)
  const named = table.flatMap((line) => {
    const [status = '', others = ''] = line.split('|').slice(1)
    const own = /`(\w+)`/.exec(status)?.[1]
    return [own ?? '', ...[...others.matchAll(/`([\w-]+)`/g)].map(([, word]) => word ?? '')].map((word) => [word, own])
  })
  expect(new Set(named.map(([word]) => word))).toEqual(new Set(statusWords))
  for (const [word, own] of named) expect(statusOf(word)).toBe(own)
})
