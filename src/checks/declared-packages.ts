/**
 * Whether a project declares a Python package. A missing module that it does not declare may be one that a task is to
 * write.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifests = [
  'pyproject.toml',
  'requirements.txt',
  'requirements-dev.txt',
  'requirements-test.txt',
  'dev-requirements.txt',
  'test-requirements.txt',
  'requirements/dev.txt',
  'requirements/test.txt',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'tox.ini',
  'environment.yml',
]

/** Packages whose module has another name. */
const distributions: Readonly<Record<string, string>> = {
  attr: 'attrs',
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python',
  dateutil: 'python-dateutil',
  dotenv: 'python-dotenv',
  jwt: 'pyjwt',
  PIL: 'pillow',
  sklearn: 'scikit-learn',
  yaml: 'pyyaml',
}

/** No project writes these itself. */
const runners: ReadonlySet<string> = new Set(['pytest', 'nose', 'nose2', 'tox', 'nox', 'coverage', 'hypothesis'])

export function declaresPackage(cwd: string, module: string): boolean {
  const [name = module] = module.split('.')
  if (runners.has(name)) return true
  const words = [name, distributions[name] ?? name].map(spelling)
  return manifests.some((file) => {
    const text = spelling(textOf(join(cwd, file)))
    return words.some((word) => new RegExp(`(?:^|[^\\w-])${word}(?:[^\\w-]|$)`).test(text))
  })
}

/** Names of packages ignore case, and `-` and `_` are equal in them. */
const spelling = (text: string): string => text.toLowerCase().replaceAll('_', '-')

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
