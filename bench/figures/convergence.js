/**
 * Which policy gets goals reached in a world that makes trouble: Looper's core, and the five programs before it as
 * their documents have them.
 */
import { plot } from '../kit/plot.js'
import { ask } from '../kit/probe.js'

/** @typedef {import('../world/play.ts').Score} Score */

const levels = ['calm', 'usual', 'rough', 'even', 'blind']
/**
 * Those that the targets are about, and those in which checks show what is wrong: in the last one they do not always.
 */
const judged = levels.slice(0, 3)
const sighted = levels.slice(0, 4)
const alone = 'Looper, one agent'
const others = ['Claude Looper', 'Loop Mechanics', 'Loop Agents', 'Looper-Go', 'Loop for VS Code']

/** @type {import('../run.js').Measure} */
export async function convergence({ probe, quick, addSection }) {
  const worlds = quick ? 20 : 300
  const scores = await inPairs(levels, (level) =>
    ask(probe('convergence'), level, String(worlds), 'Looper', alone, ...others),
  )
  const files = { 'convergence.svg': plot(scores.filter(({ level }) => judged.includes(level))) }
  addSection({ name: 'convergence', rows: rowsOf(scores), text: textOf(scores, worlds), files })
  return []
}

/** @param {readonly string[]} names @param {(name: string) => Promise<Score[]>} play @returns {Promise<Score[]>} */
async function inPairs(names, play) {
  /** @type {Score[][]} */
  const found = []
  for (let at = 0; at < names.length; at += 2) found.push(...(await Promise.all(names.slice(at, at + 2).map(play))))
  return found.flat()
}

/** @param {Score[]} scores @returns {import('../run.js').Row[]} */
function rowsOf(scores) {
  const of = (level, policy) => scores.find((score) => score.level === level && score.policy === policy)
  const best = (level) => Math.max(...others.map((other) => of(level, other).reached))
  const lead = (policy, among = judged) => among.map((level) => (of(level, policy).reached - best(level)) * 100)
  const wrong = sighted.flatMap((level) => ['Looper', alone].map((policy) => of(level, policy).falseDone * 100))
  const span = (values) => ({ low: Math.min(...values), high: Math.max(...values) })
  const row = (figure, target, values, value, how) => ({
    figure,
    target,
    unit: ' points',
    digits: 1,
    value,
    ...span(values),
    how,
  })
  const [two, one, even] = [lead('Looper'), lead(alone), lead('Looper', ['even'])]
  const how = `the least of ${judged.join(', ')}; every policy has the same worlds, agents and turns`
  return [
    row('Goals reached: Looper, less the best other', { above: 0 }, two, Math.min(...two), how),
    row('Goals reached: Looper with one agent, less the best other', { above: 0 }, one, Math.min(...one), how),
    row(
      'The same where no task needs another agent, another approach or a split',
      null,
      even,
      Math.min(...even),
      'level even',
    ),
    row(
      'Worlds in which Looper says "done" and it is not',
      { atMost: 0 },
      wrong,
      Math.max(...wrong),
      `the most of ${sighted.join(', ')}, with one agent and with two`,
    ),
  ]
}

/** @param {Score[]} scores @param {number} worlds */
function textOf(scores, worlds) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`
  const lines = scores.map(
    ({ level, policy, reached, saysDone, falseDone, turns, turnsPerGoal }) =>
      `| ${[level, policy, percent(reached), percent(saysDone), percent(falseDone), turns.toFixed(1), turnsPerGoal.toFixed(0)].join(' | ')} |`,
  )
  return `## Convergence

Played, not timed: ${worlds} seeded worlds at each level, the same on every machine. A world is a goal of 4 to 12 tasks with agents that fail, lie, break what
was there and weaken tests, and checks that flake; [NOTES.md](NOTES.md#the-worlds-of-the-convergence-figure) says how it works and what it
leaves out. Looper is the real core with its default configuration; the others are policies written from their documents, in [world/presets/](world/presets).

{{rows}}

![Goals reached, and "done" where it is not](convergence.svg)

| level | policy | goals reached | says "done" | says so and it is not | turns | turns for each goal reached |
|---|---|---|---|---|---|---|
${lines.join('\n')}

A goal is reached when it is so in truth, whatever the policy says of it: the fourth column less the fifth is how often it is reached and said to be, and there
Looper loses some, because one supervisor's "no" at the end fails the run. \`even\` is \`usual\` without tasks that need another agent, another
approach or a split. \`blind\` is \`usual\` where one wrong change in ten passes every check and one weakened test in ten escapes the guard: there "done" is
only as good as the judges, and Looper's is false at times as well.
`
}
