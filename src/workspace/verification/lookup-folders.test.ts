import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/repository.ts'
import { clearLookups, lookupsText } from './lookup-folders.ts'

function place(): { top: string; key: string; folder: string; file: string } {
  const top = temporaryFolder()
  const key = join(top, 'workspaces', 'key')
  mkdirSync(key, { recursive: true })
  return { top, key, folder: join(key, '001-run'), file: join(temporaryFolder(), 'lookups.json') }
}

test('new modules beside the workspaces of a run are removed, and other names stay', async () => {
  const { key, folder, file } = place()
  const known = lookupsText(file, folder)
  const names = ['node_modules', '002-other', '002-other.verify']
  for (const name of names) mkdirSync(join(key, name))
  await clearLookups(known, folder)
  expect(names.filter((name) => existsSync(join(key, name)))).toEqual(names.slice(1))
})

test.each(['node_modules', 'package.json', 'conftest.py', 'Cargo.toml', '.git', 'jest.config.cjs'])(
  '%s further up is reported and not touched',
  async (name) => {
    const { top, folder, file } = place()
    const known = lookupsText(file, folder)
    await clearLookups(known, folder)
    writeFileSync(join(top, name), '')
    const error = { code: 'WORKSPACE_CONTENT', message: expect.stringContaining(`\`${join(top, name)}\``) }
    await expect(clearLookups(known, folder)).rejects.toMatchObject(error)
    expect(existsSync(join(top, name))).toBe(true)
  },
)

test('files from before the start belong to the user, also after a restart', async () => {
  const { top, key, folder, file } = place()
  writeFileSync(join(top, 'package.json'), '')
  mkdirSync(join(key, 'node_modules'))
  const known = lookupsText(file, folder)
  await clearLookups(known, folder)
  expect(existsSync(join(key, 'node_modules'))).toBe(true)
  mkdirSync(join(top, 'node_modules'))
  writeFileSync(file, known)
  await expect(clearLookups(lookupsText(file, folder), folder)).rejects.toMatchObject({ code: 'WORKSPACE_CONTENT' })
})

test('files that programs do not look for upwards are of no concern', async () => {
  const { top, folder, file } = place()
  const known = lookupsText(file, folder)
  for (const name of ['.npm', '.cargo', 'notes.txt', 'package.json.bak']) writeFileSync(join(top, name), '')
  await clearLookups(known, folder)
})
