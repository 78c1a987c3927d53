/** Merges a manifest with sections (TOML, INI): tool sections come from the base, all others from the candidate. */

interface Section {
  name: string
  text: string
}

/** Sections of `[tool]` that define packaging. */
const packaging = new RegExp(
  '^tool\\.(?:poetry|setuptools|setuptools_scm|flit|maturin|scikit-build|hatch\\.(?:build|version|metadata)|'
    + 'pdm(?!\\.scripts)|uv|cython|mypyc|meson-python)(?:\\.|$)',
)
const steering: Readonly<Record<string, RegExp>> = {
  'pyproject.toml': /^tool\.|^project\.entry-points\.["']?pytest11/,
  'setup.cfg':
    /^(?:tool:|coverage|flake8|mypy|pylint|pycodestyle|isort|aliases|nosetests|pytest|tox|testenv|yapf|bdist_|test$)/,
  'Cargo.toml': /^(?:profile|\[?test\b|lints|workspace\.lints|patch|replace|target\..*\.(?:runner|rustflags))/,
}
/** Keys taken from the base, in sections that otherwise come from the candidate. */
const steeringKeys: Readonly<Record<string, RegExp>> = {
  'Cargo.toml': /^\s*(?:autotests|autobins|autoexamples|autobenches|build|test|doctest|harness|default-run)\s*=/,
}

export function mergeSections(path: string, before: string, after: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isSteering = (section: string): boolean =>
    (steering[name]?.test(section) ?? false) && !(name === 'pyproject.toml' && packaging.test(section))
  const [was, is] = [sectionsOf(before), sectionsOf(after)]
  const keys = steeringKeys[name]
  const kept = is
    .filter((section) => !isSteering(section.name))
    .map((section) =>
      keys === undefined
        ? section
        : withKeys(
            section,
            was.find((other) => other.name === section.name),
            keys,
          ),
    )
  const theirs = was.filter((section) => isSteering(section.name))
  if (
    sameText(
      theirs,
      is.filter((section) => isSteering(section.name)),
    )
    && kept.every((section) => is.includes(section))
  )
    return after
  return [...kept, ...theirs].map(({ text }) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)).join('')
}

const sameText = (left: readonly Section[], right: readonly Section[]): boolean =>
  left.map(({ text }) => text.trim()).join('\n') === right.map(({ text }) => text.trim()).join('\n')

/** The first section has no name: it is the text before all headings. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ name: '', text: '' }]
  let quoted: string | null = null
  for (const line of text.split(/(?<=\n)/)) {
    const heading = quoted === null ? /^\[(\[?[^\]\n]+)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd())?.[1] : undefined
    if (heading !== undefined) sections.push({ name: heading.trim(), text: '' })
    const last = sections.at(-1)
    if (last !== undefined) last.text += line
    for (const [mark] of line.matchAll(/"""|'''/g)) quoted = quoted === null ? mark : quoted === mark ? null : quoted
  }
  return sections
}

/** Takes the matching keys from the base, and removes those that the base does not have. */
function withKeys(section: Section, base: Section | undefined, keys: RegExp): Section {
  const linesOf = (text: string): string[] => text.split(/(?<=\n)/)
  const was = linesOf(base?.text ?? '').filter((line) => keys.test(line))
  const is = linesOf(section.text).filter((line) => keys.test(line))
  if (was.map((line) => line.trim()).join('\n') === is.map((line) => line.trim()).join('\n')) return section
  const [heading = '', ...rest] = linesOf(section.text).filter((line) => !keys.test(line))
  const lines = section.name === '' ? [...was, heading, ...rest] : [heading, ...was, ...rest]
  return { ...section, text: lines.map((line) => (line === '' || line.endsWith('\n') ? line : `${line}\n`)).join('') }
}
