/** The ways out of a set-up that fails, by what its command says. */
import type { Remedy } from '../../model/pause.ts'

interface Rule {
  pattern: RegExp
  /** `$1` is the first group of the pattern. */
  text: string
}

const rules: readonly Rule[] = [
  {
    pattern: /(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|Failed to establish a new connection)/,
    text: 'Make the package registry reachable: the network, a proxy, or "workspace.pass" for the variables of one',
  },
  {
    pattern: /Temporary failure in name resolution|Could not resolve host|NameResolutionError/,
    text: 'Make the package index reachable: the network, a proxy, or "workspace.pass" for the variables of one',
  },
  { pattern: /in sync|lockfile (?:needs|would)|OUTDATED_LOCKFILE/, text: 'Update the lock file and commit it' },
  { pattern: /existing package-lock\.json/, text: 'Commit a lock file: npm install --package-lock-only' },
  { pattern: /\bERESOLVE\b/, text: 'Change the versions in package.json that conflict, and commit them' },
  { pattern: /\b404 Not Found - GET \S*\/([^\s/]+)/, text: 'Correct the dependency $1, or log in to its registry' },
  {
    pattern: /No matching distribution found for ([^\s|]+)/,
    text: 'Correct the requirement $1, or let pip find it: "workspace.pass" with PIP_INDEX_URL or PIP_FIND_LINKS',
  },
  {
    pattern: /\bensurepip is not\b|No module named '?(?:venv|ensurepip)/,
    text: 'Install the module venv of Python, for example: apt install python3-venv',
  },
  {
    pattern: /externally-managed-environment/,
    text: 'Install into an environment of the project: python3 -m venv .venv && .venv/bin/python -m pip install …',
  },
  { pattern: /requires a different Python: ([\w.]+)/, text: 'Use a Python that the project supports, not $1' },
  { pattern: /No module named '?pip\b/, text: 'Install pip: python3 -m ensurepip' },
  { pattern: /\bEACCES\b|[Pp]ermission denied/, text: 'Make the folder that it names writable' },
]

/** The program of a shell that did not find it. */
const missing = /(?:sh|bash): (?:line )?(?:\d+: )?(\S+): (?:command )?not found/

/** The action, with the command where there is one. */
export const remedyText = ({ text, command }: Remedy): string => (command === null ? text : `${text}: ${command}`)

/** `message`: what the failed set-up says. The best remedy comes first. */
export function setupRemedies(message: string): Remedy[] {
  const program = missing.exec(message)?.[1]
  const known = rules.flatMap(({ pattern, text }): Remedy[] => {
    const match = pattern.exec(message)
    return match ? [{ text: text.replace('$1', () => match[1] ?? ''), command: null }] : []
  })
  return [
    ...(program === undefined ? [] : [{ text: `Install ${program}`, command: null }]),
    ...known.slice(0, 1),
    { text: 'Set another command', command: 'looper config set workspace.setup "<command>"' },
    { text: 'Run the checks without set-up', command: "looper config set workspace.setup '[]'" },
  ]
}
