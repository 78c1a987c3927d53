/**
 * Evaluates a condition without running it: true, false, true only on another platform, or unknown. The condition is
 * given as tokens separated by spaces.
 */

const untrue =
  /^(?:false|False|0|0\.0|null|None|undefined|NaN|''|""|\[ \]|TYPE_CHECKING|typing \. TYPE_CHECKING|void 0)$/
const trueAnyway = /^(?:true|True|-? ?(?:[1-9][\d.]*|0\.\d*[1-9]\d*)|'[^']+'|"[^"]+"|__debug__|\{ \}|\[ [^\]]+ \])$/
const number = /^-? ?\d[\d._]*(?: [+*-] \d[\d._]*){0,5}$/
const text = /^(?:'[^']*'|"[^"]*"|true|false|True|False|null|None)$/

export function truthOf(condition: string): boolean | null {
  const plain = bare(condition.trim().slice(0, 400))
  if (untrue.test(plain)) return false
  if (trueAnyway.test(plain)) return true
  const negated = /^(?:!|not) ([^&|]+)$/.exec(plain)?.[1]
  if (negated !== undefined && !/ (?:and|or|[=!]==?|[<>]=?) /.test(negated)) {
    const inner = truthOf(negated)
    return inner === null ? null : !inner
  }
  const parts = plain.split(/ (?:&&|and) /)
  if (parts.length > 1 && !/ (?:\|\||or) /.test(plain))
    return parts.some((part) => truthOf(part) === false) ? false : null
  const choices = plain.split(/ (?:\|\||or) /)
  if (choices.length > 1) return choices.some((part) => truthOf(part) === true) ? true : null
  return compared(plain)
}

/** Removes brackets around the whole condition. */
const bare = (plain: string): string => /^\( ([^()]*) \)$/.exec(plain)?.[1] ?? plain

function compared(plain: string): boolean | null {
  const found = /^(.+?) (===?|!==?|<=?|>=?|is not|is) (.+)$/.exec(plain)
  const [left, operator, right] = [found?.[1] ?? '', found?.[2] ?? '', found?.[3] ?? '']
  const numbers = number.test(left) && number.test(right)
  if (!numbers && !(text.test(left) && text.test(right))) return null
  const [a, b] = numbers ? [valueOf(left), valueOf(right)] : [left, right]
  switch (operator) {
    case '==':
    case '===':
    case 'is':
      return a === b
    case '!=':
    case '!==':
    case 'is not':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    default:
      return a >= b
  }
}

/**
 * Evaluates sums and products from left to right, without precedence: enough for the constant conditions that disable
 * code.
 */
function valueOf(expression: string): number {
  const [first = '0', ...rest] = expression.replace(/^- /, '-').split(' ')
  let value = Number(first.replaceAll('_', ''))
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const next = Number((rest[at + 1] ?? '0').replaceAll('_', ''))
    value = rest[at] === '*' ? value * next : rest[at] === '-' ? value - next : value + next
  }
  return value
}

const platform =
  String.raw`(?:process \. platform|os \. (?:platform|type) \( \)|os \. name|`
  + String.raw`sys \. platform|platform \. system \( \))`
const windows = /^(?:'|")(?:win32|windows|windows_nt|nt|cygwin)(?:'|")$/i
const winning = new RegExp(`^${platform} \\. startswith \\( 'win\\w*' \\)$`)
const asked = new RegExp(`^${platform} ([!=]==?) (\\S+)$`)

/**
 * Whether the condition holds only on a platform that Looper does not support: a test skipped there still runs here.
 */
export function isOnlyElsewhere(condition: string): boolean {
  const plain = bare(condition.trim())
  if (/^(?:is|on|IS_|ON_)?_?win(?:dows|32)?$/i.test(plain)) return true
  const [, operator = '', name = ''] = asked.exec(plain) ?? []
  if (windows.test(name)) return operator.startsWith('=')
  return winning.test(plain) || /^sys \. version_info < \( 3 , (?:\d|1[0-2]) \)$/.test(plain)
}

export function isHereToo(condition: string): boolean {
  const plain = bare(condition.trim())
  const [, operator = '', name = ''] = asked.exec(plain) ?? []
  if (windows.test(name)) return operator.startsWith('!')
  return /^(?:!|not) /.test(plain) && isOnlyElsewhere(plain.replace(/^(?:!|not) /, ''))
}
