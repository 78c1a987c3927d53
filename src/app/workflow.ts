/** Workflows: which stages a run goes through. */
import { LooperError } from '../model/error.ts'
import type { StageName } from '../model/event.ts'

export interface Workflow {
  name: string
  stages: StageName[]
}

const supervised: Workflow = { name: 'supervised', stages: ['plan', 'execute', 'gate', 'report'] }
/** `converge` is the name people may rely on for the best there is; for now that is `supervised`. */
const builtIn: Readonly<Record<string, Workflow>> = { supervised, converge: supervised }

export function workflowOf(name: string): Workflow {
  const found = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined
  if (!found) throw new LooperError('CONFIG_UNKNOWN_WORKFLOW', `There is no workflow ${JSON.stringify(name)}.`)
  return found
}
