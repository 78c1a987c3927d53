/** Discovers the checks of a project from the files at its root. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckConfig } from '../model/config.ts'
import { npmChecks } from './discover-npm.ts'
import type { Discovery, Project } from './project.ts'

/** Never rejects: a file that cannot be read is ignored. */
export async function discoverChecks(root: string): Promise<Discovery> {
  const project: Project = {
    files: new Set(await readdir(root).catch(() => [])),
    read: (name) => readFile(join(root, name), 'utf8').catch(() => null),
  }
  const found = [
    await npmChecks(project),
    await pythonChecks(project, root),
    tool(project, 'Cargo.toml', 'cargo test', 'cargo test'),
    tool(project, 'go.mod', 'go test', 'go test ./...'),
  ]
  const checks = found.flatMap((each) => each.checks)
  const fallback = checks.length > 0 ? [] : await makeChecks(project)
  return { checks: [...checks, ...fallback], notes: found.flatMap((each) => each.notes) }
}

const none: Discovery = { checks: [], notes: [] }
const one = (name: string, run: string): Discovery => ({ checks: [{ name, run }], notes: [] })

const tool = ({ files }: Project, file: string, name: string, run: string): Discovery =>
  files.has(file) ? one(name, run) : none

const pytestFiles = ['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py']
const pythonFiles = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'setup.py', 'requirements.txt']

/** A Python project counts only when it mentions pytest or has tests, because pytest fails without tests. */
async function pythonChecks(project: Project, root: string): Promise<Discovery> {
  const { files } = project
  if (pytestFiles.some((file) => files.has(file))) return one('pytest', 'python3 -m pytest')
  const texts = await Promise.all(pythonFiles.filter((file) => files.has(file)).map((file) => project.read(file)))
  if (texts.length === 0) return none
  const tested = texts.some((text) => text?.includes('pytest')) || (await hasPythonTests(files, root))
  return tested ? one('pytest', 'python3 -m pytest') : none
}

async function hasPythonTests(files: ReadonlySet<string>, root: string): Promise<boolean> {
  const folders = ['tests', 'test'].filter((name) => files.has(name))
  const inside = await Promise.all(
    folders.map((name) => readdir(join(root, name), { recursive: true }).catch(() => [])),
  )
  return [...files, ...inside.flat()].some((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path))
}

/** Makefiles often wrap the tools above, so they are read only when nothing else was found. */
async function makeChecks({ files, read }: Project): Promise<CheckConfig[]> {
  const name = ['GNUmakefile', 'makefile', 'Makefile'].find((file) => files.has(file))
  const text = name === undefined ? null : await read(name)
  const target = ['test', 'check'].find(
    (each) => text !== null && new RegExp(`^${each}[ \\t]*::?(?!=)`, 'm').test(text),
  )
  return target === undefined ? [] : [{ name: `make ${target}`, run: `make ${target}` }]
}
