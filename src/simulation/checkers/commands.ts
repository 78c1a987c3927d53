/** Laws of commands: each is obeyed or refused exactly once, and only a person changes the limits. */
import { receive } from '../../core/commands.ts'
import type { Command, Event } from '../../model/event.ts'
import { commandOrigin } from '../../model/work-id.ts'
import type { Checker, History } from '../checker.ts'

/** A command to a live engine, from sending until an engine acknowledged it. */
interface Order {
  command: Command
  sentAfter: number
  sentAtMs: number
  /** Number of durable events when it was acknowledged; null when it never was. */
  doneAfter: number | null
  begun: boolean
  obeyed: boolean
  refused: boolean
}

export const commands: Checker = {
  law: 'commands',
  watch(history, report) {
    const orders = ordersIn(history)
    const single = history.steps.flatMap((step) => (step.kind === 'sent' && isOnce(step.command) ? [step.command] : []))
    const times = new Map<string, number>()
    return {
      before(_event, state) {
        for (const order of orders)
          if (isOpen(order, state.seq)) order.refused ||= 'refused' in receive(state, order.command)
      },
      after(event, state) {
        for (const order of orders) {
          if (!isOpen(order, event.seq) || event.seq === order.sentAfter) continue
          order.obeyed ||= obeys(event, order.command)
          order.refused ||= 'refused' in receive(state, order.command)
        }
        const asked = single.filter((command) => obeys(event, command))
        const key = asked.map(({ id }) => id).join(' ')
        if (asked.length === 0) return
        times.set(key, (times.get(key) ?? 0) + 1)
        if ((times.get(key) ?? 0) > asked.length) report(`the order ${textOf(asked[0])} is obeyed again`, event.seq)
      },
      end() {
        for (const order of orders) {
          const fate = fateOf(order, history)
          if (fate !== null) report(`the order ${textOf(order.command)} ${fate}`, order.doneAfter ?? undefined)
        }
      },
    }
  },
}

/** Limits change only by a person's command or when a person starts the run, never by an agent. */
export const limitsOrdered: Checker = {
  law: 'limits-ordered',
  watch({ steps }, report) {
    const orders = steps.flatMap((step) => (step.kind === 'sent' && step.command.do === 'limit' ? [step] : []))
    let limits = ''
    return {
      after(event, { config }) {
        const isOrdered = orders.some(({ command, durable }) => durable < event.seq && obeys(event, command))
        if (event.type === 'limits.changed' && !isOrdered) {
          report(`no command set the limits ${JSON.stringify(event.limits)}`, event.seq)
        }
        const now = JSON.stringify(config.limits)
        if (now !== limits && !mayChangeLimits.has(event.type)) report(`${event.type} changes the limits`, event.seq)
        limits = now
      },
    }
  },
}

const mayChangeLimits = new Set<Event['type']>(['run.started', 'run.resumed', 'limits.changed'])

function fateOf(
  { command, doneAfter, sentAtMs, begun, obeyed, refused }: Order,
  { steps, scenario }: History,
): string | null {
  if (doneAfter !== null) {
    // Starting a run voids a stop or pause that was sent before.
    const isVoid = !begun && (command.do === 'stop' || command.do === 'pause')
    return obeyed || refused || isVoid ? null : 'was acknowledged, and neither obeyed nor refused'
  }
  // A second engine may find the run ended, and then reads no commands.
  if (scenario.faults.some(({ kind }) => kind === 'second-engine')) return null
  const rested = steps.some(
    (step) => step.kind === 'engine' && step.what === 'rests' && step.atMs > sentAtMs + timeToLook,
  )
  return rested ? 'was never looked at' : null
}

/** Time until the hint arrives and the engine has finished writing. */
const timeToLook = 1_500

const isOpen = ({ sentAfter, doneAfter }: Order, seq: number): boolean =>
  seq >= sentAfter && (doneAfter === null || seq <= doneAfter)

function ordersIn({ steps }: History): Order[] {
  return steps.flatMap((sent, index): Order[] => {
    if (sent.kind !== 'sent' || sent.to === 'journal') return []
    const done = steps.slice(index).find((step) => step.kind === 'acknowledged' && step.id === sent.command.id)
    return [
      {
        command: sent.command,
        sentAfter: sent.durable,
        sentAtMs: sent.atMs,
        doneAfter: done?.durable ?? null,
        begun: done?.kind === 'acknowledged' && done.begun,
        obeyed: false,
        refused: false,
      },
    ]
  })
}

/** Other commands may be obeyed again after a crash, because they are idempotent. */
const isOnce = (command: Command): boolean => command.do === 'add' || command.do === 'skip' || command.do === 'retry'

function obeys(event: Event, command: Command): boolean {
  switch (command.do) {
    case 'add':
      return event.type === 'task.added' && event.origin === commandOrigin(command.id)
    case 'skip':
      return event.type === 'task.finished' && event.task === command.task && event.reason === command.reason
    case 'retry':
      return event.type === 'task.reopened' && event.why === 'asked' && event.tasks.includes(command.task)
    case 'limit':
      return event.type === 'limits.changed' && JSON.stringify(event.limits) === JSON.stringify(command.limits)
    case 'rollback':
      return event.type === 'rollback.requested'
    case 'answer':
      return event.type === 'question.answered' && event.question === command.question && event.by === 'person'
    default:
      return event.type === 'stop.requested' && event.how === command.do
  }
}

const textOf = (command: Command | undefined): string => JSON.stringify(command)
