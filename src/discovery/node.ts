/** Projects of Node: scripts of package.json, run with the package manager that the project uses. */
import type { CheckConfig } from '../model/config.ts'
import { managerOf, runLine, setupLine, type Manager } from './node-manager.ts'
import { parseManifest, type Manifest } from './node-manifest.ts'
import { workspaceChecks } from './node-workspaces.ts'
import { check, hasFile, type Discovery, type Ecosystem, type Project } from './project.ts'

export const node: Ecosystem = { isManifest: (name) => name === 'package.json', discover }

async function discover(project: Project): Promise<Partial<Discovery>> {
  const text = await project.read('package.json')
  if (text === null) return { notes: ['package.json cannot be read'] }
  const manifest = parseManifest(text)
  if (manifest === null) return { notes: ['package.json is not valid JSON, so its scripts were ignored'] }
  const manager = managerOf(project.files, manifest)
  const notes: string[] = []
  const own = manifest.scripts.has('test') ? [check('test', runLine(manager, 'test'))] : []
  const parts = own.length > 0 ? [] : await workspaceChecks(project, manifest, manager, notes)
  const checks = [...own, ...parts]
  return {
    setup: setupLine(project.files, manifest, manager),
    checks: checks.length > 0 ? checks : await ownRunner(project),
    proposed: proposals(project, manifest, manager, notes),
    notes,
  }
}

/** Without a script: Node's own test runner, when test files use it. */
async function ownRunner(project: Project): Promise<CheckConfig[]> {
  const tests = [...project.files].filter((path) => /\.test\.[cm]?js$|(?:^|\/)test\/[^/]+\.[cm]?js$/.test(path))
  const texts = await Promise.all(tests.slice(0, 10).map((path) => project.read(path)))
  return texts.some((text) => text !== null && /['"]node:test['"]/.test(text)) ? [check('test', 'node --test')] : []
}

const wanted: readonly [check: string, scripts: readonly string[]][] = [
  ['typecheck', ['typecheck', 'type-check', 'types', 'check-types', 'tsc']],
  ['lint', ['lint']],
]

function proposals(project: Project, manifest: Manifest, manager: Manager, notes: string[]): CheckConfig[] {
  const { scripts } = manifest
  const found = wanted.flatMap(([name, candidates]): CheckConfig[] => {
    const script = candidates.find((candidate) => scripts.has(candidate))
    if (script === undefined) return []
    if (!changesFiles(scripts.get(script))) return [check(name, runLine(manager, script))]
    notes.push(`the script "${script}" changes files, so it is not a check`)
    return []
  })
  const hasCompiler = manifest.dependencies.has('typescript') && hasFile(project, /^tsconfig\.json$/)
  if (!hasCompiler || found.some(({ name }) => name === 'typecheck')) return found
  return [check('typecheck', 'npx tsc --noEmit'), ...found]
}

const changesFiles = (script = ''): boolean => /\s--(?:fix|write)\b(?!=false)/.test(script)
