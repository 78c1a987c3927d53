/** Every type of event there is, for those who ask by name: what the state is folded by knows them all. */
import { handlers } from './evolve.ts'

export const eventTypes: readonly string[] = Object.keys(handlers)
