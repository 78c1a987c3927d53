import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { freezeGit } from './frozen-git.ts'

async function writesAsStored(): Promise<boolean> {
  const { root, git } = makeRepository()
  const options = { root, commonDir: join(root, '.git'), runDir: temporaryFolder(), branch: 'looper/001' }
  const frozen = await freezeGit({ ...options, base: git('rev-parse', 'HEAD') }, 'test')
  return frozen.quick.writesAsStored
}

function setVariables(variables: Record<string, string>): void {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  onTestFinished(() => {
    for (const name of Object.keys(variables))
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  })
}

/** A folder of programs beside the settings of the machine. */
function installGit(): string {
  const prefix = temporaryFolder()
  for (const folder of ['bin', 'etc']) mkdirSync(join(prefix, folder))
  writeFileSync(join(prefix, 'bin/git'), '#!/bin/sh\nPATH=${PATH#*:} exec git "$@"\n', { mode: 0o755 })
  return prefix
}

test('without settings and attributes, content is written as it is stored', async () => {
  const other = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
  setVariables({ ...other, PATH: `${join(installGit(), 'bin')}:${process.env['PATH']}` })
  expect(await writesAsStored()).toBe(true)
})

test.each([
  ['settings', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.autocrlf', GIT_CONFIG_VALUE_0: 'true' }],
  ['attributes', { GIT_ATTR_SOURCE: 'HEAD' }],
])('with %s in variables, git writes the files', async (_, variables) => {
  setVariables(variables)
  expect(await writesAsStored()).toBe(false)
})

test('with attributes of the machine, git writes the files, wherever git is installed', async () => {
  const prefix = installGit()
  writeFileSync(join(prefix, 'etc/gitattributes'), '* eol=crlf\n')
  setVariables({ PATH: `${join(prefix, 'bin')}:${process.env['PATH']}` })
  expect(await writesAsStored()).toBe(false)
})
