/** What agents say of errors in words: the first sentence of a table that fits tells the kind. */
import type { AgentErrorKind } from '../model/agent-error.ts'
import { kindOfStatus } from './http-status.ts'
import { dig, parseObject, textOf } from './json.ts'

export type Sentences = readonly (readonly [RegExp, AgentErrorKind])[]

export const kindIn = (sentences: Sentences, text: string): AgentErrorKind | null =>
  sentences.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** A status stands between what may be told in words despite it and what is told without one. */
export const createClassifier =
  ({ despiteStatus, withoutStatus }: Readonly<Record<'despiteStatus' | 'withoutStatus', Sentences>>) =>
  (text: string, status: unknown): AgentErrorKind | null =>
    kindIn(despiteStatus, text) ?? kindOfStatus(status) ?? kindIn(withoutStatus, text)

/** Some messages are the body of the provider's answer. */
export const wordsIn = (message: string): string => textOf(dig(parseObject(message), 'error', 'message')) ?? message
