/** Types of choose.js for the TypeScript side. */
import type { Match, Script, Turn } from './script.js'

export interface Situation {
  role: string
  purpose: string
  task: string
  attempt: number
  turn: string
  prompt: string
}

/** `fits`: indexes of the entries that match, before `nth` and `times` are applied. */
export interface Claim {
  script: string
  turn: string
  fits: number[]
}

export function chooseTurn(script: Script, now: Situation, name: string, file: string): Turn | null
export function pick(script: Script, claims: readonly Claim[], turn: string): Turn | null
export function matches(match: Match, now: Situation): boolean
