/** The environment of a Python project: how it is installed, and how a module of it is run. */
import type { PythonProject } from './python-project.ts'

export interface PythonEnvironment {
  setup: string[]
  run(module: string): string
}

const managers: readonly [lockFile: string, setup: string, run: string][] = [
  ['uv.lock', 'uv sync --frozen', 'uv run --frozen python -m'],
  ['poetry.lock', 'poetry install', 'poetry run python -m'],
  ['pdm.lock', 'pdm sync', 'pdm run python -m'],
  ['Pipfile.lock', 'pipenv sync --dev', 'pipenv run python -m'],
]

/**
 * Without a manager, a project that declares packages gets a virtual environment of its own in `.venv`: what the user
 * has installed elsewhere may lead into the checkout. A project without any runs with the machine's `python3`.
 */
export function environmentOf(files: ReadonlySet<string>, known: PythonProject): PythonEnvironment {
  const manager = managers.find(([lockFile]) => files.has(lockFile))
  if (manager) return { setup: [manager[1]], run: (module) => `${manager[2]} ${module}` }
  const path = known.hasSourceFolder ? 'PYTHONPATH=src ' : ''
  if (!known.hasDependencies) return { setup: [], run: (module) => `${path}python3 -m ${module}` }
  const requirements = ['requirements-dev.txt', 'dev-requirements.txt', 'requirements-test.txt', 'requirements.txt']
    .filter((file) => files.has(file))
    .map((file) => `-r ${file}`)
  const parts = [...requirements, ...(known.isPackage ? ['-e .'] : []), ...(known.asksForPytest ? ['pytest'] : [])]
  return {
    setup: [`python3 -m venv .venv && .venv/bin/python -m pip install --quiet ${parts.join(' ')}`],
    run: (module) => `${known.isPackage ? '' : path}.venv/bin/python -m ${module}`,
  }
}
