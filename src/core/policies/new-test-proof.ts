/**
 * What the candidate's tests prove when they run over the base's product: only tests that were executed and that fail
 * there count.
 */
import { leafOf } from './test-name.ts'

export interface NewTestRun {
  /** Names of the tests that the candidate's own checks executed; null when the output does not list them. */
  executed: readonly string[] | null
  /** Files that contain new tests. */
  files: readonly string[]
  /** Names of the tests that failed over the base's product; null when the output does not list them. */
  failing: readonly string[] | null
}

/**
 * Whether a red run over the base's product is caused by tests that the candidate executed. Without test names, any red
 * run counts.
 */
export function isAboutNewTests({ executed, files, failing }: NewTestRun): boolean {
  if (executed === null || failing === null || failing.length === 0) return true
  const ran = new Set(executed.map(leafOf))
  // A test file that needs code of the change cannot be loaded without it. Then the runner names that file, the file
  // that imports it, or only the error.
  const isUnloaded = (name: string): boolean =>
    isFileOrError.test(name) || files.some((file) => name.includes(baseOf(file)))
  return failing.some((name) => ran.has(leafOf(name)) || isUnloaded(name))
}

/** Whether these names of executed tests show that each file ran. Only some runners print file names. */
export const isExecuted = (executed: readonly string[], files: readonly string[]): boolean =>
  files.every((file) => executed.some((name) => name.includes(baseOf(file))))

const isFileOrError = /^[\w@./-]+\.\w{1,4}$|\b[A-Z]?\w*Error: |Cannot find module|does not provide an export/

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
