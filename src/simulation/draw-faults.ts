/** Draws the faults and the user's commands of a world from its seed. */
import type { Random } from './random.ts'
import type { Fault, UserCommand } from './scenario.ts'

export function faultsOf(random: Random, wild: boolean): Fault[] {
  const count = random.pick([0, 1, 1, 2, 3])
  const faults = Array.from({ length: count }, () => faultOf(random, wild))
  if (wild) for (let more = random.int(0, 3); more > 0; more--) faults.push(commandFault(random))
  return faults.toSorted((a, b) => a.after - b.after)
}

export const when = (random: Random): { after: number; delayMs: number } => ({
  after: random.chance(0.3) ? random.int(1, 12) : random.int(1, 140),
  delayMs: random.pick([0, 0, 1, 20, 500, 20_000]),
})

function faultOf(random: Random, wild: boolean): Fault {
  const dice = random.next()
  const at = when(random)
  if (dice < 0.7) {
    return {
      ...at,
      kind: 'crash',
      machine: random.chance(0.3),
      writing: random.chance(0.5),
      tail: random.pick(['lost', 'kept', 'torn']),
    }
  }
  if (dice < 0.75) return { ...at, kind: 'disk-full', forMs: random.int(1, 60_000) }
  if (dice < 0.8) return { ...at, kind: 'disk-error', tail: random.pick(['lost', 'kept', 'torn']) }
  if (dice < 0.9) return { ...at, kind: 'clock-jump', ms: random.int(-3_600_000, 3_600_000) }
  return wild && random.chance(0.3) ? { ...at, kind: 'worktrees-deleted' } : { ...at, kind: 'second-engine' }
}

/** Some commands arrive just before the run ends. */
function commandFault(random: Random): Fault {
  const late: Pick<Fault, 'after' | 'delayMs' | 'stage'> = random.chance(0.2)
    ? { after: 1, delayMs: random.int(0, 40), stage: random.pick(['gate', 'report']) }
    : when(random)
  return { ...late, kind: 'command', command: commandOf(random) }
}

function commandOf(random: Random): UserCommand {
  const dice = random.int(0, 9)
  if (dice < 2) return { do: random.pick(['pause', 'stop']) }
  if (dice === 2) return { do: 'abort' }
  if (dice < 6) return { do: random.pick(['skip', 'retry']), nth: random.int(0, 5) }
  if (dice < 8) return { do: 'add' }
  return random.chance(0.5) ? { do: 'limit', turns: random.int(1, 60) } : { do: 'answer' }
}
