/**
 * Lives through worlds with a mutated Looper until the given law breaks; prints the seed. The world that found the bug
 * last time comes before the search, if there is one. Its own process, so that a hang can be ended.
 */
const [bundle, law, runs, first = '1', last = ''] = process.argv.slice(2)
const { simulate, checkers } = await import(bundle)

function* seeds() {
  if (last !== '') yield Number(last)
  for (let seed = Number(first); seed < Number(first) + Number(runs); seed++) yield seed
}

for (const seed of seeds()) {
  const { violations } = await simulate(seed, { checkers: checkers.filter((checker) => checker.law === law) })
  const found = violations.find((violation) => violation.law === law)
  if (found) {
    process.stdout.write(JSON.stringify({ seed, detail: found.detail }))
    break
  }
}
