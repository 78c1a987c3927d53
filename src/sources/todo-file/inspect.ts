/** Parses and validates the text of a backlog, with the position of each error. */
import type { LooperError } from '../../model/error.ts'
import { JsonProblem } from '../../platform/jsonc.ts'
import { readDocument, type Document } from './document.ts'
import { formatDocument } from './format.ts'
import { problems, syntaxProblem, type Problem } from './problems.ts'
import { backlogError } from './read-file.ts'

export interface Inspected {
  /** The content of the file, including a byte order mark. */
  source: string
  /** Null when the source is not JSON. */
  document: Document | null
  problems: Problem[]
}

/** Returns all problems, for validation and repair. */
export function inspectSource(source: string, options: { forRuns?: boolean } = {}): Inspected {
  try {
    const document = readDocument(source)
    return { source, document, problems: problems(document, options) }
  } catch (error) {
    if (error instanceof JsonProblem) return { source, document: null, problems: [syntaxProblem(error)] }
    throw error
  }
}

/** Throws CONFIG_BACKLOG when the source is not JSON. */
export const parseBacklog = (source: string, name: string): Document => understanding(name, () => readDocument(source))

/** Returns the canonical form of a text. Throws CONFIG_BACKLOG when it is not JSON. */
export const formatSource = (source: string, name: string): string =>
  understanding(name, () => formatDocument(readDocument(source)))

function understanding<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof JsonProblem ? problemError([syntaxProblem(error)], name) : error
  }
}

/** Returns an error with the first problem and the number of all, or null when the document is valid. */
export function invalid(document: Document, name: string): LooperError | null {
  const found = problems(document)
  return found.length === 0 ? null : problemError(found, name)
}

function problemError(found: readonly Problem[], name: string): LooperError {
  const [first] = found
  const where = first === undefined ? name : `${name}:${first.line}:${first.column}`
  const more = found.length > 1 ? ` (and ${found.length - 1} more: \`looper validate\` lists them)` : ''
  return backlogError(where, `${first === undefined ? 'is not a backlog' : first.message}${more}`, {
    details: { problems: found },
  })
}
