import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileLayers } from './file.ts'
import type { Layer } from './layer.ts'
import { mayMention, projectFile } from './config-files.ts'

const projectLayer = (folder: string): Layer[] => fileLayers(projectFile(folder)).layers

let root: string
let path: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-config-'))
  mkdirSync(join(root, '.looper'))
  path = join(root, '.looper', 'config.json')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a configuration file', () => {
  test('may be absent', () => {
    expect(projectLayer(root)).toEqual([])
    rmSync(join(root, '.looper'), { recursive: true })
    writeFileSync(join(root, '.looper'), 'a file')
    expect(projectLayer(root)).toEqual([])
  })

  test.each<[string, string, unknown]>([
    ['is empty', '', {}],
    ['holds only space', ' \n\t', {}],
    ['begins with a byte order mark', '\uFEFF{"parallel":2}', { parallel: 2 }],
    ['holds comments and trailing commas', '{\n  // how many\n  "parallel": 2, /* done */\n}\n', { parallel: 2 }],
    ['names its schema', '{"$schema":"x.json","parallel":2}', { parallel: 2 }],
  ])('is fine when it %s', (_, content, value) => {
    writeFileSync(path, content)
    expect(projectLayer(root)).toEqual([
      { where: '.looper/config.json', source: 'project (.looper/config.json)', value },
    ])
  })

  test.each<[string, () => void, RegExp]>([
    ['is a folder', () => mkdirSync(path), /^\.looper\/config\.json: is a folder, not a file$/],
    ['is a device', () => symlinkSync('/dev/null', path), /is not a regular file$/],
    ['is too large', () => writeFileSync(path, `{}${' '.repeat(1024 * 1024)}`), /is larger than 1 MB$/],
    ['is not UTF-8', () => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])), /is not UTF-8$/],
    ['leads in a circle', () => symlinkSync(path, path), /cannot be read \(ELOOP\)$/],
    [
      'has a syntax error',
      () => writeFileSync(path, '{\n  "parallel": 2\n  "agent": 1\n}'),
      /^\.looper\/config\.json:3:3: expected ","/,
    ],
    ['is cut off', () => writeFileSync(path, '{"a": "b'), /^\.looper\/config\.json:1:7: a string that is not closed/],
  ])('is refused when it %s', (_, make, message) => {
    make()
    expect(() => projectLayer(root)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
    )
  })
})

describe('mayMention', () => {
  const file = (path: string): Parameters<typeof mayMention>[1][number] => ({ name: 'user', path, where: path })

  test('is false only when no file can say the word', () => {
    const at = (name: string): string => join(root, name)
    writeFileSync(at('none.json'), '{ "parallel": 2 }')
    writeFileSync(at('some.json'), '{ // my backlog\n }')
    writeFileSync(at('hidden.json'), '{ "\\u0062acklog": "x" }')
    const none = [file(at('none.json')), file(at('absent.json')), file(at('none.json/below'))]
    expect(mayMention(['backlog'], none)).toBe(false)
    for (const name of ['some.json', 'hidden.json', '.'])
      expect(mayMention(['backlog'], [...none, file(at(name))])).toBe(true)
    expect(mayMention(['backlog', 'parallel'], none)).toBe(true)
  })
})
