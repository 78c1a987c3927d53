/**
 * How shells, runners and package managers say that a check cannot run. One line of output decides; the first rule that
 * matches wins, so the cause stands before its consequence.
 */
import type { CannotRunKind } from '../model/cannot-run.ts'

export interface CannotRunRule {
  kind: CannotRunKind
  /** Its first group that matched is the subject. */
  pattern: RegExp
  /** The subject when the line does not name one. */
  subject?: string
  /** Only a module that is not a file of the project; a file is the work of a task. */
  isModule?: 'node' | 'python' | 'ruby'
  /** The rule holds only when another line matches this. */
  beside?: RegExp
}

const servicePort = String.raw`(?:[1-9]\d{0,3}|[12]\d{4})\b`
const refused = '[Cc]onnection refused'
const quoted = `['"‘’\`]`
/** Without the words "environment variable", only a name of several parts is one. */
const longName = '([A-Z][A-Z\\d]*(?:_[A-Z\\d]+)+)'
const aVariable = `(?:${quoted}? env(?:ironment)? ?var(?:iable)?)`
const isAbsent =
  '(?:is|was|must be|needs to be|has to be) '
  + '(?:not (?:set|defined|provided)|unset|undefined|missing|set|required|defined)\\b'

export const cannotRunRules: readonly CannotRunRule[] = [
  // A name that does not resolve explains the missing packages that follow from it.
  { kind: 'network', pattern: /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)/ },
  { kind: 'network', pattern: /\b(?:ENOTFOUND|EAI_AGAIN)\b.*?\b([\w-]+(?:\.[\w-]+)+)/ },
  { kind: 'network', pattern: /[Cc]ould not resolve host:? ['"]?([\w.-]+)/ },
  { kind: 'network', pattern: /\blookup ([\w.-]+)(?: on \S+)?: (?:no such host|.*server misbehaving|.*i\/o timeout)/ },
  { kind: 'network', pattern: /\bUnknownHostException: ([\w.-]+)/ },
  { kind: 'network', pattern: /Unable to load the service index for source (?:https?:\/\/)?([\w.-]+)/ },
  { kind: 'network', pattern: /host=['"]([\w.-]+)['"].*Failed to (?:resolve|establish a new connection)/ },
  {
    kind: 'network',
    pattern: /Temporary failure in name resolution|Name or service not known|\bENETUNREACH\b|Network is unreachable/,
    subject: 'the network',
  },
  // Higher ports are those of servers that a test starts itself.
  { kind: 'network', pattern: new RegExp(`\\bECONNREFUSED\\b.*?([\\w.:[\\]-]+:${servicePort})`) },
  { kind: 'network', pattern: new RegExp(`\\b(?:dial|connect(?:ing)?)\\b.*?([\\w.-]+:${servicePort}).*${refused}`) },
  {
    kind: 'network',
    pattern: new RegExp(`server at "[^"]+"(?: \\([^)]*\\))?, (port ${servicePort}) failed: ${refused}`),
  },
  { kind: 'network', pattern: /[Cc]an't connect to (?:local )?((?:MySQL|MariaDB) server)/ },
  { kind: 'network', pattern: /[Cc]ould not connect to (?:the )?(server|database)\b/ },

  { kind: 'port', pattern: /\bEADDRINUSE\b.*?(?::|port )(\d+)\b/ },
  { kind: 'port', pattern: /(?::| port )(\d{2,5})\b.*[Aa]ddress already in use/ },
  { kind: 'port', pattern: /[Aa]ddress already in use.*?(?::| port )(\d{2,5})\b/ },
  {
    kind: 'port',
    pattern: /\bEADDRINUSE\b|[Aa]ddress already in use|\bport \S+ is already (?:in use|allocated)/,
    subject: 'a port',
  },

  { kind: 'env-file', pattern: /no such file or directory, \w+ '(?:[^']*\/)?(\.env[\w.-]*)'/ },
  { kind: 'env-file', pattern: /No such file or directory: '(?:[^']*\/)?(\.env[\w.-]*)'/ },
  {
    kind: 'env-file',
    pattern: /(?:^|[\s/'"])(\.env[\w.-]*)['"]?: (?:not found|No such file or directory|cannot open)/,
  },
  {
    kind: 'env-file',
    pattern: /(?:[Ee]nv(?:ironment)? file|cannot find|could not find|[Mm]issing) ["']?(?:\S*\/)?(\.env[\w.-]*)/,
  },

  // Before the variables: JAVA_HOME is needed only where there is no java.
  { kind: 'program', pattern: /JAVA_HOME is not (?:set|defined)|Unable to locate a Java Runtime/, subject: 'java' },
  { kind: 'variable', pattern: new RegExp(`\\b${longName}${aVariable}?:? ${isAbsent}`) },
  { kind: 'variable', pattern: new RegExp(`\\b([A-Z]\\w{2,})${aVariable} ${isAbsent}`) },
  {
    kind: 'variable',
    pattern: new RegExp(`[Ee]nvironment variable ${quoted}?([A-Z][A-Z\\d_]{2,})${quoted}? ${isAbsent}`),
  },
  {
    kind: 'variable',
    pattern:
      /(?:[Mm]issing|[Ss]et|[Uu]ndefined|[Nn]o) (?:the )?(?:required )?([A-Z][A-Z\d_]{2,}) env(?:ironment)? ?var/,
  },
  {
    kind: 'variable',
    pattern: new RegExp(
      '(?:[Mm]issing|[Uu]ndefined) (?:required )?(?:env(?:ironment)? ?)?var(?:iable)?s?:? '
        + `${quoted}?([A-Z][A-Z\\d_]{2,})`,
    ),
  },
  { kind: 'variable', pattern: /[Ee]nvironment variable not found: ([A-Z][A-Z\d_]{2,})/ },
  { kind: 'variable', pattern: /sh: (?:line )?(?:\d+: )?([A-Z][A-Z\d_]{2,}): (?:parameter not set|unbound variable)/ },
  {
    kind: 'variable',
    pattern: /(?:^|\s)KeyError: '([A-Z][A-Z\d_]{2,})'$/,
    beside: /\benviron\b|<frozen os>|\/os\.py"/,
  },
  { kind: 'variable', pattern: /key not found: "([A-Z][A-Z\d_]{2,})" \(KeyError\)/, beside: /\bENV\b|fetch/ },

  { kind: 'target', pattern: new RegExp(`[Mm]issing script:? ${quoted}?([\\w:.-]+)`) },
  { kind: 'target', pattern: new RegExp(`Couldn't find a script named ${quoted}([^'"]+)`) },
  { kind: 'target', pattern: /^error Command "([^"]+)" not found\.$/ },
  { kind: 'target', pattern: /ENOENT.*[/'"\s](package\.json)\b/ },
  { kind: 'target', pattern: new RegExp(`No rule to make target ${quoted}([^'"‘’\`]+)`) },
  { kind: 'target', pattern: /^make: \*\*\* No targets specified and no (makefile) found/ },
  { kind: 'target', pattern: /[Jj]ustfile does not contain recipes? `?([\w-]+)/ },
  { kind: 'target', pattern: /^error: [Nn]o (justfile) found/ },
  { kind: 'target', pattern: /could not find `(Cargo\.toml)`/ },
  { kind: 'target', pattern: /^go: (go\.mod) file not found/ },
  { kind: 'target', pattern: /Don't know how to build task ['"]([^'"]+)/ },
  { kind: 'target', pattern: /Task '([^']+)' not found in (?:root )?project/ },
  { kind: 'target', pattern: /there is no POM in this directory/, subject: 'pom.xml' },
  { kind: 'target', pattern: /MSB1003: Specify a project or solution file/, subject: 'a project or solution file' },
  { kind: 'target', pattern: /\(Mix\) The task "([^"]+)" could not be found/ },
  { kind: 'target', pattern: /^ERROR: (?:unknown environment|env\(s\) matching) '?([\w-]+)/ },
  { kind: 'target', pattern: /^Command "([^"]+)" is not defined\.$/ },

  { kind: 'program', pattern: /^bundler: command not found: (\S+)/ },
  { kind: 'program', pattern: /^error: no such (?:command|subcommand): `([^`]+)`/ },
  { kind: 'program', pattern: /^Could not open input file: (\S+)/ },
  { kind: 'program', pattern: /Executable doesn't exist at (\S+)/ },
  { kind: 'program', pattern: /\bspawn (\S+) ENOENT\b/ },
  { kind: 'program', pattern: /\bnpx canceled due to missing packages\b.*?\["((?:@[\w.-]+\/)?[\w.-]+)/ },
  { kind: 'program', pattern: /\bnpx canceled due to missing packages\b/, subject: 'the program' },
  { kind: 'program', pattern: /^npm (?:error|ERR!) could not determine executable to run/, subject: 'the program' },

  { kind: 'module', pattern: /Cannot find (?:package|module) '([^']+)'/, isModule: 'node' },
  { kind: 'module', pattern: /Cannot find (?:package|module) "([^"]+)"/, isModule: 'node' },
  { kind: 'module', pattern: /Failed to resolve import "([^"]+)" from/, isModule: 'node' },
  { kind: 'module', pattern: /Failed to load url (\S+) \(/, isModule: 'node' },
  { kind: 'module', pattern: /^\S*python[\d.]*(?:\.exe)?: No module named ([\w.]+)/ },
  { kind: 'module', pattern: /^\S*python[\d.]*: Error while finding module specification for '([\w.]+)'/ },
  { kind: 'module', pattern: /ModuleNotFoundError: No module named '([\w.]+)'/, isModule: 'python' },
  { kind: 'module', pattern: /\b(?:ClassNotFoundException|NoClassDefFoundError): ((?:org[./])?junit[./][\w./$]*)/ },
  { kind: 'module', pattern: /\berror: package ((?:org\.)?junit[\w.]*) does not exist/ },
  { kind: 'module', pattern: /no required module provides package ([^\s;:]+)/ },
  { kind: 'module', pattern: /cannot find package "([^"]+\.[^"]+\/[^"]+)" in any of/ },
  { kind: 'module', pattern: /error: no matching package named `([^`]+)` found/ },
  { kind: 'module', pattern: /error: failed to (?:get|download|load source for dependency) `?([\w-]+)/ },
  {
    kind: 'module',
    pattern: /Could not find (?:gem ')?([\w.-]+)(?: \([^)]*\))?'? in (?:locally installed gems|any of the sources)/,
  },
  { kind: 'module', pattern: /cannot load such file -- (\S+) \(LoadError\)/, isModule: 'ruby' },
  { kind: 'module', pattern: /(?:Failed opening required|failed to open stream).*?\b(vendor\/autoload\.php)/ },
  { kind: 'module', pattern: /Could not resolve dependencies for project ([^\s:]+(?::[^\s:]+)?)/ },
  { kind: 'module', pattern: /Unchecked dependencies for environment (\w+)/ },
  {
    kind: 'module',
    pattern: /^(?:npm (?:error|ERR!) )?.*\bnode_modules\b.* (?:missing|does not exist)/,
    subject: 'node_modules',
  },
]

/** No test was found; nothing passed or failed. */
export const noTests = new RegExp(
  [
    '^(?:Error: )?No test files found\\b',
    '^No tests found\\b',
    '^No tests executed!',
    '^No examples found\\.',
    '^=* ?no tests ran in ',
    '^NO TESTS RAN$',
    '^Ran 0 tests in ',
    "Couldn't find any files to test",
    '\\bno packages to test\\b',
    '^go: warning: ".*" matched no packages$',
    '^"?Error: no test specified"?$',
    "^Could not find '.*test.*'$",
    '^No test is available in ',
    '^There are no tests to run$',
  ].join('|'),
)

/** A shell that does not find a program, or may not execute it. */
export const shellLines: readonly RegExp[] = [
  /^(?:\S*\/)?\w*sh: (?:line )?\d+: (\S+): (?:not found|command not found|[Pp]ermission denied)$/,
  /^(?:\S*\/)?\w*sh: (\S+): (?:not found|command not found|No such file or directory|[Pp]ermission denied)$/,
  /^(?:\S*\/)?\w*sh: (?:line )?\d+: (\S+): No such file or directory$/,
  // A script that is called by its path: `./check.sh: line 3: jq: command not found`.
  /^[^\s:]+: (?:line )?\d+: (\S+): (?:not found|command not found|[Pp]ermission denied)$/,
  /^zsh: (?:command not found|no such file or directory|permission denied): (\S+)$/,
  /^fish: Unknown command:? ['"]?([^\s'"]+)/,
  /^make: (\S+): No such file or directory$/,
  /^env: [‘'"]?([^’'":]+)[’'"]?: No such file or directory$/,
  /^'([^']+)' is not recognized as an internal or external command/,
]
