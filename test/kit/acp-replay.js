#!/usr/bin/env node
/**
 * Says again what an agent said in a recorded conversation: each answer when it is asked for, what came after it when
 * more is asked.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , recording = ''] = process.argv
const lines = readFileSync(recording, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
/** @type {Set<string>} */
const heard = new Set()
/** @type {Map<string, () => void>} */
const waiting = new Map()

/**
 * The two sides count their questions each from nought. @type {(side: 'asked' | 'answered', id: unknown) =>
 * Promise<void>}
 */
const until = (side, id) =>
  new Promise((resolve) => {
    const key = `${side} ${JSON.stringify(id)}`
    if (heard.has(key)) resolve()
    else waiting.set(key, resolve)
  })

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const key = `${method === undefined ? 'answered' : 'asked'} ${JSON.stringify(id)}`
    heard.add(key)
    waiting.get(key)?.()
  })
  .on('close', () => process.exit(0))

for (const line of lines) {
  const { id, method } = JSON.parse(line)
  if (id !== undefined && method === undefined) await until('asked', id)
  process.stdout.write(`${line}\n`)
  if (id !== undefined) await (method === undefined ? until('asked', id + 1) : until('answered', id))
}
