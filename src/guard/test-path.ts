/** Derives from the path of a file whether it contains tests, and in which language. */

export type Language =
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'ruby'
  | 'java'
  | 'kotlin'
  | 'csharp'
  | 'php'
  | 'elixir'
  | 'swift'
  | 'cpp'
  | 'dart'
  | 'scala'

const languages: Readonly<Record<string, Language>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  py: 'python',
  go: 'go',
  rs: 'rust',
  rb: 'ruby',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  groovy: 'java',
  cs: 'csharp',
  php: 'php',
  ex: 'elixir',
  exs: 'elixir',
  swift: 'swift',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  dart: 'dart',
  scala: 'scala',
}

export const languageOf = (path: string): Language | null =>
  languages[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const inTestFolder = (path: string): boolean =>
  /(?:^|\/)(?:tests?|specs?|__tests__|e2e|integration|testing|cypress|it)\//i.test(path)

/** Whether test runners collect tests from a file of this name. */
export function isCollected(path: string): boolean {
  const base = baseOf(path)
  switch (languageOf(path)) {
    case null:
      return false
    case 'python':
      return /^test.*\.py$|_tests?\.py$/.test(base)
    case 'javascript':
      return /(?:[._-](?:test|spec|cy|e2e|steps)s?|^tests?|^specs?)\.\w+$/i.test(base) || inTestFolder(path)
    case 'go':
      return (
        base.endsWith('_test.go')
        && !/_(?:plan9|windows|js|wasip1|aix|solaris|android|ios)_test\.go$/.test(base)
        && !/(?:^|\/)(?:testdata|[_.][^/]*)\//.test(path)
      )
    case 'ruby':
      return /_(?:spec|test)\.rb$|^test_/.test(base)
    case 'elixir':
      return base.endsWith('_test.exs')
    case 'php':
      return base.endsWith('Test.php') || inTestFolder(path)
    default:
      return /tests?|spec/i.test(path)
  }
}

/** Whether a file belongs to the tests, including helpers. */
export const belongsToTests = (path: string): boolean =>
  isCollected(path) || inTestFolder(path) || /test|spec|conftest/i.test(baseOf(path))

const mentions: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /\b(?:describe|it|test|specify)(?:\.\w{1,20}){0,3}\(\s{0,20}['"`]/,
  python: /^\s{0,40}(?:async )?def test/m,
  rust: /#\[(?:\w{1,20}::)?test\b/,
}

/** Whether a file may contain tests, by its name or its content. */
export function mayHoldTests(path: string, text: string): boolean {
  const language = languageOf(path)
  return language !== null && (belongsToTests(path) || (mentions[language]?.test(text) ?? false))
}
