/** What is known while the lines of a Python file are read: open scopes, tests found so far, decorators seen. */
import type { Helper, Mark, TestCase, TestFile } from '../test-case.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { after, textOf, wordFinder } from '../syntax/tokens.ts'
import { lexPython, type PythonLine, type PythonText } from './lex.ts'

export interface Scope {
  kind: 'class' | 'test' | 'helper' | 'loop' | 'void' | 'branch'
  /** The index of the line after its block. */
  end: number
  name: string
  collected?: boolean
  /** Whether the class has no base class. */
  plain?: boolean
  skipped?: Mark | null
  owner?: TestCase | Helper
  rows?: number | null
  why?: string
  condition?: string
}

/** A scope in which assertions belong to a test or a helper. */
export type OwnerScope = Scope & Required<Pick<Scope, 'owner'>>

export interface Walk {
  file: string
  python: PythonText
  tokens: Tokens
  lines: readonly PythonLine[]
  /** By full name. A later definition of the same name replaces an earlier one. */
  defined: Map<string, TestCase>
  found: TestFile
  /** Classes whose tests run as those of a class that inherits them. */
  inherited: ReadonlySet<string>
  scopes: Scope[]
  decorators: PythonLine[]
  moduleSkip: Mark | null
  /** The positions of a word between two tokens. */
  placesOf: ReturnType<typeof wordFinder>
}

const deepest = 100

export function beginWalk(file: string, text: string): Walk {
  const python = lexPython(text)
  const { tokens, lines } = python
  return {
    file,
    python,
    tokens,
    lines,
    defined: new Map(),
    found: { tests: [], helpers: [] },
    inherited: inheritedClasses(text),
    scopes: [],
    decorators: [],
    moduleSkip: null,
    placesOf: wordFinder(tokens),
  }
}

/** The base classes of classes that a runner collects. */
const inheritedClasses = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)\n]{0,300})\)/gm)]
      .filter(([, name = '', bases = '']) => isCollected(name, bases))
      .flatMap(([, , bases = '']) => bases.split(/[\s,]+/)),
  )

export const isCollected = (name: string, bases: string): boolean =>
  name.startsWith('Test') || /Test|Case|Mixin/.test(bases)

/** The text of a token of the line, or the empty text after its end. */
export const wordAt = ({ tokens }: Walk, line: PythonLine, index: number): string =>
  line.from + index < line.end ? textOf(tokens, line.from + index) : ''

export const ownerScope = ({ scopes }: Walk): OwnerScope | undefined =>
  scopes.findLast((scope): scope is OwnerScope => scope.owner !== undefined)

export function enter({ scopes }: Walk, scope: Scope): void {
  if (scopes.length < deepest) scopes.push({ ...scope, end: Math.min(scope.end, scopes.at(-1)?.end ?? Infinity) })
}

/** A block whose assertions prove nothing. */
export const enterVoid = (walk: Walk, end: number, why: string, name = ''): void =>
  enter(walk, { kind: 'void', end, name, why })

/** The names of the open classes. */
export const classPath = ({ scopes }: Walk): string[] =>
  scopes.filter(({ kind }) => kind === 'class').map(({ name }) => name)

/** The position of a word of the line outside brackets. */
export function wordIn({ tokens }: Walk, line: PythonLine, word: string): number | null {
  for (let position = line.from; position < line.end; position = after(tokens, position))
    if (textOf(tokens, position) === word) return position
  return null
}
