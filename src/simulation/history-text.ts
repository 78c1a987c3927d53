/** Prints a history for people: one line per event, with faults and processes where they happened. */
import type { RunConfig } from '../model/config.ts'
import type { Event } from '../model/event.ts'
import type { LoopStage } from '../model/loop.ts'
import type { PlannedTask, Scenario } from './scenario.ts'
import type { Simulated } from './simulate.ts'
import type { Step } from './witness.ts'

export function historyText({ scenario, history, steps, violations }: Omit<Simulated, 'seed' | 'state'>): string {
  const lines: string[] = [...scenarioLines(scenario), '']
  let at = 0
  for (const event of history) {
    for (; at < steps.length && (steps[at]?.durable ?? Infinity) < event.seq; at++) lines.push(...stepLine(steps[at]))
    lines.push(eventLine(event))
    for (const { law, detail, seq } of violations) if (seq === event.seq) lines.push(`  !! ${law}: ${detail}`)
  }
  for (; at < steps.length; at++) lines.push(...stepLine(steps[at]))
  for (const { law, detail, seq } of violations) if (seq === null) lines.push(`  !! ${law}: ${detail}`)
  return lines.join('\n')
}

function scenarioLines({
  config,
  plan,
  trouble,
  faults,
  resumes,
  badHints,
  discovery,
  source,
  pipeline,
  unrest,
}: Scenario): string[] {
  const limits = Object.entries(config.limits)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${value}`)
  return [
    [
      config.workflow,
      config.workspace.mode,
      `parallel ${config.parallel}`,
      `checks ${config.checks.map(({ name }) => name).join('+') || 'off'}`,
      `review ${config.review}`,
      `trouble ${trouble}`,
      `resumes ${resumes}`,
      ...(badHints ? ['bad hints'] : []),
      ...(discovery ? ['discovery'] : []),
    ].join(', '),
    `limits: ${limits.join(', ')}`,
    ...(unrest ? [`unrest: ${JSON.stringify(unrest)}`, `convergence: ${convergenceText(config)}`] : []),
    ...(source ? [`source: ${source.kind} with ${source.content}`] : []),
    ...(pipeline?.stages.map(stageText) ?? []),
    `plan: ${plan.map(taskText).join(', ')}`,
    ...faults.map((fault) => `fault: ${JSON.stringify(fault)}`),
  ]
}

const convergenceText = ({ checkReruns, baseline, guard, proof, race }: RunConfig): string =>
  JSON.stringify({ checkReruns, baseline, guard, proof, race })

const stageText = ({ name, completion, minIterations, runs, checks }: LoopStage): string =>
  `${name}: ${JSON.stringify(completion)}, ${minIterations} to ${runs} passes${checks ? '' : ', not checked'}`

const taskText = ({
  id,
  dependsOn,
  checks,
  shared,
  clash,
  priority,
  status,
  breaks,
  tests,
  asks,
  complexity,
  files,
}: PlannedTask): string =>
  [
    `${id}${dependsOn.length > 0 ? `←${dependsOn.join('+')}` : ''}`,
    ...(shared ? ['shared'] : []),
    ...(clash ? ['clash'] : []),
    ...checks.map((check) => `(${check})`),
    ...(breaks ? [`breaks ${breaks}`] : []),
    ...(tests ? [`${tests} tests`] : []),
    ...(asks ? [`to ${asks}`] : []),
    ...(complexity === 'complex' ? [complexity] : []),
    ...(files ? [files.join('+')] : []),
    ...(priority === undefined ? [] : [`rank ${priority}`]),
    ...(status === undefined || status === 'todo' ? [] : [status]),
  ].join(' ')

function stepLine(step: Step | undefined): string[] {
  switch (step?.kind) {
    case 'fault':
      return [`      ~~ ${JSON.stringify(step.fault)}`]
    case 'engine':
      return [`      == engine ${step.life} ${step.what} ${step.why}`]
    case 'process':
      return [`      -> ${step.work.id} (start ${step.starts}) runs`]
    case 'process-over':
      return [`      <- ${step.id} (start ${step.starts}) ${step.how}`]
    case 'landed':
      return [`      ** ${step.task} lands as ${step.commit}`]
    case 'rolled-back':
      return [`      ** the branch goes back to ${step.to}`]
    case 'sent':
      return [`      >> ${JSON.stringify(step.command)}`]
    case 'hand':
      return [`      ## by hand: ${JSON.stringify(step.edit)} ${step.task ?? ''}`]
    case 'claim':
      return [`      ## ${step.task} is ${step.ok ? 'claimed' : 'refused'}`]
    case 'replaced':
      return ['      ## the source is written anew']
    case 'settled':
      return [`      ## settled: ${step.tasks.map(({ id, status }) => `${id} ${status}`).join(', ')}`]
    case 'acknowledged':
      return [`      .. order ${step.id} is acknowledged`]
    default:
      return []
  }
}

function eventLine(event: Event): string {
  const { seq, at, type, ...payload } = event
  return `${String(seq).padStart(5)} ${at.slice(11, 23)} ${type} ${briefly(event, payload)}`
}

function briefly(event: Event, payload: object): string {
  switch (event.type) {
    case 'work.started':
      return event.work.id
    case 'work.finished': {
      const { outcome } = event
      const status =
        'status' in outcome ? outcome.status : 'exitCode' in outcome ? `exit ${outcome.exitCode}` : outcome.kind
      return `${event.id} ${status}`
    }
    case 'run.started':
      return event.goal
    default:
      return JSON.stringify(payload).slice(0, 160)
  }
}
