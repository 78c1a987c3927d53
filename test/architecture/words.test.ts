/** Names, messages, comments and documents use the common technical words. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './sources.ts'

const unwanted = new RegExp(
  `^(?:${[
    'mend(?:s|ed|ing)?',
    'whoever|nobody|somebody',
    'tidings|heralds?|errands?|undertakings?|tenanc(?:y|ies)',
    'standstills?|detours?|moody|wrest(?:s|ed)?|frugal|doomed',
    'rivals?|lanes?|circling',
  ].join('|')})$`,
)

const folders = ['src', 'docs', 'prompts', 'stages', 'pipelines', 'bench', 'demo']
const pages = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'GLOSSARY.md', 'AGENTS.md']

/** Texts that need such a word: a user name, words that people use in their goals, and names in older journals. */
const allowed: readonly (readonly [file: string, text: string])[] = [
  ['src/agents/secret-values.ts', "'nobody'"],
  ['src/core/policies/clauses.ts', 'nobody'],
  ['src/core/policies/repair-request.ts', 'mend(?:s|ed|ing)?'],
  ['src/core/policies/repair-request.test.ts', 'mend it'],
  ['src/core/policies/repair-request.test.ts', 'mend the build'],
  ['src/journal/rename-words.ts', 'lane'],
  ['src/journal/upcast.test.ts', 'lane'],
  ['src/dispatch/turn-folder.ts', 'circling'],
  ['src/dispatch/turn-folder.test.ts', 'circling'],
  ['CHANGELOG.md', 'rival'],
]

function filesIn(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesIn(`${path}/${name}`))
}

/** Splits names such as `createHerald` into their words. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([word]) => word.toLowerCase())

function unwantedIn(file: string): string[] {
  const text = allowed
    .filter(([where]) => where === file)
    .reduce((rest, [, each]) => rest.replaceAll(each, ''), readFileSync(join(root, file), 'utf8'))
  return [...wordsOf(file), ...wordsOf(text)].filter((word) => unwanted.test(word)).map((word) => `${file}: ${word}`)
}

describe('words', () => {
  test.each([...folders, ...pages])('%s uses the common technical words', (path) => {
    expect(filesIn(path).flatMap(unwantedIn)).toEqual([])
  })

  test.each(['createHerald', 'stay-frugal', 'asNobody', 'Mend it', "somebody's", 'MOODY'])('%s is found', (text) => {
    expect(wordsOf(text).some((word) => unwanted.test(word))).toBe(true)
  })

  test.each(['trimEnd', 'amend', 'recommended'])('%s is no unwanted word', (text) => {
    expect(wordsOf(text).some((word) => unwanted.test(word))).toBe(false)
  })

  test('every exception is needed', () => {
    expect(allowed.filter(([file, text]) => !readFileSync(join(root, file), 'utf8').includes(text))).toEqual([])
  })
})
