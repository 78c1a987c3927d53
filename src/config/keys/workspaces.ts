/** Keys of workspaces, and of how much runs at the same time. */
import { defaultCacheMb } from '../../model/config.ts'
import { example, group, optional, setting } from '../../schema/field.ts'
import { boolean, choice, names, nullable, whole } from '../../schema/spec.ts'
import { commands, inside, outside, variable, variables } from './values.ts'

export const workspaceKeys = {
  parallel: example(setting(whole({ min: 1 }), 4, 'Attempts in flight; 1 is deterministic.', 'parallel'), 1),
  checksParallel: example(
    setting(nullable(whole({ min: 1 })), null, 'Checks in flight; null means the number of cores.', 'checks-parallel'),
    2,
  ),
  workspace: group('Where agents work.', {
    mode: setting(
      choice('worktree', 'in-place'),
      'worktree',
      'One worktree per task, or the checkout itself (parallel must be 1).',
      'workspace',
    ),
    setup: example(
      setting(
        nullable(commands),
        null,
        'Commands that prepare a worktree; null means discovered from the files of the project.',
      ),
      ['npm ci'],
    ),
    copy: example(setting(names(inside), [], 'Untracked files that a worktree needs.'), ['.env']),
    commit: setting(
      nullable(boolean),
      null,
      'Whether finished tasks are committed; null means: in worktrees.',
      'commit',
    ),
    hooks: setting(
      choice('skip', 'run'),
      'skip',
      'Whether `looper apply` runs your pre-commit and commit-msg hooks for the commits it makes.',
    ),
    folder: example(
      setting(
        nullable(outside),
        null,
        "Where workspaces are made, outside the checkout; null means the user's cache folder.",
      ),
      '~/looper-workspaces',
    ),
    cacheMb: example(
      setting(
        whole({ max: 1_000_000 }),
        defaultCacheMb,
        'Disk space for stored products of setup, shared by all checkouts; 0 means that each worktree runs setup.',
      ),
      1024,
    ),
    env: example(optional(variables, 'Variables for the commands of setup; never shown.'), { HUSKY: '0' }),
    pass: example(optional(names(variable), 'Names of your variables that setup sees besides the usual ones.'), [
      'NPM_TOKEN',
    ]),
  }),
}
