/** Marks findings about settings that no check of the run reads: they are reported, but never block. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { either } from '../pattern.ts'
import { purposesOf, segments } from './commands.ts'
import { resolvedCommands } from './scripts.ts'

const linting = either(
  /(?:^|\/)\.?(?:eslint|prettier|stylelint|oxlint|biome|ruff|flake8|pylint|rubocop)[\w.-]*$/,
  /(?:^|\/)\.?(?:golangci|phpstan|psalm|codecov|knip)[\w.-]*$/,
  /(?:^|\/)(?:[\w.-]+\.)?(?:mypy\.ini|pyrightconfig\.json|clippy\.toml)$/,
)
const lintSection =
  /^(?:tool\.)?(?:ruff|flake8|mypy|pylint|(?:based)?pyright|black|isort|eslint\w*|xo|prettier|stylelint)\b/
const typing = /(?:^|\/)(?:ts|js)config[\w.-]*\.json$/
/** Settings of packaging do not affect checks. */
const packaging = /^(?:tool\.)?(?:flit|poetry|hatch\.build|setuptools|pdm\.build|maturin)\b/
const toxed = /^tool\.tox\b|^testenv\b/

export function markAside(
  findings: readonly TamperFinding[],
  files: readonly ChangedFile[],
  checks: readonly string[],
): TamperFinding[] {
  if (findings.length === 0) return []
  const resolved = resolvedCommands(files, checks)
  const steps = resolved.slice(checks.length).flatMap(segments)
  const named = files
    .filter(({ path, before }) => before !== null && !isProse.test(path))
    .map(({ path, before }) => `${path}\n${before}`)
  const purposes = new Set(steps.flatMap((step) => [...purposesOf(step)]))
  // A step of unknown purpose may run any tool.
  const isKnown =
    checks.length > 0
    && steps.every((step) => purposesOf(step).size > 0 || /^(?:cd|export|set|echo|mkdir)\b/.test(step))
  const without = (purpose: string): boolean => isKnown && !purposes.has(purpose)
  const isAside = ({ kind, file, detail }: TamperFinding): boolean =>
    kind === 'ci-lowered'
    || packaging.test(detail)
    || (checks.length > 0 && isUncalled(file, detail, [...resolved, ...named]))
    || (without('lint') && without('types') && (linting.test(file) || lintSection.test(detail)))
    || (without('types') && typing.test(file))
    || (isKnown
      && (toxed.test(detail) || (/(?:^|\/)tox\.ini$/.test(file) && /\bcommands\b/.test(detail)))
      && !steps.some((step) => /\btox\b/.test(step)))
  return findings.map((finding) => (isAside(finding) ? { ...finding, aside: true } : finding))
}

const isProse = /\.(?:md|rst|txt|adoc)$|(?:^|\/)(?:\.github|\.circleci)\/|(?:^|\/)\.(?:travis|gitlab-ci)\.yml$/

/** Whether no command and no other file mentions the script. */
function isUncalled(file: string, detail: string, texts: readonly string[]): boolean {
  if (!/\.(?:ba)?sh$/.test(file) || detail.startsWith('a check runs it')) return false
  const name = file.slice(file.lastIndexOf('/') + 1)
  return texts.every((text) => text.startsWith(`${file}\n`) || !text.includes(name))
}
