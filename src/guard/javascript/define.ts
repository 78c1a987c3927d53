/** Records the tests, groups and hooks that a JavaScript call defines, and enters their bodies. */
import type { Mark, TestCase } from '../test-case.ts'
import { longestBody, times } from '../test-case.ts'
import type { Chain } from '../syntax/chain.ts'
import { closeOf, sliceOf, textOf } from '../syntax/tokens.ts'
import { bodyOf } from './blocks.ts'
import { tableRows } from './rows.ts'
import type { Scopes } from './scopes.ts'
import type { Definition } from './test-calls.ts'
import { addHelper, type Walk } from './walk.ts'

export function define(walk: Walk, chain: Chain, definition: Definition): void {
  const { file, tokens, found, scopes, constants, wrapping } = walk
  const end = closeOf(tokens, definition.args)
  const path = scopes.path()
  const group = scopes.group()
  const mark = (how: string | null): Mark | null =>
    how === null ? null : { how, group: definition.kind === 'group' ? [...path, definition.name].join(' > ') : null }
  const skipped = group?.skipped ?? mark(definition.skipped)
  const focused = mark(definition.focused) ?? group?.focused ?? null
  const { rows, table } =
    definition.table === null ? { rows: 1, table: '' } : tableRows(tokens, definition.table, constants)
  if (definition.kind === 'hook') addHelper(walk, [...path, definition.name].join(' > '), end)
  else if (definition.kind === 'group') {
    scopes.enter({ kind: 'group', end, path: [...path, definition.name], skipped, focused, rows, table })
  } else {
    const { body } = definition
    const root = chain.parts[0]?.name ?? ''
    const wrapped = wrapping.has(root)
    const owner: TestCase = {
      file,
      path,
      name: definition.name,
      skipped: skipped ?? (body === null && !wrapped ? mark('a test without a body') : null),
      focused,
      gate: definition.retries === null ? gateHere(scopes) : `{ retry: ${definition.retries} }`,
      rows: times(rows, scopes.repeated('here')),
      assertions: [],
      calls: [],
      body: sliceOf(tokens, body?.from ?? chain.from, end).slice(0, longestBody),
      table: [table, scopes.tables()].filter(Boolean).join('\n'),
    }
    if (body !== null && body.end === body.from + 1) owner.calls.push(textOf(tokens, body.from))
    if (wrapped) owner.calls.push(root)
    const helper = scopes.helper()
    if (helper !== undefined && !definition.named) found.wrappers.add(helper.owner.name)
    // The test inside a wrapper counts once per call of the wrapper instead.
    if (helper === undefined || definition.named) found.tests.push(owner)
    else if (wrapping.size > 0) return
    scopes.enter({
      kind: 'test',
      end,
      owner,
      path: [...path, definition.name],
      returned: Infinity,
      left: null,
      ...bodyOf(tokens, body),
    })
  }
}

function gateHere(scopes: Scopes): string | null {
  if (scopes.test() !== undefined) return null
  const condition = scopes.condition('here')
  return scopes.hidden('here') ?? (condition === null ? null : `only if ${condition.slice(0, 80)}`)
}
