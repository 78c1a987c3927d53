/** Runs whose folder was deleted, as by `git clean -x`: git still has what they landed. */
import { LooperError } from '../../model/error.ts'
import { git } from '../../workspace/git/git.ts'

export interface LostRun {
  id: string
  /** Its branch, else the ref that keeps its last commit. */
  ref: string
}

/** `known`: the runs that have a folder. Empty where git cannot be asked. */
export async function findLostRuns(root: string, known: readonly string[]): Promise<LostRun[]> {
  const patterns = ['refs/looper/*/tip', 'refs/heads/looper/*']
  const listed = await git(['for-each-ref', '--format=%(refname)', ...patterns], { cwd: root }).catch(() => '')
  const refs = listed.split('\n')
  return refs.flatMap((ref) => {
    const id = /^refs\/looper\/([^/]+)\/tip$/.exec(ref)?.[1]
    if (id === undefined || known.includes(id)) return []
    return [{ id, ref: refs.includes(`refs/heads/looper/${id}`) ? `looper/${id}` : ref }]
  })
}

export const lostError = ({ id, ref }: LostRun): LooperError =>
  new LooperError('USAGE_NO_RUN', `The folder of ${id} was deleted: .looper/runs/${id} (\`git clean -x\` does that).`, {
    hint:
      `What it landed is in git: \`git log ${ref}\` shows it, \`git merge ${ref}\` merges it. Its journal, report and `
      + 'open tasks are lost. `git clean -x -e .looper` spares them.',
  })
