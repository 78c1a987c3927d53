/** What agents ask people, and what they decide themselves. */

export interface Question {
  id: string
  text: string
  options: string[]
  default: string | null
  /** The tasks that wait for the answer. */
  blocks: string[]
  /** What raised it, so that no question is recorded twice. */
  origin: string
  /** Asked by the tamper guard: the permissions that the answer `allow` gives to the tasks in `blocks`. */
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
