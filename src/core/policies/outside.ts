/** Describes for the fix prompt what an agent left in its workspace that will not land. */
import type { Failure } from '../../model/event.ts'
import type { LeftOutside } from '../../model/work.ts'

const most = 10

/**
 * Lists only what the failing check names or surely misses, with the first in the summary, and submodules whose files
 * may be missing. If it names none, lists the first few.
 */
export function withOutside(failure: Failure, outside: readonly LeftOutside[]): Failure {
  const named = outside.filter(({ kind, path }) => !isVague(kind) || failure.detail.includes(nameOf(path)))
  const notFetched = outside.filter(({ kind }) => kind === 'not-fetched')
  const shown = [...new Set([...named, ...notFetched, ...(named.length > 0 ? [] : outside)])].slice(0, most)
  if (shown.length === 0) return failure
  const lines = shown.map((left) => `- ${sentence(left)}`)
  const [first] = named
  const summary = first === undefined ? failure.summary : `${failure.summary}; ${sentence(first)}`
  return {
    ...failure,
    summary,
    detail: `${failure.detail}\n\nChecks run only on the files that land. These do not land:\n${lines.join('\n')}`,
  }
}

/** A check may not need these. */
const isVague = (kind: LeftOutside['kind']): boolean => kind === 'ignored' || kind === 'not-fetched'

const nameOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1) ?? path

function sentence(left: LeftOutside): string {
  switch (left.kind) {
    case 'ignored':
      return `\`${left.path}\` is ignored${left.by === null ? '' : ` by \`${left.by}\``} and will not land`
    case 'empty-folder':
      return `the folder \`${left.path}\` is empty: git does not keep empty folders, so it will not land`
    case 'submodule':
      return `the changes inside the submodule \`${left.path}\` are not committed there and will not land`
    case 'not-fetched':
      return (
        `\`${left.path}/\` is a submodule that Looper does not fetch; `
        + 'its files are in the checked tree only if the set-up fetches them'
      )
  }
}
