/** Limits in words: "cost limit $1.00", "no turn limit". */
import type { Limits } from '../../model/config.ts'
import { duration, money } from '../text/format.ts'
import { facts } from './progress.ts'

const names: Readonly<Record<keyof Limits, string>> = {
  timeMinutes: 'time',
  costUsd: 'cost',
  tokens: 'token',
  turns: 'turn',
  iterations: 'iteration',
  goalIterations: 'goal iteration',
  fixCycles: 'fix',
  attempts: 'attempt',
  splitDepth: 'split depth',
  planRevisions: 'plan revision',
  recoveries: 'recovery',
  waitMinutes: 'waiting time',
  newTasks: 'new task',
  diskMb: 'disk',
}

export const limitsText = (limits: Partial<Limits>): string =>
  facts(...Object.entries(limits).map(([name, value]) => limitText(names[name as keyof Limits] ?? name, name, value)))

function limitText(noun: string, name: string, value: number | null): string {
  if (value === null) return `no ${noun} limit`
  const amounts: Readonly<Record<string, (value: number) => string>> = {
    timeMinutes,
    waitMinutes: timeMinutes,
    costUsd,
  }
  const amount = name === 'diskMb' ? `${value} MB` : (amounts[name]?.(value) ?? String(value))
  return `${noun} limit ${amount}`
}

const timeMinutes = (value: number): string => duration(value * 60_000)

/** Exact, also for parts of a cent. */
const costUsd = (value: number): string => (Math.round(value * 100) === value * 100 ? money(value) : `$${value}`)
