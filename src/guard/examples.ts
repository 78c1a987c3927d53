/** Reads doctests: examples after `>>>` in docstrings and documents, with what they must print. */

export interface Example {
  source: string
  expected: string
}

const longest = 400_000

export const holdsExamples = (text: string | null): boolean => text !== null && /^[ \t]*>>> /m.test(text)

export function examplesIn(text: string | null): Example[] {
  const examples: Example[] = []
  let current: { source: string[]; expected: string[] } | null = null
  for (const raw of (text ?? '').slice(0, longest).split('\n')) {
    const line = raw.trim()
    if (line.startsWith('>>> ')) {
      current = { source: [line.slice(4)], expected: [] }
      examples.push({ source: '', expected: '' })
    } else if (current !== null && /^\.\.\.(?: |$)/.test(line) && current.expected.length === 0)
      current.source.push(line.slice(4))
    else if (current !== null && line !== '' && !/^(?:"""|''')/.test(line)) current.expected.push(line)
    else current = null
    if (current !== null)
      examples[examples.length - 1] = { source: current.source.join('\n'), expected: current.expected.join('\n') }
  }
  return examples
}

/** Whether the examples that the file had are all there as they were. */
export function keepsExamples(before: string | null, after: string | null): boolean {
  const left = examplesIn(after).map(keyOf)
  return examplesIn(before).every((example) => {
    const at = left.indexOf(keyOf(example))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

const keyOf = ({ source, expected }: Example): string => `${source}\n\n${expected}`
