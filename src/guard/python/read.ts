/** Reads the tests, assertions and helpers of a Python file. */
import type { TestFile } from '../test-case.ts'
import { reasons } from '../test-case.ts'
import { defineClass, defineFunction } from './define.ts'
import type { PythonLine } from './lex.ts'
import { readStatement } from './statements.ts'
import { beginWalk, wordAt, type Walk } from './walk.ts'

export function readPython(file: string, text: string): TestFile {
  const walk = beginWalk(file, text)
  walk.lines.forEach((line, index) => {
    while ((walk.scopes.at(-1)?.end ?? Infinity) <= index) walk.scopes.pop()
    readLine(walk, line, index)
  })
  return conclude(walk)
}

function readLine(walk: Walk, line: PythonLine, index: number): void {
  const first = wordAt(walk, line, 0)
  const skew = first === 'async' ? 1 : 0
  if (first === '@') {
    walk.decorators.push(line)
    return
  }
  if (first === 'class') defineClass(walk, line, wordAt(walk, line, 1))
  else if (wordAt(walk, line, skew) === 'def') defineFunction(walk, line, wordAt(walk, line, skew + 1))
  else readStatement(walk, line, index, wordAt(walk, line, skew))
  walk.decorators = []
}

/** Marks tests that the file skips, and those that return before their first assertion. */
function conclude({ defined, found, moduleSkip }: Walk): TestFile {
  for (const test of defined.values()) {
    found.tests.push(test)
    test.skipped ??= moduleSkip
    const dead = test.assertions.length > 0 && test.assertions.every(({ level }) => level === 0)
    if (dead && test.assertions.some(({ why }) => why === reasons.unreached))
      test.skipped ??= { how: reasons.returned, group: null }
  }
  return found
}
