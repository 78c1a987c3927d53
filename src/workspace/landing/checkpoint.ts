/** Tags a verified commit of a run as a checkpoint and records which checks passed there. */
import type { CheckpointOutcome, CheckpointWork } from '../../model/work.ts'
import { plain } from '../../views/text/plain-text.ts'
import { gitError, tryGitScript, type GitCall } from '../git/git.ts'
import { runRefFolder, type RunRefs } from './run-refs.ts'
import { safeName } from '../git/safe-name.ts'

/** Idempotent: the same checkpoint always gives the same tag object, because it uses the time of the commit. */
export async function makeCheckpoint(
  { name, commit, passing }: CheckpointWork,
  run: string,
  refs: RunRefs,
  call: GitCall & { mark: string },
): Promise<CheckpointOutcome> {
  const ref = `${runRefFolder(run)}/checkpoints/${safeName(name)}`
  const text = [
    '',
    `Checkpoint ${plain(name, 60)}`,
    '',
    ...(passing.length === 0 ? ['Nothing was checked.'] : ['Passing:', ...passing.map((what) => `- ${plain(what)}`)]),
    '',
    `Looper-Run: ${plain(run)}`,
    '',
  ].join('\n')
  const tag = call.quick?.tag(commit, safeName(name), text) ?? (await makeTag(commit, safeName(name), text, call))
  await refs.move({ candidate: { ref, commit: tag } }, call.mark)
  return { kind: 'checkpoint', ref }
}

async function makeTag(commit: string, name: string, text: string, call: GitCall): Promise<string> {
  const made = await tryGitScript(tagScript, [commit, name, text], call)
  if (made.exitCode !== 0) throw gitError(['mktag'], made)
  return made.stdout.trim()
}

const tagScript = `
found=$(git show --no-patch --no-show-signature '--format=%H %ct' "$1" --) || exit
printf 'object %s\ntype commit\ntag %s\ntagger Looper <looper@localhost> %s +0000\n%s' \
  "\${found% *}" "$2" "\${found#* }" "$3" | git mktag`
