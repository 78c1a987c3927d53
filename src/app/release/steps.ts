/** The steps of a release. Each one is idempotent: it skips what is already done. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCheck } from '../../checks/run-check.ts'
import { judgeCheck } from '../../core/policies/checks.ts'
import { checkTimeoutMinutes, type CheckConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import type { CheckWork } from '../../model/work.ts'
import { writeAtomic } from '../../platform/files.ts'
import type { ReleaseObserver } from '../../api/release.ts'
import { plain, plainBlock } from '../../views/text/plain-text.ts'
import { git } from '../../workspace/git/git.ts'
import { seenBy } from '../prepare/check-settings.ts'
import type { AppContext } from '../context.ts'
import { changelogEdit, hashOf, readText, versionEdits, type Edit } from './edits.ts'
import { refuse, refuseDirty } from './plan.ts'
import type { ReleaseState, StepId } from './release-state.ts'
import { resolve, runAsUser, subjectsSince, withoutPasswords, type Argv, type Ran } from './release-git.ts'

export interface World {
  context: AppContext
  root: string
  checks: readonly CheckConfig[]
  mask: (text: string) => string
  observer: ReleaseObserver
  signal: AbortSignal
}

/** Returns the new fields of the state. Throws WORKSPACE_RELEASE when a step fails. */
export const steps: Record<StepId, (state: ReleaseState, world: World) => Promise<Partial<ReleaseState>>> = {
  async checks(state, world) {
    for (const check of world.checks) await passed(check, world)
    // The checks must not have changed any file: the released tree must be the checked one.
    await refuseDirty(
      world.root,
      state.edits.map(({ path }) => path),
    )
    return {}
  },

  async version(state, { root }) {
    await writeAll(root, state, await versionEdits(root, state.version))
    return {}
  },

  async changelog(state, { root }) {
    const { edit } = await changelogEdit(root, state.changelog, {
      ...state,
      subjects: await subjectsSince(root, state.before),
    })
    await writeAll(root, state, edit === null ? [] : [edit])
    return {}
  },

  async commit(state, world) {
    const { root } = world
    const made = await ownCommit(root, state)
    if (made !== null) return { commit: made }
    const paths = state.edits.map(({ path }) => path)
    await refuseDirty(root, paths)
    await asUser(['git', 'add', '--', ...paths], 'commit', world)
    const staged = await git(['diff', '--cached', '--name-only', '--no-ext-diff'], { cwd: root })
    if (staged !== '') await asUser(['git', 'commit', '--quiet', '-m', subjectOf(state)], 'commit', world)
    return { commit: await resolve(root, 'HEAD^{commit}') }
  },

  async tag(state, world) {
    const { root } = world
    const commit = state.commit ?? (await resolve(root, 'HEAD^{commit}'))
    const there = await resolve(root, `refs/tags/${state.tag}^{commit}`)
    const hint = `Look at it: git show ${state.tag}`
    if (there !== null && there !== commit)
      throw refuse(`The tag ${state.tag} exists already, at another commit.`, hint)
    if (there === null) await asUser(['git', 'tag', '-a', '-m', state.tag, state.tag, commit ?? 'HEAD'], 'tag', world)
    return { commit }
  },

  async push(state, world) {
    const { target, tag, commit } = state
    if (target === null) return {}
    const refs = [`${commit ?? 'HEAD'}:${target.ref}`, `refs/tags/${tag}:refs/tags/${tag}`]
    await asUser(['git', 'push', '--atomic', '--', target.remote, ...refs], 'push', world)
    return {}
  },

  async release(state, world) {
    const { tag, notes } = state
    if ((await runAsUser(['gh', 'release', 'view', tag], where(world))).ok) return {}
    const folder = await mkdtemp(join(tmpdir(), 'looper-release-'))
    try {
      const file = join(folder, 'notes.md')
      await writeFile(file, `${notes}\n`)
      await asUser(
        ['gh', 'release', 'create', tag, '--verify-tag', '--title', tag, '--notes-file', file],
        'release',
        world,
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return {}
  },
}

const where = ({ root, context: { env }, signal }: World): Parameters<typeof runAsUser>[1] => ({ root, env, signal })

export const subjectOf = ({ tag }: Pick<ReleaseState, 'tag'>): string => `Release ${tag}`

/** The commit of the release when an earlier call made it without recording it; null when there is none. */
export async function ownCommit(root: string, { base, ...state }: ReleaseState, name = 'HEAD'): Promise<string | null> {
  const commit = await resolve(root, `${name}^{commit}`)
  if (commit === null || (await resolve(root, `${commit}^1`)) !== base) return null
  return (await git(['log', '-1', '--format=%s', commit], { cwd: root })) === subjectOf(state) ? commit : null
}

async function passed(check: CheckConfig, world: World): Promise<void> {
  const { name, run, timeoutMinutes = checkTimeoutMinutes, env, pass } = check
  const { root, context, mask, observer, signal } = world
  const work: CheckWork = {
    kind: 'check',
    id: `release/${name}`,
    workspace: 'main',
    task: null,
    name,
    run: { shell: run },
    tree: null,
    timeoutMs: timeoutMinutes * 60_000,
  }
  const outcome = await runCheck({ work, cwd: root, ...seenBy(context.env, { env, pass }), mask }, signal)
  if (signal.aborted) throw interrupted()
  const { passed: ok, note } = judgeCheck(outcome, false)
  observer.onCheck({ name, ok, durationMs: outcome.durationMs })
  if (!ok) throw failed('checks', `The check "${plain(name)}" failed${note === null ? '' : `: ${note}`}.`, outcome.tail)
}

/** Refuses to overwrite a file that changed after the release was planned. */
async function writeAll(root: string, state: ReleaseState, edits: readonly Edit[]): Promise<void> {
  for (const { path, before, after } of edits) {
    const known = state.edits.find((edit) => edit.path === path)
    const now = await readText(root, path)
    if (now !== before || (before === null ? null : hashOf(before)) !== (known?.before ?? null)) {
      throw refuse(
        `${path} was changed by another process during the release.`,
        'Commit or undo that, then run `looper release` again.',
      )
    }
    const mode = before === null ? {} : { mode: (await stat(join(root, path))).mode & 0o777 }
    await writeAtomic(join(root, path), after, mode)
  }
}

async function asUser(argv: Argv, step: StepId, world: World): Promise<void> {
  const ran: Ran = await runAsUser(argv, where(world))
  if (world.signal.aborted) throw interrupted()
  if (!ran.ok) throw failed(step, `${argv[0]} ${argv[1] ?? ''} failed.`, world.mask(ran.output))
}

export const interrupted = (): LooperError =>
  new LooperError('WORKSPACE_RELEASE', 'The release was interrupted.', { details: { interrupted: true } })

function failed(step: StepId, message: string, output: string): LooperError {
  const end = withoutPasswords(plainBlock(output)).trimEnd().split('\n').slice(-20).join('\n')
  return new LooperError('WORKSPACE_RELEASE', message, { details: { step, output: end } })
}
