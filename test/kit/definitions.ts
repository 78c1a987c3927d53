/** A project with definitions of stages and pipelines, in a temporary folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Where } from '../../src/pipelines/find-definition.ts'

export const packageFolder = resolve(import.meta.dirname, '../..')

/** Removed when the test ends. */
export function projectWith(files: Record<string, string | Uint8Array>): Where {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'looper-pipelines-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return { root, packageFolder }
}

/** The files of a stage of the project. */
export const stage = (name: string, yaml: string, prompt: string | null = 'Do it.\n'): Record<string, string> => ({
  [`.looper/stages/${name}/stage.yaml`]: yaml,
  ...(prompt === null ? {} : { [`.looper/stages/${name}/prompt.md`]: prompt }),
})

export const pipeline = (name: string, yaml: string): Record<string, string> => ({
  [`.looper/pipelines/${name}.yaml`]: yaml,
})
