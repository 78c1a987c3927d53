/** Classifies error messages by sentence: the first match in a table decides the kind. */
import type { AgentErrorKind } from '../model/agent-error.ts'
import { kindOfStatus } from './http-status.ts'
import { dig, parseObject, textOf } from './json.ts'

export type Sentences = readonly (readonly [RegExp, AgentErrorKind])[]

export const kindIn = (sentences: Sentences, text: string): AgentErrorKind | null =>
  sentences.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Order of precedence: sentences that override a status, the status, sentences that count without one. */
export const createClassifier =
  ({ despiteStatus, withoutStatus }: Readonly<Record<'despiteStatus' | 'withoutStatus', Sentences>>) =>
  (text: string, status: unknown): AgentErrorKind | null =>
    kindIn(despiteStatus, text) ?? kindOfStatus(status) ?? kindIn(withoutStatus, text)

/** Some messages are the body of the provider's response. */
export const wordsIn = (message: string): string => textOf(dig(parseObject(message), 'error', 'message')) ?? message
