/**
 * Chooses the entry of a script that a turn plays. Turns of one run are separate, parallel processes, so they count
 * matches in a shared file, to which each turn appends one line. The choice depends only on that file: a turn that is
 * played again gets the same entry.
 *
 * @typedef {{ role: string, purpose: string, task: string, attempt: number, turn: string, prompt: string }} Situation
 * @typedef {{ script: string, turn: string, fits: number[] }} Claim
 */
import { appendFileSync, readFileSync } from 'node:fs'

/** @param {import('./script.js').Script} script @param {Situation} now @param {string} name @param {string} file */
export function chooseTurn(script, now, name, file) {
  const fits = script.turns.flatMap(({ match }, index) => (matches(match, now) ? [index] : []))
  appendFileSync(file, `${JSON.stringify({ script: name, turn: now.turn, fits })}\n`, { mode: 0o600 })
  return pick(script, readClaims(file, name), now.turn)
}

/** @param {import('./script.js').Script} script @param {Claim[]} claims @param {string} turn */
export function pick(script, claims, turn) {
  const seen = new Set()
  const fitted = script.turns.map(() => 0)
  const taken = script.turns.map(() => 0)
  for (const claim of claims) {
    if (seen.has(claim.turn)) continue
    seen.add(claim.turn)
    for (const index of claim.fits) fitted[index]++
    const chosen = claim.fits.find((index) => {
      const entry = script.turns[index]
      return entry && taken[index] < entry.times && (entry.match.nth === undefined || entry.match.nth === fitted[index])
    })
    if (chosen !== undefined) taken[chosen]++
    if (claim.turn === turn) return chosen === undefined ? null : script.turns[chosen]
  }
  return null
}

/** @returns {Claim[]} */
function readClaims(file, name) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const claim = JSON.parse(line)
        return claim.script === name ? [claim] : []
      } catch {
        return []
      }
    })
}

/** @param {import('./script.js').Match} match @param {Situation} now */
export function matches(match, now) {
  return (
    (match.role === undefined || match.role === now.role)
    && (match.purpose === undefined || match.purpose === now.purpose)
    && (match.attempt === undefined || match.attempt === now.attempt)
    && (match.prompt === undefined || now.prompt.includes(match.prompt))
    && (match.task === undefined || match.task === now.task || isTitle(match.task, now))
  )
}

/** Prompts list other tasks too, so a title matches only in the line of this task, `T003: its title`. */
function isTitle(title, now) {
  const heading = `${now.task}: `
  return (
    now.task !== ''
    && now.prompt.split('\n').some((line) => line.startsWith(heading) && line.slice(heading.length).includes(title))
  )
}
