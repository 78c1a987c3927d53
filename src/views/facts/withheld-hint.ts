/** Hints that a check may have failed because it does not receive one of the user's variables. */

/** One line for the first few variables that the output names; null when it names none. */
export function withheldHint(output: string, withheld: readonly string[], key: string): string | null {
  const said = new Set(output.match(/[A-Z]\w{3,}/g))
  const named = withheld.filter((name) => said.has(name))
  if (named.length === 0) return null
  const [are, them] = named.length === 1 ? ['is', 'it'] : ['are', 'them']
  return (
    `[looper] ${named.slice(0, 3).join(', ')} ${are} set in your environment and not passed on: `
    + `add ${them} to "${key}" in .looper/config.json if this needs ${them}.`
  )
}
