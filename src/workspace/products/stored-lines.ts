/**
 * Separates the set-up commands whose products can be stored from those that run in each workspace. Only commands that
 * are known to write nothing but packages into the workspace are stored. Pure.
 */
import { isInstall, withoutFolder } from '../setup/setup-sources.ts'

export interface SetupParts {
  /** The first commands, up to the first that may write elsewhere. */
  stored: string[]
  /** All others. They run in each workspace after the products of the first are there. */
  rest: string[]
}

const managers = /^(?:npm|pnpm|yarn|bun|mix) /
const composer = /^composer install(?: --[a-z-]+)*$/
/** Options that install outside of the workspace. */
const elsewhere = / (?:-g|--global|--location=\S+)(?= |$)/

function writesPackagesOnly(line: string): boolean {
  const command = withoutFolder(line.trim())
  return composer.test(command) || (managers.test(`${command} `) && isInstall(command) && !elsewhere.test(command))
}

export function splitSetup(setup: readonly string[]): SetupParts {
  const first = setup.findIndex((line) => !writesPackagesOnly(line))
  const count = first === -1 ? setup.length : first
  return { stored: setup.slice(0, count), rest: setup.slice(count) }
}
