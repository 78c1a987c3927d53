/** The inbox of a run: commands wait there until an engine has recorded them. */
import type { Command } from '../event.ts'

type Unsent<T> = T extends unknown ? Omit<T, 'id'> : never
/** A command without its id, which the inbox assigns. */
export type CommandRequest = Unsent<Command>

/** What an engine needs of its inbox. */
export interface Inbox {
  /** The commands not yet acknowledged, oldest first. */
  read(): Promise<Command[]>
  /** Removes a command. Call this after the command is in the journal. Idempotent. */
  acknowledge(id: string): Promise<void>
}

export interface StoredInbox extends Inbox {
  /** Resolves with the command's id when the command is durable; then the engine may be nudged. */
  send(request: CommandRequest): Promise<string>
}
