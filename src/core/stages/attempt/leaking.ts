/** Secrets in a change: reported as a finding, and returned to the agent to remove. No setting permits them to land. */
import { andMore } from '../../../model/and-more.ts'
import type { Failure } from '../../../model/event.ts'
import type { SecretFinding } from '../../../model/secret-finding.ts'
import type { RunState } from '../../../model/state.ts'
import type { InspectOutcome } from '../../../model/work.ts'
import { isRaised } from '../../policies/raised-findings.ts'
import { record } from '../../proposal.ts'
import { done, failed, notYet, type Step } from '../../step.ts'

const takeOut =
  'Take the value out of the tree and read it from the environment while the program runs. '
  + 'In tests and examples use an invented value. The value is not shown here, and must not be shown by you.'

const makeRelative =
  'The workspace is removed when the run ends, and a clone is elsewhere. Use a path relative to the file or to '
  + 'the root of the repository.'

const textOf = ({ file, line, name }: SecretFinding): string =>
  name === null
    ? `${file}:${line} names the folder of its workspace, which will not be there`
    : line === 0
      ? `the name of the file ${file} holds the value of ${name}`
      : `${file}:${line} holds the value of ${name}`

const amend = 'Make the commits inside the submodule again without the value: it must not be in their history either.'

const innerText = (path: string): string => `a commit inside the submodule ${path} holds the value of a secret`

/** Done when the change contains no secret; fails after the finding is recorded. */
export function leaking(
  state: RunState,
  { secrets: found = [], submodules = [] }: Pick<InspectOutcome, 'secrets' | 'submodules'>,
  task: string | null,
  inspection: string,
): Step<void, Failure> {
  if (found.length + submodules.length === 0) return done(undefined)
  const inner = submodules.filter(({ kind }) => kind === 'secret').map(({ path }) => path)
  if (found.length + inner.length === 0) return done(undefined)
  const lines = [...found.map(textOf), ...inner.map(innerText)]
  const isPath = inner.length === 0 && found.every(({ name }) => name === null)
  const title = isPath ? 'the change names its workspace' : 'the change holds a secret'
  const origin = `${inspection}/secrets`
  const finding = { title, detail: lines.join('\n'), task, origin }
  if (!isRaised(state, finding)) return notYet(record({ type: 'finding.raised', severity: 'BLOCKER', ...finding }))
  const remedy = `${isPath ? makeRelative : takeOut}${inner.length > 0 ? ` ${amend}` : ''}`
  const keys = [...found.map(({ file, name }) => `${file} ${name ?? 'path'}`), ...inner]
  return failed({
    kind: 'secret',
    error: null,
    summary: `${title}: ${lines[0]}${andMore(lines.length - 1)}`,
    detail: `${lines.map((line) => `- ${line}`).join('\n')}\n\n${remedy}`,
    fingerprint: `secret:${[...new Set(keys)].toSorted().join(',')}`,
  })
}
