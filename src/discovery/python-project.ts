/** What the files of a Python project say about its tests. */
import { hasFile, type Project } from './project.ts'

export interface PythonProject {
  asksForPytest: boolean
  hasTests: boolean
  /** Test files use unittest. */
  usesUnittest: boolean
  /** No test file uses pytest, and each has a test case of unittest. */
  isPlain: boolean
  /** Arguments of `python -m unittest`, with a leading space. */
  unittestFolder: string
  /** Whether it declares packages to install. */
  hasDependencies: boolean
  /** Whether its modules lie under `src/`, where Python finds them only after an installation. */
  hasSourceFolder: boolean
  /** Whether pip can install the project itself. */
  isPackage: boolean
  /** Linters and type checkers that it configures. */
  tools: { name: string; module: string }[]
}

const pytestFiles = ['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py']
const settings = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'setup.py', 'noxfile.py', 'Pipfile']
const mostTestsRead = 40

export async function readPython(project: Project): Promise<PythonProject> {
  const { files } = project
  const requirements = [...files].filter((path) =>
    /^(?:[\w-]*requirements[\w-]*|requirements\/[\w-]+)\.(?:txt|in)$/.test(path),
  )
  const texts = await textsOf(project, [...settings, ...requirements])
  const all = [...texts.values()].join('\n')
  const tests = [...files].filter((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path))
  const read = [...(await textsOf(project, tests.slice(0, mostTestsRead))).values()]
  const pyproject = texts.get('pyproject.toml') ?? ''
  return {
    asksForPytest:
      pytestFiles.some((file) => files.has(file))
      || /\bpytest\b/.test(all)
      || hasFile(project, /(?:^|\/)conftest\.py$/),
    hasTests: tests.length > 0,
    usesUnittest: read.some(isUnittest),
    isPlain: read.length > 0 && read.every((text) => isUnittest(text) && !/^\s*(?:import|from) pytest\b/m.test(text)),
    unittestFolder: unittestFolder(files, tests),
    hasDependencies:
      requirements.length > 0
      || declaresDependencies.test(pyproject)
      || /install_requires/.test(all)
      || files.has('Pipfile'),
    hasSourceFolder: hasFile(project, /^src\/.+\.py$/),
    isPackage: /^\[(?:build-system|project|tool\.poetry)\]/m.test(pyproject) || files.has('setup.py'),
    tools: toolsOf(files, all),
  }
}

const declaresDependencies =
  /^\s*dependencies\s*=\s*\[\s*["'#\n]|^\[tool\.poetry\.dependencies\]|^\[(?:project\.optional-)?dependenc/m

const isUnittest = (text: string): boolean => /\bunittest\b/.test(text)

async function textsOf(project: Project, paths: readonly string[]): Promise<Map<string, string>> {
  const found = paths.filter((path) => project.files.has(path))
  const texts = await Promise.all(found.map((path) => project.read(path)))
  return new Map(found.flatMap((path, at) => (texts[at] == null ? [] : [[path, texts[at]] as const])))
}

/** `-t .` lets tests import each other as a package, which needs an `__init__.py`. */
function unittestFolder(files: ReadonlySet<string>, tests: readonly string[]): string {
  const folder = ['tests', 'test'].find((name) => tests.some((path) => path.startsWith(`${name}/`)))
  if (folder === undefined) return tests.some((path) => path.endsWith('_test.py')) ? ` discover -p '*_test.py'` : ''
  const pattern = tests.some((path) => /(?:^|\/)test[^/]*\.py$/.test(path)) ? '' : ` -p '*_test.py'`
  return ` discover -s ${folder}${files.has(`${folder}/__init__.py`) ? ' -t .' : ''}${pattern}`
}

function toolsOf(files: ReadonlySet<string>, all: string): PythonProject['tools'] {
  const has = (name: string, ...own: string[]): boolean =>
    own.some((file) => files.has(file)) || new RegExp(String.raw`^\[(?:tool[.:])?${name}\b`, 'm').test(all)
  return [
    ...(has('mypy', 'mypy.ini', '.mypy.ini') ? [{ name: 'mypy', module: 'mypy .' }] : []),
    ...(has('ruff', 'ruff.toml', '.ruff.toml') ? [{ name: 'ruff', module: 'ruff check .' }] : []),
    ...(has('flake8', '.flake8') ? [{ name: 'flake8', module: 'flake8' }] : []),
  ]
}
