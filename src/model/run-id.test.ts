import { describe, expect, test } from 'vitest'
import { nextRunId, slugOf, sortRunIds } from './run-id.ts'

describe('E1: run ids', () => {
  test.each([
    ['Add a --json flag to every command', 'add-json-flag-every-command'],
    ['Please fix the login bug!', 'fix-login-bug'],
    ['../../etc/passwd', 'etc-passwd'],
    ['Überprüfe die Größe', 'uberprufe-die-gro-e'],
    ['日本語', 'goal'],
    ['the', 'the'],
    [
      'supercalifragilistic expialidocious internationalization of everything',
      'supercalifragilistic-expialidocious-inte',
    ],
  ])('%s', (goal, slug) => expect(slugOf(goal)).toBe(slug))

  test('the next number is higher than all, and has at least three digits', () => {
    expect(nextRunId('add auth', [])).toBe('001-add-auth')
    expect(nextRunId('add auth', ['002-x', '17', 'main', '009-y'])).toBe('018-add-auth')
    expect(nextRunId('add auth', ['999-x'])).toBe('1000-add-auth')
  })

  test('1000 comes after 999', () => {
    expect(sortRunIds(['1000-x', '002-x', '999-x'])).toEqual(['002-x', '999-x', '1000-x'])
  })
})
