/**
 * Recordings are what parsers are tested with, so they must be whole and tell nothing about the machine they were made
 * on.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const here = import.meta.dirname
const folders = readdirSync(here).filter((name) => /-\d+\.\d+\.\d+$/.test(name))
const recordings = folders.flatMap((folder) =>
  readdirSync(join(here, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => [`${folder}/${name.slice(0, -'.json'.length)}`] as const),
)

describe.each(recordings)('%s', (name) => {
  const stream = readFileSync(join(here, `${name}.jsonl`), 'utf8')
  const facts = readFileSync(join(here, `${name}.json`), 'utf8')

  test('is a stream of JSON, unless it is not to be one', () => {
    const lines = stream.split('\n').slice(0, -1)
    if (!name.endsWith('/babbles')) for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object')
  })

  test('reports how it was made and how it ended', () => {
    expect(JSON.parse(facts)).toMatchObject({
      case: name.split('/')[1],
      argv: expect.any(Array),
      stdin: expect.any(String),
      stderr: expect.any(String),
      exit: { code: expect.toSatisfy((code) => code === null || Number.isInteger(code)) },
    })
  })

  test('names no path of a machine', () => {
    expect(`${stream}${facts}`.match(/(?<![\w}])\/(?:root|Users|home|tmp|private|var\/folders)\/[^\s"]*/g)).toBeNull()
  })
})
