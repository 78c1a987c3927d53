/**
 * Validates faults. They may come from untyped code: a fault that could never strike is rejected, so that it does not
 * seem survived.
 */
import { LooperError } from '../model/error.ts'
import type { Fault, UserCommand, HandEdit } from './scenario.ts'

const kinds: Record<Fault['kind'], true> = {
  crash: true,
  'disk-full': true,
  'disk-error': true,
  'second-engine': true,
  'clock-jump': true,
  'worktrees-deleted': true,
  command: true,
  hand: true,
  outage: true,
}
const orders: Record<UserCommand['do'], true> = {
  pause: true,
  stop: true,
  abort: true,
  skip: true,
  retry: true,
  add: true,
  limit: true,
  answer: true,
  rollback: true,
}

const edits: Record<HandEdit['do'], true> = {
  add: true,
  rename: true,
  remove: true,
  reopen: true,
  rank: true,
  close: true,
  break: true,
  repair: true,
  take: true,
}

/** Throws USAGE_ARGUMENTS. */
export function checkFaults(faults: readonly Fault[]): void {
  for (const [index, fault] of faults.entries()) {
    const refuse = (what: string, hint: string): never => {
      throw new LooperError('USAGE_ARGUMENTS', `faults[${index}]: ${what}`, { hint })
    }
    if (!Object.hasOwn(kinds, fault.kind))
      refuse(`there is no fault ${quoted(fault.kind)}.`, `There are ${Object.keys(kinds).join(', ')}.`)
    for (const key of ['after', 'delayMs'] as const) {
      if (!Number.isFinite(fault[key]))
        refuse(`${fault.kind} needs a number as "${key}".`, 'For example: { after: 20, delayMs: 0, … }')
    }
    if (fault.kind === 'command' && !Object.hasOwn(orders, fault.command?.do)) {
      refuse(`there is no order ${quoted(fault.command?.do)}.`, `There are ${Object.keys(orders).join(', ')}.`)
    }
    if (fault.kind === 'hand' && !Object.hasOwn(edits, fault.edit?.do)) {
      refuse(`there is no edit ${quoted(fault.edit?.do)}.`, `There are ${Object.keys(edits).join(', ')}.`)
    }
  }
}

const quoted = (value: unknown): string => JSON.stringify(value) ?? 'without a name'
