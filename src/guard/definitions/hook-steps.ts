/** Decides which steps may run automatically before a check without making it easier to pass. */
import { programOf, purposesOf } from './commands.ts'
import { isInnocent } from './compare-settings.ts'
import { wordSet } from '../pattern.ts'

const rewriting = /--(?:fix|write|apply|update)\w*\b|\s-[uw]\b|>(?!\s*\/dev\/null)/
const innocent = wordSet('husky lefthook simple-git-hooks is-ci mkdir')
const clearing = wordSet('rm rimraf del del-cli')

/** `known`: steps of scripts that existed before. */
export function isHarmless(step: string, known: ReadonlySet<string>): boolean {
  if (rewriting.test(step)) return false
  if (known.has(step) || /^(?:echo|true)\b/.test(step) || purposesOf(step).size > 0) return true
  const program = programOf(step)
  if (innocent.has(program)) return true
  const paths = step
    .split(/\s+/)
    .filter((word) => !word.startsWith('-') && !/^(?:npx|shx)$/.test(word))
    .slice(1)
  return clearing.has(program) && paths.every((path) => isInnocent(path.replaceAll(/["']/g, '')))
}
