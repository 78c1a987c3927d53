/** Finds CI that no longer fails where it did: steps that may fail, are disabled or were removed. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { either } from '../pattern.ts'
import { purposesOf, weakerCommand } from './commands.ts'

const ciFile = either(
  /(?:^|\/)\.(?:github|forgejo|gitea)\/(?:workflows|actions)\/.+\.ya?ml$/,
  /(?:^|\/)\.gitlab-ci[\w.-]*\.yml$/,
  /(?:^|\/)\.husky\/[\w-]+$/,
  /(?:^|\/)\.(?:gitlab|circleci|buildkite|woodpecker)\/.+\.ya?ml$/,
  /(?:^|\/)(?:azure-pipelines|\.woodpecker)[\w.-]*\.ya?ml$/,
  /(?:^|\/)(?:\.travis|bitbucket-pipelines|\.drone|appveyor|\.pre-commit-config|lefthook)\.ya?ml$/,
  /(?:^|\/)Jenkinsfile$/,
)
/** Build files that can be configured to ignore failing tests. */
const buildFile =
  /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?|build\.sbt|phpunit\.xml(?:\.dist)?|Directory\.Build\.props)$/

const lowering: readonly RegExp[] = [
  /\bcontinue-on-error:\s*(?!false\b)\S/,
  /\bcontinueOnError:\s*(?!false\b)\S/,
  /\ballow_failure:\s*(?!false\b)/,
  /\bsoft_fail:\s*(?!false\b)/,
  /\bignore_failure:\s*true/,
  /\bif:\s*(?:\$\{\{\s*)?['"]?(?:false|0)\b/,
  /\bwhen:\s*(?:never|manual)\b/,
  /\bfailure:\s*ignore\b/,
  /\benabled:\s*false\b/,
  /\bcondition:\s*false\b/,
  /\|\|\s*(?:true|:|exit\s+0|echo\b)/,
  /\bset \+e\b/,
  /;\s*(?:true|exit\s+0)\s*$/,
  /(?:^|run:|-)\s*exit\s+0\s*$/,
  /\bcatchError\b/,
  /\breturnStatus:\s*true/,
  /\bstages:\s*\[manual\]/,
]
const buildLowering: readonly RegExp[] = [
  /<skipTests>\s*true/,
  /<maven\.test\.skip>\s*true/,
  /<testFailureIgnore>\s*true/,
  /<skip>\s*true/,
  /\bignoreFailures\s*=?\s*true/,
  /\bisIgnoreFailures\s*=\s*true/,
  /\btest\s*\{\s*enabled\s*=?\s*false/,
  /\btasks?\.(?:named\("test"\)|test).*enabled\s*=\s*false/,
  /\bexclude\s*\(?['"].*[tT]est/,
  /<exclude>.*[tT]est/,
]

export function compareCi(changed: readonly ChangedFile[]): TamperFinding[] {
  const ci = changed.filter(({ path }) => ciFile.test(path))
  const build = changed.filter(({ path }) => buildFile.test(path))
  return [
    ...ci.flatMap((file) => lowered(file, lowering, 'ci-lowered')),
    ...missingSteps(ci),
    ...ci.flatMap(weakerLines),
    ...build.flatMap((file) => lowered(file, buildLowering, 'check-changed')),
  ]
}

function linesOf(text: string | null): string[] {
  const lines = (text ?? '').slice(0, 400_000).split('\n')
  return lines
    .map((line) =>
      line
        .slice(0, 1000)
        .replace(/(^|\s)(?:#|\/\/).*$/, '$1')
        .trim(),
    )
    .filter(Boolean)
}

/** Finds new lines that ignore a failure. */
function lowered(
  { path, before, after }: ChangedFile,
  signs: readonly RegExp[],
  kind: 'ci-lowered' | 'check-changed',
): TamperFinding[] {
  if (before === null) return []
  const [was, is] = [linesOf(before), linesOf(after)]
  const known = new Set(was)
  return signs.flatMap((sign) => {
    const now = is.filter((line) => sign.test(line))
    const fresh = now.find((line) => !known.has(line)) ?? now[0]
    const more = now.length > was.filter((line) => sign.test(line)).length
    return more && fresh !== undefined ? [finding(kind, path, null, fresh)] : []
  })
}

const lead = /^(?:- )?(?:run|script|command|entry|sh)?:?\s*(?:\||>-?)?\s*["'(]*/
const stepsOf = (text: string | null): string[] =>
  linesOf(text).map((line) => line.replace(lead, '').replace(/["')]+$/, ''))

/** Finds checks that a workflow ran and that none runs now; a check may move between workflows. */
function missingSteps(files: readonly ChangedFile[]): TamperFinding[] {
  const now = new Set(files.flatMap(({ after }) => stepsOf(after)).flatMap((step) => [...kindsOf(step)]))
  return files.flatMap(({ path, before }) => {
    const gone = new Map<string, string>()
    for (const step of stepsOf(before)) for (const kind of kindsOf(step)) if (!now.has(kind)) gone.set(kind, step)
    return [...gone].map(([kind, step]) =>
      finding('ci-lowered', path, null, `no longer runs ${kind}: ${step.slice(0, 120)}`),
    )
  })
}

const scriptCall = new RegExp(
  String.raw`\b(?:npm|yarn|pnpm|bun|make|just|composer|tox|nox)(?: (?:run|run-script|-e|-s))* `
    + String.raw`(?:\\?["'])?(?:/\^?)?([\w:.-]{1,60})`,
)
/** `npm ci` installs; `npm run ci`, `yarn ci` and `make ci` run a script. */
const isInstall = /^(?:npm|pnpm|bun) ci\b/

/** Returns what a step checks, by its program or the name of the script that it runs. */
function kindsOf(step: string): Set<string> {
  const kinds = purposesOf(step)
  const script = isInstall.test(step) ? '' : (scriptCall.exec(step)?.[1] ?? '')
  if (/test|^t$/.test(script)) kinds.add('tests')
  if (script.startsWith('lint')) kinds.add('lint')
  if (/^(?:type-?check|types|tsc)/.test(script)) kinds.add('types')
  if (/^(?:check|verify|validate|ci)(?:$|[:._-])/.test(script)) kinds.add('checks')
  return kinds
}

/** Finds a step whose command became weaker, by comparing removed and added lines of the same kind. */
function weakerLines({ path, before, after }: ChangedFile): TamperFinding[] {
  if (before === null || after === null) return []
  const [was, is] = [stepsOf(before), stepsOf(after)]
  const [known, kept] = [new Set(was), new Set(is)]
  const come = is.filter((step) => !known.has(step) && kindsOf(step).size > 0)
  return was
    .filter((step) => !kept.has(step) && kindsOf(step).size > 0)
    .slice(0, 100)
    .flatMap((step) => {
      const kind = [...kindsOf(step)][0] ?? ''
      const same = come.find((other) => kindsOf(other).has(kind))
      const why = same === undefined || /\|\|/.test(same) ? null : weakerCommand(step, same)
      return why === null ? [] : [finding('ci-lowered', path, null, `${step.slice(0, 80)}: ${why}`)]
    })
}
