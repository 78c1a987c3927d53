/** Go projects: every module of the project, because `./...` stops at the borders of a module. */
import { posix } from 'node:path'
import type { CheckConfig } from '../model/config.ts'
import { closure } from './closure.ts'
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'
import { shellPath } from './shell-path.ts'

export const go: Ecosystem = { isManifest: (name) => name === 'go.mod' || name === 'go.work', discover }

async function discover(project: Project): Promise<Partial<Discovery>> {
  const work = await project.read('go.work')
  const used = work === null ? [] : modulesOf(work)
  const targets = used.length > 0 ? used.map((folder) => `${shellPath(folder)}/...`).join(' ') : './...'
  const nested = used.length > 0 ? [] : nestedModules(project.files)
  return {
    checks: (await checksOfEach(project, used)) ?? [
      { ...check('go test', `go test ${targets}`), paths: used.length > 0 ? used : await moduleFolders(project, '.') },
      ...(await Promise.all(
        nested.map(async (folder) => ({
          ...check(`go test ${folder}`, `cd ${shellPath(folder)} && go test ./...`),
          paths: await moduleFolders(project, folder),
        })),
      )),
    ],
    proposed: [check('go vet', `go vet ${targets}`)],
  }
}

const mostModules = 12

/** One check for each module of a workspace; null when one of them has no tests: its check would prove nothing. */
async function checksOfEach({ files, read }: Project, used: readonly string[]): Promise<CheckConfig[] | null> {
  const folders = used.map((folder) => posix.normalize(folder))
  if (folders.length < 2 || folders.length > mostModules) return null
  if (folders.includes('.') || !folders.every((folder) => hasTests(files, folder))) return null
  const texts = await Promise.all(folders.map(async (folder) => (await read(`${folder}/go.mod`)) ?? ''))
  const names = texts.map((text) => /^module\s+(\S+)/m.exec(text)?.[1] ?? '')
  const needs = folders.map((_, at) =>
    folders.filter((_other, other) => other === at || mentions(texts[at] ?? '', names[other] ?? '')),
  )
  return folders.map((folder) => ({
    ...check(`go test ${folder}`, `go test ${shellPath(`./${folder}`)}/...`),
    paths: closure(folder, (each) => needs[folders.indexOf(each)] ?? []),
  }))
}

const mentions = (text: string, name: string): boolean => name !== '' && text.split(/\s+/).includes(name)

/** The folder of a module, and those that its `replace` lines put in the place of others. */
async function moduleFolders({ read }: Project, folder: string): Promise<string[]> {
  const text = (await read(posix.join(folder, 'go.mod'))) ?? ''
  const replaced = [...text.matchAll(/=>\s+(\.{1,2}\/\S*)/g)].map(([, path]) => posix.join(folder, path ?? ''))
  return [folder, ...replaced]
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
    .filter((folder) => hasTests(files, folder))
    .toSorted()
    .slice(0, 8)

const hasTests = (files: ReadonlySet<string>, folder: string): boolean =>
  [...files].some((path) => path.startsWith(`${folder}/`) && path.endsWith('_test.go'))
