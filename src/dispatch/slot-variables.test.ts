import { expect, test } from 'vitest'
import { slotVariables } from './slot-variables.ts'

const of = (cwd: string): [slot: string, port: number] => {
  const { LOOPER_SLOT, LOOPER_PORT_BASE } = slotVariables(cwd)
  return [LOOPER_SLOT, Number(LOOPER_PORT_BASE)]
}

test('the workspaces of a run have numbers and ports of their own', () => {
  const found = [1, 2, 3, 10, 40].map((n) => of(`/cache/0123456789abcdef/001-x/w${n}`))
  expect(found.map(([slot]) => slot)).toEqual(['1', '2', '3', '10', '40'])
  const ports = found.map(([, port]) => port)
  expect(new Set(ports).size).toBe(ports.length)
  for (const port of ports) expect(port).toBeGreaterThanOrEqual(20_100)
  for (const port of ports) expect(port + 100).toBeLessThan(65_536)
})

test('a checkout has the first', () => {
  expect(of('/home/ada/repo')[0]).toBe('1')
})
