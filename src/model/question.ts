/** Questions of agents to people, and decisions that agents make themselves. */

export interface Question {
  id: string
  text: string
  options: string[]
  default: string | null
  /** The tasks that wait for the answer. */
  blocks: string[]
  /** The id of the work that raised it, so that no question is recorded twice. */
  origin: string
  /** Asked by the tamper guard: the permissions that the answer `allow` grants to the tasks in `blocks`. */
  allows?: string[]
}

export interface Decision {
  id: string
  title: string
  context: string
  choice: string
  alternatives: { option: string; why: string }[]
  dependsOn: string[]
  invalidatedIf: string | null
  task: string | null
  origin: string
}
