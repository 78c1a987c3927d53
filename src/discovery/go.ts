/** Go projects: every module of the project, because `./...` stops at the borders of a module. */
import { shellPath } from './shell-path.ts'
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'

export const go: Ecosystem = { isManifest: (name) => name === 'go.mod' || name === 'go.work', discover }

async function discover(project: Project): Promise<Partial<Discovery>> {
  const work = await project.read('go.work')
  const used = work === null ? [] : modulesOf(work)
  const targets = used.length > 0 ? used.map((folder) => `${shellPath(folder)}/...`).join(' ') : './...'
  const nested = used.length > 0 ? [] : nestedModules(project.files)
  return {
    checks: [
      check('go test', `go test ${targets}`),
      ...nested.map((folder) => check(`go test ${folder}`, `cd ${shellPath(folder)} && go test ./...`)),
    ],
    proposed: [check('go vet', `go vet ${targets}`)],
  }
}

/** The folders that `use` names, in either form. */
const modulesOf = (work: string): string[] =>
  [...work.replace(/\/\/.*$/gm, '').matchAll(/^use\s+(?:\(([^)]*)\)|(\S+))/gm)]
    .flatMap(([, block, one]) => block?.split(/\s+/) ?? [one ?? ''])
    .filter((folder) => folder !== '')
    .map((folder) => (folder === '.' ? '.' : `./${folder.replace(/^\.\//, '')}`))

const nestedModules = (files: ReadonlySet<string>): string[] =>
  [...files]
    .filter((path) => path.endsWith('/go.mod') && !/(?:^|\/)(?:vendor|testdata|examples?|tools)\//.test(path))
    .map((path) => path.slice(0, -'/go.mod'.length))
    .filter((folder) => [...files].some((path) => path.startsWith(`${folder}/`) && path.endsWith('_test.go')))
    .toSorted()
    .slice(0, 8)
