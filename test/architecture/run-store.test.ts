/** Runs are reached through the port RunStore: one file of app/ chooses the store, one file builds the paths of folders. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { files, importedFiles, source } from './sources.ts'

const names = (paths: readonly string[]): string[] => paths.map((path) => relative(source, path)).toSorted()
const importersOf = (pattern: RegExp): string[] =>
  names(files.filter((file) => importedFiles(file).some((target) => pattern.test(relative(source, target)))))

test('above the adapters, only app/runs/runs.ts knows how runs are stored', () => {
  const above = importersOf(/^journal\//).filter((file) => /^(?:app|logs|surfaces|engine|dispatch)\//.test(file))
  expect(above).toEqual(['app/runs/runs.ts'])
})

test('the folder of a run is found by its store, and by its workspaces', () => {
  expect(importersOf(/^platform\/run-paths\.ts$/)).toEqual(['journal/file-store.ts', 'workspace/workspaces-folder.ts'])
  const building = /join\([^)\n]*'runs'/
  const wrong = files.filter((file) => building.test(readFileSync(file, 'utf8')))
  expect(names(wrong)).toEqual(['platform/run-paths.ts'])
})
