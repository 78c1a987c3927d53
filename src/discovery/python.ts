/** Python projects: pytest or unittest, whichever the files ask for and the environment can run. */
import type { CheckConfig } from '../model/config.ts'
import { environmentOf } from './python-environment.ts'
import { readPython, type PythonProject } from './python-project.ts'
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'

const manifests = new Set([
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'tox.ini',
  'noxfile.py',
  'requirements.txt',
  'Pipfile',
  'pytest.ini',
  '.pytest.ini',
  'pytest.toml',
])

export const python: Ecosystem = {
  isManifest: (name) => manifests.has(name),
  isHint: (name) => name === 'conftest.py' || /^(?:test_.*|.*_test)\.py$/.test(name),
  discover,
}

async function discover(project: Project): Promise<Partial<Discovery>> {
  const known = await readPython(project)
  const environment = environmentOf(project.files, known)
  const checks = await testChecks(project, known, environment.run, environment.setup.length > 0)
  return {
    // Without a check there is no use for an installation.
    setup: checks.length > 0 ? environment.setup : [],
    checks,
    proposed: known.tools.map(({ name, module }) => check(name, environment.run(module))),
  }
}

/** `isInstalled`: the set-up installs what the project asks for, so the machine's own modules do not matter. */
async function testChecks(
  project: Project,
  { asksForPytest, usesUnittest, hasTests, unittestFolder, isPlain }: PythonProject,
  run: (module: string) => string,
  isInstalled: boolean,
): Promise<CheckConfig[]> {
  if (!hasTests && !asksForPytest) return []
  const unittest = check('unittest', run(`unittest${unittestFolder}`))
  const pytest = check('pytest', run('pytest'))
  if (usesUnittest && isPlain && !asksForPytest) return [unittest]
  if (isInstalled || (await project.hasModule('pytest'))) return [pytest]
  if (usesUnittest && isPlain) return [unittest]
  for (const [file, program] of [
    ['tox.ini', 'tox'],
    ['noxfile.py', 'nox'],
  ] as const)
    if (project.files.has(file) && (await project.hasProgram(program))) return [check(program, program)]
  return [pytest]
}
