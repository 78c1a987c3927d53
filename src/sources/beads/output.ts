/** Reads the output of `bd --json`: a list or a single issue, bare or in an envelope. Any other output is an error. */
import { LooperError } from '../../model/error.ts'
import { mostTasks } from '../../model/task.ts'
import { at, isObject } from '../json-value.ts'
import { readJson } from '../json-text.ts'
import { readIssue, type BeadsIssue } from './issue.ts'

const hint = 'Check the output of `bd list --json`, and that `bd version` is recent.'

/** Throws CONFIG_BACKLOG when the output is not valid. */
export function readIssues(text: string, call: string): BeadsIssue[] {
  const parsed = readJson(text.trim() === '' ? 'null' : text)
  if (!parsed.ok) throw refused(call, `something that is not JSON: line ${parsed.line}, ${parsed.why}`)
  const found = listIn(parsed.value)
  if (found === null) throw refused(call, 'JSON that holds no issues')
  if (found.length > mostTasks) throw refused(call, `${found.length} issues; ${mostTasks} are the most`)
  return found.map((value, index) => {
    const issue = readIssue(value)
    if (issue === null) throw refused(call, `an issue that cannot be understood, as number ${index + 1}`)
    return issue
  })
}

const refused = (call: string, what: string): LooperError =>
  new LooperError('CONFIG_BACKLOG', `bd ${call} printed ${what}`, { hint })

/** Some versions print `null` when there are no issues. */
function listIn(value: unknown): readonly unknown[] | null {
  if (value === null) return []
  if (Array.isArray(value)) return value
  const data = at(value, 'data')
  if (data !== undefined && at(value, 'schema_version') !== undefined) return listIn(data)
  return isObject(value) && at(value, 'id') !== undefined ? [value] : null
}
