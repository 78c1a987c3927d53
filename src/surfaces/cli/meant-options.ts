/** Names that other programs give to options of Looper, by meaning. */

export const meanings: Readonly<Record<string, readonly string[]>> = {
  '--cost-usd': [
    'budget',
    'cost',
    'costs',
    'max-cost',
    'max-budget',
    'max-budget-usd',
    'usd',
    'dollars',
    'price',
    'spend',
  ],
  '--time-minutes': ['time', 'minutes', 'duration', 'timeout', 'max-time', 'time-limit', 'deadline'],
  '--parallel': ['workers', 'jobs', 'concurrency', 'threads', 'max-parallel', 'max-workers'],
  '--turns': ['max-turns', 'steps', 'max-steps', 'rounds'],
  '--tokens': ['max-tokens', 'token-limit'],
  '--attempts': ['retries', 'max-retries', 'tries', 'max-attempts'],
  '--check': ['test', 'tests', 'verify', 'test-command', 'test-cmd'],
  '--no-checks': ['no-test', 'no-tests', 'no-verify', 'skip-tests', 'skip-checks'],
  '--no-review': ['skip-review', 'no-reviews'],
  '--agent': ['provider', 'backend', 'engine', 'cli', 'tool'],
  '--model': ['llm', 'models'],
  '--sandbox': ['no-sandbox', 'unsafe', 'yolo', 'dangerously-skip-permissions', 'full-auto', 'isolation'],
  '--detach': ['background', 'daemon', 'bg'],
  '--dry-run': ['plan', 'preview', 'plan-only', 'what-if', 'noop'],
  '--yes': ['no-confirm', 'assume-yes', 'non-interactive', 'auto-approve'],
  '--quiet': ['silent'],
  '--json': ['format', 'output', 'output-format'],
  '--goal-file': ['spec', 'prd', 'goalfile'],
  '--in-place': ['no-worktree', 'inplace', 'no-worktrees'],
  '--follow': ['watch', 'live'],
  '--lines': ['tail', 'last', 'count'],
  '-C': ['cwd', 'dir', 'directory', 'chdir', 'repo'],
}

/** The options of `known` that mean what the word says; empty when there is none. */
export function meantOptions(word: string, known: readonly { names: readonly string[]; hidden?: boolean }[]): string[] {
  const [name = ''] = word.replace(/^--/, '').toLowerCase().split('=')
  return Object.keys(meanings).filter(
    (option) =>
      meanings[option]?.includes(name) === true
      && known.some(({ names, hidden }) => hidden !== true && names.includes(option)),
  )
}
