/** A commit of a run that was found good, kept under a name, with what passed there. */
import type { CheckpointOutcome, CheckpointWork } from '../model/work.ts'
import { plain } from '../views/plain-text.ts'
import { git, gitError, tryGitScript, type GitCall } from './git.ts'
import { runRefFolder } from './run-refs.ts'
import { safeName } from './safe-name.ts'

/** The same checkpoint is the same object, whenever it is made: its time is the commit's. */
export async function makeCheckpoint({ name, commit, passing }: CheckpointWork, run: string, call: GitCall): Promise<CheckpointOutcome> {
  const ref = `${runRefFolder(run)}/checkpoints/${safeName(name)}`
  const told = await git(['show', '--no-patch', '--no-show-signature', '--format=%H %ct', commit, '--'], call)
  const [id = '', seconds = ''] = told.split(' ')
  const lines = [
    `object ${id}`, 'type commit', `tag ${safeName(name)}`, `tagger Looper <looper@localhost> ${seconds} +0000`, '',
    `Checkpoint ${plain(name, 60)}`, '',
    ...(passing.length === 0 ? ['Nothing was checked.'] : ['Passing:', ...passing.map((what) => `- ${plain(what)}`)]), '',
    `Looper-Run: ${plain(run)}`, '',
  ]
  const made = await tryGitScript(tagScript, [`looper: ${safeName(run)}`, ref], { ...call, input: lines.join('\n') })
  if (made.exitCode !== 0) throw gitError(['mktag'], made)
  return { kind: 'checkpoint', ref }
}

const tagScript = 'tag=$(git mktag) && exec git update-ref -m "$1" "$2" "$tag"'
