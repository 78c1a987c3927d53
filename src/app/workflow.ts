/** Workflows: which stages a run goes through. */
import { LooperError } from '../model/error.ts'
import type { StageName } from '../model/event.ts'

export interface Workflow {
  name: string
  stages: StageName[]
}

const builtIn: readonly Workflow[] = [{ name: 'supervised', stages: ['plan', 'execute', 'gate', 'report'] }]

export function workflowOf(name: string): Workflow {
  const found = builtIn.find((workflow) => workflow.name === name)
  if (!found) throw new LooperError('CONFIG_UNKNOWN_WORKFLOW', `There is no workflow ${JSON.stringify(name)}.`)
  return found
}
