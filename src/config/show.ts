/** Shows the configuration to people and programs: each key with its value and source, with secrets masked. */
import { settingsSpec } from './keys.ts'
import type { LoadedConfig, Sourced } from './layers.ts'
import { leaves, masked } from './leaves.ts'
import { isObject } from '../model/object.ts'

/**
 * Returns every value by its dotted key, and every group before its members. A group with several sources names them
 * all.
 */
export function showConfig({ config, sources }: Pick<LoadedConfig, 'config' | 'sources'>): Record<string, Sourced> {
  const sourceOf = (key: string): string => sources[key]?.source ?? 'default'
  const shown = Object.entries(config).map(([name, value]) => [name, masked(settingsSpec, { [name]: value })] as const)
  return Object.fromEntries(
    shown.flatMap(([name, wrapped]) => {
      const members = leaves(settingsSpec, wrapped).map(([path, value]): [string, Sourced] => {
        const key = path.join('.')
        return [key, { value, source: sourceOf(key) }]
      })
      if (members.some(([key]) => key === name)) return members
      return [[name, { value: isObject(wrapped) ? wrapped[name] : wrapped, source: sourcesOf(members) }], ...members]
    }),
  )
}

const sourcesOf = (members: readonly [string, Sourced][]): string =>
  [...new Set(members.map(([, { source }]) => source))].join(', ')
