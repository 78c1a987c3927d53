/**
 * Lives through worlds with a mutated Looper until the given law breaks; prints the seed. Its own process, so that a
 * hang can be ended.
 */
const [bundle, law, runs, first = '1'] = process.argv.slice(2)
const { simulate, checkers } = await import(bundle)

for (let seed = Number(first); seed < Number(first) + Number(runs); seed++) {
  const { violations } = await simulate(seed, { checkers: checkers.filter((checker) => checker.law === law) })
  const found = violations.find((violation) => violation.law === law)
  if (found) {
    process.stdout.write(JSON.stringify({ seed, detail: found.detail }))
    break
  }
}
