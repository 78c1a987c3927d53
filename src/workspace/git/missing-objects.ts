/** Finds the trees and commits that git no longer has. */
import { git } from './git.ts'

/** The ids must be full object ids. */
export async function missingObjects(root: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const answers = await git(['cat-file', '--batch-check'], { cwd: root, input: `${ids.join('\n')}\n` })
  return answers.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, -' missing'.length)] : []))
}
