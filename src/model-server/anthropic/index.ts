/** Anthropic's Messages API. */
import type { Provider } from '../provider.ts'
import { answer } from './answer.ts'
import { decode } from './decode.ts'
import { overflow, refuse } from './refuse.ts'

export const anthropic: Provider = { decode, answer, refuse, overflow }
