/** Before the tests: every CLI they need is installed, pinned, in the cache folder. */
import type { TestProject } from 'vitest/node'
import { installAgent } from '../../../scripts/install-agent.js'
import { everyAgent } from './real-agents.ts'
import { isWanted } from './wanted.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of each installation, the program to start. */
    programs: Record<string, string>
  }
}

export default async function install({ provide }: TestProject): Promise<void> {
  const programs: Record<string, string> = {}
  const names = everyAgent
    .filter(isWanted)
    .flatMap(({ install: name, library }) => [name, ...(library ? [library.install] : [])])
  for (const name of names) {
    programs[name] ??= await installAgent(name, (what) => void process.stdout.write(`Installing ${what} …\n`))
  }
  provide('programs', programs)
}
