import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveVariables, variables, variablesIn, variableValues, type PassVariables } from './variables.ts'

const iteration: PassVariables = {
  session: 'auth',
  iteration: 3,
  progress: '/p.md',
  output: '/o.md',
  goal: 'log in',
  task: 'T1: form',
  item: 'src/a.ts',
  perspective: 'security',
  inputs: 'all of plan',
  inputsByStage: new Map([
    ['plan', 'the plan'],
    ['a.b-c', 'dotted'],
  ]),
}
const resolve = (prompt: string) => resolveVariables(prompt, variableValues(iteration))

describe('C3: variables', () => {
  test.each([
    ['${SESSION}', 'auth'],
    ['${SESSION_NAME}', 'auth'],
    ['${ITERATION}', '3'],
    ['${INDEX}', '2'],
    ['${PROGRESS}', '/p.md'],
    ['${PROGRESS_FILE}', '/p.md'],
    ['${OUTPUT}', '/o.md'],
    ['${INPUTS}', 'all of plan'],
    ['${INPUTS.plan}', 'the plan'],
    ['${INPUTS.a.b-c}', 'dotted'],
    ['${GOAL}', 'log in'],
    ['${TASK}', 'T1: form'],
    ['${ITEM}', 'src/a.ts'],
    ['${PERSPECTIVE}', 'security'],
    ['${SESSION}${INDEX}-${SESSION}', 'auth2-auth'],
    ['$${SESSION} is ${SESSION}', '${SESSION} is auth'],
    ['$SESSION {SESSION} ${} ${ SESSION } ${1} ${a + b}', '$SESSION {SESSION} ${} ${ SESSION } ${1} ${a + b}'],
  ])('%s', (prompt, expected) => {
    expect(resolve(prompt)).toEqual({ text: expected, unknown: [] })
  })

  test('every documented one has a value', () => {
    expect(Object.keys(variables).filter((name) => !variableValues(iteration).has(name))).toEqual([])
  })

  test.each(['FOO', 'session', 'INPUTS.later', 'constructor', '__proto__', 'INPUTS.__proto__'])(
    '${%s} is unknown: it stays and is reported',
    (name) => {
      expect(resolve(`a \${${name}} b \${${name}}`)).toEqual({ text: `a \${${name}} b \${${name}}`, unknown: [name] })
    },
  )

  test('where they are used', () => {
    expect(variablesIn('${A}\n$${B} ${C}\n\n${INPUTS.x}${A}')).toEqual([
      { name: 'A', linesAbove: 0 },
      { name: 'C', linesAbove: 1 },
      { name: 'INPUTS.x', linesAbove: 3 },
      { name: 'A', linesAbove: 3 },
    ])
  })
})

describe('laws', () => {
  const name = fc.constantFrom('SESSION', 'ITEM', 'INPUTS', 'INPUTS.plan', 'NO_SUCH')
  const piece = fc.oneof(
    fc.string(),
    name.map((each) => `\${${each}}`),
    fc.constantFrom('$', '$$', '${', '}', '$&', '$1', '\n', '$${ITEM}'),
  )
  const prompt = fc.array(piece).map((pieces) => pieces.join(''))

  test('a value is put in as it is, whatever it looks like', () => {
    fc.assert(
      fc.property(prompt, (value) => {
        expect(resolveVariables('<${ITEM}>', new Map([['ITEM', value]])).text).toBe(`<${value}>`)
      }),
    )
  })

  test('the text around is kept: values in angle brackets can be taken out again', () => {
    fc.assert(
      fc.property(prompt, (text) => {
        const plain = text.replaceAll('$$', '')
        const { text: resolved, unknown } = resolveVariables(plain, new Map([['ITEM', '\u0001']]))
        expect(resolved.replaceAll('\u0001', '${ITEM}')).toBe(plain.replaceAll('\u0001', '${ITEM}'))
        expect(unknown).not.toContain('ITEM')
      }),
    )
  })

  test('what is reported is what was not filled, and all that is filled was found', () => {
    fc.assert(
      fc.property(prompt, (text) => {
        const known = new Map([
          ['SESSION', 's'],
          ['INPUTS.plan', 'p'],
        ])
        const used = [...new Set(variablesIn(text).map(({ name }) => name))]
        expect(resolveVariables(text, known).unknown).toEqual(used.filter((each) => !known.has(each)))
      }),
    )
  })

  test('a long prompt of beginnings costs no more than its length', () => {
    const text = '${'.repeat(500_000) + '${A'.repeat(500_000)
    expect(resolveVariables(text, new Map()).text).toBe(text)
  })
})
