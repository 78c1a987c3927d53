/** Searches a candidate for the values of known secrets, because everything that lands is public. */
import type { SecretFinding, SecretScan } from '../model/secret-finding.ts'
import type { ChangedFile } from '../model/tamper.ts'
import type { Mask } from './mask.ts'
import type { Finder, Found } from './value-finder.ts'

const mostPerFile = 10
const mostFindings = 50

/**
 * Null when there is nothing to search for. With a `run`, it also finds paths of the run's workspaces: a test that
 * reads from one passes only while the workspace exists.
 */
export function createSecretScan(
  { secrets, finder }: Pick<Mask, 'secrets' | 'finder'>,
  run: string | null,
): SecretScan | null {
  if (secrets.length === 0 && run === null) return null
  const workspace =
    run === null ? null : new RegExp(String.raw`/[\da-f]{16}/${run.replace(/[^\w-]/g, String.raw`\$&`)}/w\d`)
  return (changed) =>
    changed
      .flatMap((file) => [
        ...(secrets.length === 0 ? [] : inFile(file, finder)),
        ...(workspace ? naming(file, workspace) : []),
      ])
      .slice(0, mostFindings)
}

function naming({ path, before, after }: ChangedFile, workspace: RegExp): SecretFinding[] {
  if (after === null || !workspace.test(after) || workspace.test(before ?? '')) return []
  return [{ file: path, line: lineAt(after, after.search(workspace)), name: null }]
}

/** A value that the file already contained is not reported. */
function inFile({ path, before, after }: ChangedFile, finder: Finder): SecretFinding[] {
  if (after === null) return []
  const inName = before === null ? [...occurrences(path, finder)] : []
  const named = new Map(inName.map(({ name }) => [name, { file: path, line: 0, name }]))
  const found = [...occurrences(after, finder)]
  if (found.length === 0) return [...named.values()]
  const known = new Set(before === null ? [] : [...occurrences(before, finder)].map(({ name }) => name))
  const lines = new Map(
    found
      .filter(({ name }) => !known.has(name))
      .map(({ name, start }) => {
        const line = lineAt(after, start)
        return [`${line} ${name}`, { file: path, line, name }]
      }),
  )
  return [...named.values(), ...lines.values()].slice(0, mostPerFile)
}

function* occurrences(text: string, finder: Finder): Generator<Found> {
  for (let found = finder.next(text, 0); found !== null; found = finder.next(text, found.end)) yield found
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
