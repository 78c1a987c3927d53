import { expect, test } from 'vitest'
import { call } from '../../../test/kit/cli.ts'
import { settingFlags } from '../../app/settings/setting-flags.ts'
import { catalog, runEntry } from './catalog.ts'
import { define } from './definition.ts'
import { meantOptions, meanings } from './meant-options.ts'

test.each([
  ['--budget', '--cost-usd'],
  ['--cost', '--cost-usd'],
  ['--cost=5', '--cost-usd'],
  ['--time', '--time-minutes'],
  ['--workers', '--parallel'],
  ['--jobs', '--parallel'],
  ['--background', '--detach'],
  ['--provider', '--agent'],
  ['--yolo', '--sandbox'],
  // Nothing means it: the nearest by letters.
  ['--paralel', '--parallel'],
])('looper run %s: did you mean %s?', async (word, meant) => {
  expect(await call(['run', 'do it', word])).toMatchObject({
    code: 2,
    stderr: `looper: unknown option '${word}'\n  Did you mean ${meant}?\n`,
  })
})

test('an option that the command does not have is not suggested', async () => {
  expect((await call(['status', '--workers'])).stderr).not.toContain('--parallel')
})

test('every suggestion is an option of a command, and no name that is an option is a wrong one', async () => {
  const options = await Promise.all(
    catalog.map(async (entry) => {
      const { command } = await entry.load()
      return define(entry, command, command.settings?.(settingFlags.table)).options
    }),
  )
  const all = options.flat().filter(({ hidden }) => hidden !== true)
  const names = all.flatMap((option) => option.names)
  expect(Object.keys(meanings).filter((option) => !names.includes(option))).toEqual([])
  const { command } = await runEntry.load()
  const ofRun = define(runEntry, command, command.settings?.(settingFlags.table)).options
  const words = Object.values(meanings).flat()
  expect(words.filter((word) => ofRun.some((option) => option.names.includes(`--${word}`)))).toEqual([])
  expect(meantOptions('--budget', ofRun)).toEqual(['--cost-usd'])
})
