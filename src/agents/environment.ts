/** The environment of agents, checks and set-up: an allow-list, so that no forgotten variable leaks. */
import { isAllowed } from './allowed-variables.ts'

/** Additions from the configuration: names to pass on, and variables to set. */
export interface Admission {
  env?: Record<string, string> | undefined
  pass?: readonly string[] | undefined
}

/** Prefixes of variables for the services that agents use. */
const services = ['ANTHROPIC_', 'OPENAI_', 'CODEX_', 'GEMINI_', 'GOOGLE_', 'OPENCODE_', 'CLAUDE_']
/** These change how checks run; agents do not need them. */
const forChecks = new Set(['CI', 'NODE_OPTIONS'])

/** The allowed part of `source`, the variables that the agent's configuration passes on, and its `env` on top. */
export const agentEnvironment = (source: NodeJS.ProcessEnv, admission: Admission): Record<string, string> =>
  admit(
    source,
    admission,
    (name, value) => isAllowed(name, value) || services.some((prefix) => name.startsWith(prefix)),
  )

/** The same for a check or a set-up command, without the keys of agents. */
export const toolEnvironment = (source: NodeJS.ProcessEnv, admission: Admission): Record<string, string> =>
  admit(source, admission, (name, value) => isAllowed(name, value) || forChecks.has(name))

type Allowed = (name: string, value: string) => boolean

function admit(source: NodeJS.ProcessEnv, { env, pass = [] }: Admission, allowed: Allowed): Record<string, string> {
  const seen: Record<string, string> = {}
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && (allowed(name, value) || pass.includes(name))) seen[name] = value
  }
  return Object.assign(seen, env)
}

/** Variables of a shell or of Looper itself. A program that asks for a variable does not mean these. */
const shellOwn = new RegExp(
  String.raw`^(?:PWD|OLDPWD|SHLVL|IFS|EDITOR|VISUAL|PAGER|MAIL|LS_COLORS|COLORTERM|LINES|COLUMNS)$`
    + String.raw`|^(?:HIST|LESS|LOOPER_)`,
)

/** Names that are set in `source` and missing in `seen`, limited to names that a program may have asked for. */
export const withheld = (source: NodeJS.ProcessEnv, seen: Readonly<Record<string, string>>): string[] =>
  Object.keys(source).filter((name) => /^[A-Z]\w{3,}$/.test(name) && !shellOwn.test(name) && !Object.hasOwn(seen, name))
