/** The evidence for a result that `looper apply` takes: the gate's for the same tree, else the checks again. */
import { LooperError } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import { plural } from '../../views/text/format.ts'
import { git } from '../../workspace/git/git.ts'
import type { ApplyTarget } from '../../workspace/landing/apply-run.ts'
import type { AppContext } from '../context.ts'
import type { Recounted } from '../runs/recount.ts'
import { checkCommit, type CommitChecks } from './check-commit.ts'

export interface VerifyOptions {
  /** Run the checks on the result; default: when the user's branch has moved. */
  check?: boolean | undefined
  /** Apply although a check is red. */
  force?: boolean | undefined
  /** The checks may use settings that changed while the run was under way. */
  settings?: boolean | undefined
  onCheck?: ((name: string) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface ApplyProof {
  /** The evidence as text for the user. */
  proof: string
  /** Red checks that `force` overrules. */
  red: string[]
}

/**
 * A branch that has moved makes a tree that no check has seen: the checks run on it, unless `check` is false. Throws
 * WORKSPACE_APPLY when one is red, unless `force` is set.
 */
export async function verifyApply(
  context: AppContext,
  root: string,
  recounted: Recounted,
  { commit, moved }: ApplyTarget,
  { check, force = false, settings = false, applied = false, onCheck, signal }: VerifyOptions & { applied?: boolean },
): Promise<ApplyProof> {
  const { state } = recounted
  if (check === false || (check === undefined && !moved))
    return { proof: moved ? 'No check ran on it.' : await seenByRun(root, state, commit), red: [] }
  const command = `looper apply ${state.run}${check === true ? ' --check' : ''} --settings`
  const found = await checkCommit(context, root, recounted, commit, {
    settings,
    force,
    applied,
    command,
    onCheck,
    signal,
  })
  if (check === true && isEmpty(found)) {
    throw new LooperError('WORKSPACE_APPLY', `${state.run} has no checks to run.`, {
      hint: 'Apply it without --check.',
    })
  }
  return { proof: checkedText(found, applied), red: found.red }
}

const isEmpty = ({ green, excused, red }: CommitChecks): boolean => green.length + excused.length + red.length === 0

function checkedText(found: CommitChecks, applied: boolean): string {
  const { green, excused, red } = found
  if (isEmpty(found)) return 'Your branch has moved, and the run has no checks: the result is unverified.'
  return [
    ...(green.length === 0 ? [] : [`${plural(green.length, 'check')} green on it: ${green.join(', ')}.`]),
    ...(excused.length === 0 ? [] : [`No worse than before: ${excused.join(', ')}.`]),
    ...(red.length === 0 ? [] : [`Red on it${applied ? '' : ', and applied anyway (--force)'}: ${red.join(', ')}.`]),
  ].join(' ')
}

/** The checks that the run saw pass on exactly this tree. */
async function seenByRun(root: string, state: RunState, commit: string): Promise<string> {
  const tree = await git(['rev-parse', '--verify', `${commit}^{tree}`], { cwd: root })
  const passed = [...state.gate.checks, ...(state.loop?.checks ?? [])]
    .filter((check) => check.passed && check.tree === tree)
    .map(({ check }) => check)
  if (passed.length > 0) return `The run saw this tree pass: ${[...new Set(passed)].join(', ')}.`
  return state.config.checks.length === 0
    ? 'It is unverified: the run has no checks.'
    : `No final check ran on it: \`looper apply ${state.run} --check\` runs them.`
}
