/** .NET projects: `dotnet test` on the solution, or on the only project. */
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'
import { shellPath } from './shell-path.ts'

const isSolution = (name: string): boolean => /\.slnx?$/.test(name)
const isProject = (name: string): boolean => /\.(?:cs|fs|vb)proj$/.test(name)

export const dotnet: Ecosystem = { isManifest: (name) => isSolution(name) || isProject(name), discover }

async function discover({ files }: Project): Promise<Partial<Discovery>> {
  const atRoot = [...files].filter((path) => !path.includes('/'))
  const solutions = atRoot.filter(isSolution)
  const found = solutions.length > 0 ? solutions : atRoot.filter(isProject)
  // Without a name, `dotnet test` refuses a folder that holds several.
  const name = found.length > 1 ? (found.find((path) => /tests?\b/i.test(path)) ?? found[0]) : undefined
  return {
    checks: [check('dotnet test', `dotnet test${name === undefined ? '' : ` ${shellPath(name)}`}`)],
    notes: name === undefined ? [] : [`several solutions or projects: only ${name} is tested`],
  }
}
