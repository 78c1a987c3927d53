/** Targets of a Makefile or a justfile, and files of bats: the last resort of discovery. */
import { check, hasFile, type Discovery, type Project } from './project.ts'

const makefiles = ['GNUmakefile', 'makefile', 'Makefile']
const justfiles = ['justfile', 'Justfile', '.justfile']
const targets = ['test', 'tests', 'check']

export async function taskRunners(project: Project): Promise<Partial<Discovery>> {
  const make = await targetIn(project, makefiles, (target) => new RegExp(`^${target}[ \\t]*::?(?!=)`, 'm'))
  if (make !== null) return { checks: [check(`make ${make}`, `make ${make}`)] }
  const just = await targetIn(project, justfiles, (target) => new RegExp(`^@?${target}(?:[ \\t][^:=\\n]*)?:(?!=)`, 'm'))
  if (just !== null) return { checks: [check(`just ${just}`, `just ${just}`)] }
  const bats = ['test', 'tests'].find((folder) => hasFile(project, new RegExp(`^${folder}/[^/]+\\.bats$`)))
  return bats === undefined ? {} : { checks: [check('bats', `bats ${bats}`)] }
}

async function targetIn(
  project: Project,
  names: readonly string[],
  pattern: (target: string) => RegExp,
): Promise<string | null> {
  const file = names.find((name) => project.files.has(name))
  const text = file === undefined ? null : await project.read(file)
  return text === null ? null : (targets.find((target) => pattern(target).test(text)) ?? null)
}
