/** The configuration table as a page of documentation. */
import { describe } from './describe.ts'
import { keys } from './keys.ts'
import type { Key } from './keys.ts'

const head = ['| key | value | default | variable | flag | meaning |', '|---|---|---|---|---|---|']

/** A markdown table with a row for every key that can be set on its own. */
export const configTable = (): string =>
  [...head, ...keys.filter(({ spec, field }) => field !== null && spec.kind !== 'object').map(row)].join('\n')

function row({ name, spec, env, field }: Key): string {
  const flag = field?.flag === undefined ? '' : code(`--${field.flag}`)
  const cells = [code(name), describe(spec), code(JSON.stringify(field?.default)), code(env), flag, field?.about ?? '']
  return `| ${cells.join(' | ')} |`
}

const code = (text: string): string => `\`${text}\``
