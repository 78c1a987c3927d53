/** What `bd --json` prints: a list or one issue, bare or in an envelope, and nothing else is believed. */
import { LooperError } from '../../model/error.ts'
import { mostTasks } from '../../model/task.ts'
import { at, isObject } from '../json-value.ts'
import { readJson } from '../json-text.ts'
import { readIssue, type BeadsIssue } from './issue.ts'

const hint = 'See what `bd list --json` prints, and whether `bd version` is a recent one.'

/** Throws CONFIG_BACKLOG. */
export function readIssues(text: string, call: string): BeadsIssue[] {
  const parsed = readJson(text.trim() === '' ? 'null' : text)
  if (!parsed.ok) throw new LooperError('CONFIG_BACKLOG', `bd ${call} printed something that is not JSON: line ${parsed.line}, ${parsed.why}`, { hint })
  const found = listIn(parsed.value)
  if (found === null) throw new LooperError('CONFIG_BACKLOG', `bd ${call} printed JSON that holds no issues`, { hint })
  if (found.length > mostTasks) throw new LooperError('CONFIG_BACKLOG', `bd ${call} printed ${found.length} issues; ${mostTasks} are the most`, { hint })
  return found.map((value, index) => {
    const issue = readIssue(value)
    if (issue === null) throw new LooperError('CONFIG_BACKLOG', `bd ${call} printed an issue that cannot be understood, as number ${index + 1}`, { hint })
    return issue
  })
}

/** Nothing at all is how some versions print no issues. */
function listIn(value: unknown): readonly unknown[] | null {
  if (value === null) return []
  if (Array.isArray(value)) return value
  const data = at(value, 'data')
  if (data !== undefined && at(value, 'schema_version') !== undefined) return listIn(data)
  return isObject(value) && at(value, 'id') !== undefined ? [value] : null
}
