/** The only error class: what happened, what to do, and which exit code follows. */

export type Retry = 'never' | 'after-fix' | 'later'

interface Entry {
  exit: 1 | 2 | 3
  retry: Retry
  /** The default hint, used when the thrower gives none. */
  hint: string
  /** What a person must do before the run can resume; absent when unknown. */
  fix?: string
}

/** The hint of an error after which the run can be resumed. */
const thenResume = (fix: string): { hint: string; fix: string } => ({ hint: `${fix}, then \`looper resume\`.`, fix })

export const errorTable = {
  USAGE_ARGUMENTS: { exit: 2, retry: 'after-fix', hint: 'Run `looper --help`.' },
  USAGE_NO_GOAL: { exit: 2, retry: 'after-fix', hint: 'Say what you want: looper run "add a --json flag".' },
  USAGE_NO_RUN: { exit: 2, retry: 'after-fix', hint: '`looper runs` lists the runs of this repository.' },
  USAGE_NO_TASK: { exit: 2, retry: 'after-fix', hint: '`looper ls` lists the tasks of the newest run.' },
  USAGE_NESTED: {
    exit: 2,
    retry: 'never',
    hint: 'Do the task and report it in the result; `looper status`, `ls` and `tail` only read.',
  },
  USAGE_RUN_STATE: { exit: 2, retry: 'after-fix', hint: '`looper status` shows the state of the run.' },
  USAGE_RELEASE: { exit: 2, retry: 'after-fix', hint: '`looper release --dry-run` shows what a release would do.' },
  CONFIG_INVALID: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Fix the file; `looper config path` shows which files are read.',
  },
  CONFIG_CHANGED: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Undo the change of the files, or use them as they are now with --settings.',
  },
  CONFIG_UNKNOWN_AGENT: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Name it under "agents" in .looper/config.json, or install it.',
  },
  CONFIG_NO_AGENT: {
    exit: 2,
    retry: 'after-fix',
    hint: `Install a coding agent, or name yours: looper config set agents.mine.command '["my-agent"]'`,
  },
  CONFIG_UNKNOWN_WORKFLOW: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Use "supervised", "backlog", or the name of a pipeline.',
  },
  CONFIG_PIPELINE: { exit: 2, retry: 'after-fix', hint: '`looper pipeline lint` says what is wrong, and where.' },
  CONFIG_BACKLOG: { exit: 2, retry: 'after-fix', hint: 'Fix the file, or let `looper run` have an agent fix it.' },
  ENVIRONMENT_NODE: { exit: 2, retry: 'after-fix', hint: 'Install Node 20.19 or newer.' },
  ENVIRONMENT_NO_GIT: { exit: 2, retry: 'after-fix', hint: 'Install git 2.38 or newer.' },
  ENVIRONMENT_REPOSITORY: { exit: 2, retry: 'after-fix', hint: "Fix what git's message names, and try again." },
  ENVIRONMENT_NOT_A_REPOSITORY: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Go to your project with `cd`, or name it with `-C <folder>`. A new one needs `git init` and a commit.',
  },
  ENVIRONMENT_BARE_REPOSITORY: { exit: 2, retry: 'after-fix', hint: 'Clone it and run Looper in the clone.' },
  ENVIRONMENT_NO_COMMIT: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Run `git add -A && git commit --allow-empty -m "Start"`.',
  },
  ENVIRONMENT_READ_ONLY: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Make the folder writable: Looper keeps its files in .looper/.',
  },
  ENVIRONMENT_NO_SANDBOX: { exit: 2, retry: 'after-fix', hint: 'Install bubblewrap, or set "sandbox" to "off".' },
  ENVIRONMENT_DISK_FULL: { exit: 3, retry: 'after-fix', ...thenResume('Free some space') },
  ENVIRONMENT_SOURCE: { exit: 3, retry: 'later', ...thenResume('Make sure that it can be reached') },
  ENVIRONMENT_IO: {
    exit: 3,
    retry: 'after-fix',
    hint: 'Fix the disk or the permissions, then run `looper resume`.',
    fix: 'Fix the disk or the permissions',
  },
  ENVIRONMENT_RESOURCES: {
    exit: 3,
    retry: 'later',
    ...thenResume('Raise the limits (`ulimit -n`, `ulimit -u`) or end other programs'),
  },
  ENVIRONMENT_NO_TMUX: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Install tmux, or use --detach: `looper attach` shows such a run as well.',
  },
  ENVIRONMENT_NO_GH: { exit: 2, retry: 'after-fix', hint: 'Install gh (https://cli.github.com).' },
  ENVIRONMENT_NO_EDITOR: { exit: 2, retry: 'after-fix', hint: 'Set EDITOR to your editor, then try again.' },
  ENVIRONMENT_DETACH: { exit: 1, retry: 'later', hint: 'Run it without --detach to see what is wrong.' },
  WORKSPACE_DIRTY: {
    exit: 2,
    retry: 'after-fix',
    hint: 'Commit or stash your changes, or use worktrees (the default).',
  },
  WORKSPACE_BRANCH: { exit: 2, retry: 'after-fix', hint: 'Rename it: git branch -m looper looper-old' },
  WORKSPACE_GIT: {
    exit: 3,
    retry: 'after-fix',
    hint: "Read git's message, then run `looper resume`.",
    fix: "Read git's message",
  },
  WORKSPACE_SETUP: {
    exit: 3,
    retry: 'after-fix',
    hint: 'Fix it, or run `looper config set workspace.setup "<command>"`, then `looper resume --settings`.',
  },
  WORKSPACE_CONTENT: { exit: 3, retry: 'after-fix', ...thenResume('Read what git says about the change, fix it') },
  WORKSPACE_RELEASE: {
    exit: 1,
    retry: 'after-fix',
    hint: '`looper release` continues from there; `looper release --abort` undoes the local steps.',
  },
  WORKSPACE_APPLY: { exit: 1, retry: 'after-fix', hint: 'Merge the run branch by hand.' },
  WORKSPACE_PUSH: { exit: 1, retry: 'after-fix', hint: 'Fix what git reports, then push again.' },
  JOURNAL_DAMAGED: {
    exit: 1,
    retry: 'after-fix',
    hint: 'Run `looper doctor --repair`: it sets the damaged part aside and deletes nothing.',
  },
  JOURNAL_CONTRADICTED: {
    exit: 1,
    retry: 'never',
    hint: 'Start again from before that event: `looper fork --at`. `looper diff` shows the changes.',
  },
  JOURNAL_CONFLICT: { exit: 1, retry: 'later', hint: 'Another process wrote to this run: try again.' },
  JOURNAL_VERSION: { exit: 2, retry: 'never', hint: 'Install the version named above: a newer Looper wrote this run.' },
  LIMIT_LOCKED: { exit: 2, retry: 'later', hint: '`looper attach` shows it; `looper stop` stops it.' },
  AGENT_LOGIN: { exit: 3, retry: 'after-fix', hint: 'Log in to the agent, then try again.' },
  AGENT_SCRIPT: { exit: 2, retry: 'after-fix', hint: 'Fix the script.' },
  BUG_INVARIANT: {
    exit: 1,
    retry: 'later',
    hint: 'Please report this with the run folder; `looper resume` continues from the journal.',
  },
} as const satisfies Record<string, Entry>

export type ErrorCode = keyof typeof errorTable

export class LooperError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  /** What a person must do before the run can resume; null when unknown. */
  readonly fix: string | null
  readonly details: Record<string, unknown>

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; fix?: string; cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'LooperError'
    this.code = code
    const entry: Entry = errorTable[code]
    const own = options.hint === undefined ? entry : { hint: options.hint, fix: undefined }
    const { hint, fix } = options.fix === undefined ? own : thenResume(options.fix)
    this.hint = hint
    this.fix = fix ?? null
    this.details = options.details ?? {}
  }

  get exitCode(): number {
    return errorTable[this.code].exit
  }
}

/** What a caught value says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
