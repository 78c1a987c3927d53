/**
 * Turns that each of Looper's own programs plays, and their expected results: every program that speaks the protocol says the
 * same.
 */
import type { Expected, Looser } from '../kit/adapter-contract.ts'

export const protocolLooser: Looser = {
  anyObjectAnswers: 'any JSON object on stdout may be the answer, and any other line words about it',
  silenceIsNoFailure: 'there is no last event: exit 0 without an answer is an invalid answer, which is asked for again',
  anySessionId: 'it is never a part of a command line',
  exitDecides: 'there is no last event: an exit of 0 is the only word for its end',
}

export const protocolCases = {
  answers: {
    value: { status: 'complete', summary: 'done' },
    usage: [11, 5, 0.25],
    steps: 2,
    events: [
      { type: 'message', text: 'hi' },
      { type: 'tool_use', name: 'edit', input: { file: 'a' } },
      { type: 'command', command: 'true', exitCode: 0 },
    ],
  },
  'answers-in-words': { value: { status: 'complete', summary: 'said' }, message: 'That is all.', session: false },
  'answers-and-fails': { value: { status: 'blocked' }, failure: 'crash', message: 'code 1', session: false },
  fails: { failure: 'crash', message: 'code 3', session: false },
  crashes: { failure: 'crash', message: 'the agent was ended by SIGSEGV', session: false },
  complains: {
    failure: 'usage_limit',
    message: 'no more',
    resets: 'exact',
    resetsAt: '2030-01-01T00:00:00.000Z',
    session: false,
  },
  'says-nothing': { message: 'no JSON object was given as the answer', session: false },
  babbles: { message: 'no JSON object was given as the answer', session: false },
} satisfies Record<string, Expected>
