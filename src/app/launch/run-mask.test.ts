import { expect, test } from 'vitest'
import type { LoadedConfig } from '../../config/layers.ts'
import { withSecretsOf } from './run-mask.ts'

const joined = (begun: string[] | undefined, now: string[]): string[] =>
  withSecretsOf({ config: { secrets: now }, hiddenChecks: [] } as unknown as LoadedConfig, begun).config.secrets

test.each<[begun: string[] | undefined, now: string[], secrets: string[]]>([
  [undefined, ['A', '!B'], ['A', '!B']],
  [['A'], ['C'], ['A', 'C']],
  [['A'], ['!A', '!B_TOKEN'], ['A']],
  [
    ['!A', '!B'],
    ['!B', 'A'],
    ['A', '!B'],
  ],
])('begun with %j, now %j', (begun, now, secrets) => {
  expect(joined(begun, now)).toEqual(secrets)
})
