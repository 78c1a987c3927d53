/**
 * What a program printed in one turn and how it ended, as kept in
 * `test/recordings/<program>-<version>/<case>.{jsonl,json}`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Ending } from '../../src/agents/adapter.ts'

export interface Recording {
  lines: string[]
  ending: Ending
  startedAt: string
  /** When the limit that it ran into is lifted. */
  resetsAt?: string
}

const root = resolve(import.meta.dirname, '../recordings')

export const recordingPath = (folder: string, name: string): string => join(root, folder, name)

export const namesIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .toSorted()

export function loadRecording(folder: string, name: string): Recording {
  const path = recordingPath(folder, name)
  const facts = JSON.parse(readFileSync(`${path}.json`, 'utf8'))
  return {
    lines: readFileSync(`${path}.jsonl`, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
    ending: { ...facts.exit, file: facts.answer ?? null, stderr: facts.stderr, extra: null },
    startedAt: facts.startedAt ?? '2026-11-15T23:00:00.000Z',
    resetsAt: facts.resetsAt,
  }
}
