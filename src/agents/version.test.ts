import { expect, test } from 'vitest'
import { askVersion, atLeast } from './version.ts'

const answering = (exitCode: number | null, stdout: string, stderr = '') => {
  const ask = async ([arg]: readonly string[]) => ({ exitCode: arg === '--version' ? exitCode : 9, stdout, stderr })
  return askVersion({ agent: {}, env: {}, home: '/', ask }, 'it')
}

test.each([
  ['2.1.325 (Claude Code)\n', '2.1.325'],
  ['codex-cli 0.166.0', '0.166.0'],
  ['v1.2.3-beta.1', '1.2.3-beta.1'],
])('%j is version %s', async (stdout, version) => {
  expect(await answering(0, stdout)).toEqual({ version, problems: [] })
})

test.each<[number | null, string, string, string]>([
  [1, '', 'cannot find module\n', '`it --version` does not print a version: cannot find module. Reinstall it.'],
  [null, '', '', '`it --version` does not print a version. Reinstall it.'],
  [0, 'hello', '', '`it --version` does not print a version: hello. Reinstall it.'],
])('exit %s, %j, %j is a problem', async (exitCode, stdout, stderr, problem) => {
  expect(await answering(exitCode, stdout, stderr)).toEqual({ version: null, problems: [problem] })
})

test.each<[string, boolean]>([
  ['2.1.100', true],
  ['2.1.101', true],
  ['2.2.0', true],
  ['3.0.0', true],
  ['2.1.100-beta', true],
  ['2.1.99', false],
  ['2.0.999', false],
  ['1.9.9', false],
  ['2', false],
])('%s is at least 2.1.100: %s', (version, expected) => {
  expect(atLeast(version, [2, 1, 100])).toBe(expected)
})
