/** Whether a task asked for what the tamper guard found. A test may go when somebody said so, never because it was in the way. */
import type { TamperFinding, TamperKind } from '../../model/tamper.ts'
import type { TaskState } from '../../model/state.ts'

const words = (verbs: string, nouns: string): RegExp[] => [new RegExp(`\\b(?:${verbs})\\w*`, 'i'), new RegExp(`\\b(?:${nouns})\\w*`, 'i')]

/** All patterns of a kind must be in the task's own words. An only-test is never what anybody wants to land. */
const licences: Record<TamperKind, RegExp[] | null> = {
  'test-deleted': words('remov|delet|drop|retir|replac|supersed', 'test|spec|suite'),
  'test-skipped': words('skip|disabl|quarantin', 'test|spec|suite'),
  'test-focused': null,
  'assertions-removed': words('remov|delet|drop|relax|loosen', 'assert|expect'),
  'assertion-weakened': words('relax|loosen|weaken|widen', 'assert|expect|tolerance'),
  'threshold-lowered': words('lower|relax|reduc|drop', 'threshold|coverage|warning'),
  'ci-lowered': words('remov|chang|updat|simplif|drop|allow|disabl|move', 'ci|workflow|pipeline|github actions|gitlab'),
  'snapshots-rewritten': words('updat|regenerat|rewrit|refresh|chang|new', 'snapshot'),
  'check-changed': words(
    'chang|updat|add|configur|migrat|replac|switch|remov|relax|rename', 'script|lint|tsconfig|config|makefile|build|tooling|runner',
  ),
}

/** What nobody asked for. */
export function unlicensed({ title, description, criteria }: TaskState, findings: readonly TamperFinding[]): TamperFinding[] {
  const text = [title, description, ...criteria].join('\n')
  return findings.filter(({ kind }) => !(licences[kind]?.every((pattern) => pattern.test(text)) ?? false))
}

export const findingText = ({ kind, file, test, detail }: TamperFinding): string =>
  `${file}${test === null ? '' : ` › ${test}`}: ${kind.replaceAll('-', ' ')} (${detail})`
