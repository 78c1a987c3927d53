/** Plays as many worlds as wanted at one level of trouble under each policy named, and says what came of them. */
import { levels, type LevelName } from '../world/levels.ts'
import { policies, score, type PolicyName } from '../world/play.ts'

const [, , level = '', worlds = '', ...chosen] = process.argv
const names = (chosen.length > 0 ? chosen : Object.keys(policies)) as PolicyName[]
if (!(level in levels) || names.some((name) => !(name in policies)))
  throw new Error(`there is no level ${level}, or no policy of ${names.join()}`)
/** Other worlds than those in which world and core were tried out. */
const first = 100_001
const seeds = Array.from({ length: Number(worlds) }, (_, at) => first + at)
console.log(JSON.stringify(names.map((policy) => score(level as LevelName, policy, seeds))))
