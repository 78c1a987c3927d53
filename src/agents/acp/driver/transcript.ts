/** Turns the agent's partial updates into events of the command protocol: whole messages, and each tool use once. */
import { dig, isObject, objectOf, textOf } from '../../json.ts'
import { createObjectFinder } from '../../protocol/object-finder.ts'
import { costOf } from './usage.ts'

export interface Transcript {
  /** Processes a `session/update`. */
  take(update: unknown): void
  /** Processes the tool use of a permission request and returns its kind. */
  ask(toolCall: unknown): unknown
  /** Prints the pending message and tool uses; returns the last message, and the last JSON object in any message. */
  end(): { words: string; object: Record<string, unknown> | null }
}

interface ToolUse {
  name: string
  kind: unknown
  input: unknown
  isReported: boolean
}

const maxMessageChars = 1_000_000
const maxNameChars = 200

/** `added`: converts the total cost of the session into the cost added since the last update. */
export function createTranscript(print: (event: object) => void, added: (soFarUsd: number) => number): Transcript {
  const uses = new Map<string, ToolUse>()
  const finder = createObjectFinder()
  let object: Record<string, unknown> | null = null
  let message = ''
  let messageId: unknown
  let words = ''

  const flush = (): void => {
    if (message.trim() !== '') {
      words = message
      print({ type: 'message', text: message })
      object =
        message
          .split('\n')
          .flatMap((line) => finder.push(line))
          .at(-1) ?? object
      finder.interrupt()
    }
    message = ''
  }
  const say = (update: Record<string, unknown>): void => {
    if (update.messageId !== messageId || message.length > maxMessageChars) flush()
    messageId = update.messageId
    message += textOf(dig(update, 'content', 'text')) ?? ''
  }
  const report = (use: ToolUse): void => {
    if (use.isReported) return
    use.isReported = true
    print({ type: 'tool_use', name: use.name, input: use.input })
  }
  /** Merges updates of one tool use: most agents announce a tool before its input is known. */
  const note = (update: Record<string, unknown>): ToolUse => {
    flush()
    words = ''
    const id = textOf(update.toolCallId) ?? ''
    const known = uses.get(id)
    const use = {
      name: nameOf(update, known?.name),
      kind: update.kind ?? known?.kind,
      isReported: known?.isReported ?? false,
      input: isFilled(update.rawInput) ? update.rawInput : (known?.input ?? {}),
    }
    uses.set(id, use)
    if (isFilled(use.input) ? update.status !== 'pending' : isOver(update.status)) report(use)
    return use
  }
  return {
    take(update) {
      if (!isObject(update)) return
      const cost = costOf(update)
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          say(update)
          break
        case 'tool_call':
        case 'tool_call_update':
          note(update)
          break
        case 'usage_update':
          if (cost !== null) print({ type: 'usage', costUsd: added(cost) })
          break
        default:
      }
    },
    ask(toolCall) {
      const use = note(objectOf(toolCall) ?? {})
      report(use)
      return use.kind
    },
    end() {
      flush()
      for (const use of uses.values()) report(use)
      return { words, object }
    },
  }
}

/** Prefers the tool's own name, because the title changes with each use. */
const nameOf = ({ name, title }: Record<string, unknown>, known: string | undefined): string =>
  (textOf(name) ?? known ?? textOf(title) ?? 'tool').slice(0, maxNameChars)

const isOver = (status: unknown): boolean => status === 'completed' || status === 'failed'

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
