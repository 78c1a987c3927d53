/**
 * The convergence figure as a picture: for each level and policy, how many goals were reached, and how many "done" were
 * false.
 */

/** @typedef {import('../world/play.ts').Score} Score */

const [left, top, bar, gap, wide] = [150, 56, 14, 3, 440]
const colors = {
  reached: '#2f7d5b',
  own: '#155e3f',
  wrong: '#c2412d',
  ink: '#24292f',
  faint: '#d0d7de',
  paper: '#ffffff',
}
const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** @param {Score[]} scores */
export function plot(scores) {
  const groups = [...new Set(scores.map(({ level }) => level))].map((level) =>
    scores.filter((score) => score.level === level),
  )
  let y = top
  const parts = groups.map((group) => {
    const from = y
    y += 24 + group.length * 2 * (bar + gap) + 14
    return groupOf(group, from)
  })
  const height = y + 30
  const lines = [0, 25, 50, 75, 100].map((percent) => {
    const x = left + (percent / 100) * wide
    return `<line x1="${x}" y1="${top}" x2="${x}" y2="${y - 14}" stroke="${colors.faint}"/>${words(x, y + 4, `${percent} %`, { anchor: 'middle' })}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + wide + 70} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="${colors.paper}"/>
${words(12, 22, 'Worlds in which the goal was reached, and in which “done” was said and false', { weight: 'bold', size: 14 })}
<rect x="12" y="32" width="12" height="12" fill="${colors.reached}"/>${words(30, 42, 'goal reached')}
<rect x="132" y="32" width="12" height="12" fill="${colors.wrong}"/>${words(150, 42, 'false “done”')}
${lines.join('\n')}
${parts.join('\n')}
</svg>
`
}

/** @param {Score[]} group @param {number} from */
function groupOf(group, from) {
  const rows = group.map(({ policy, reached, falseDone }, at) => {
    const y = from + 24 + at * 2 * (bar + gap)
    const own = policy.startsWith('Looper') && policy !== 'Looper-Go'
    const one = (value, dy, height, fill) => {
      const length = Math.round(value * wide * 10) / 10
      const label = words(left + length + 5, y + dy + height - 2, `${(value * 100).toFixed(0)} %`, { size: 10 })
      return `<rect x="${left}" y="${y + dy}" width="${length}" height="${height}" fill="${fill}"/>${label}`
    }
    return `${words(left - 8, y + bar, policy, { anchor: 'end', ...(own ? { weight: 'bold' } : {}) })}
${one(reached, 0, bar, own ? colors.own : colors.reached)}
${one(falseDone, bar + 1, bar - 3, colors.wrong)}`
  })
  return `${words(12, from + 14, group[0]?.level ?? '', { weight: 'bold', size: 13 })}\n${rows.join('\n')}`
}

/**
 * @param {number} x @param {number} y @param {string} text @param {{ anchor?: string, weight?: string, size?: number }}
 * [style]
 */
function words(x, y, text, { anchor = 'start', weight = 'normal', size = 12 } = {}) {
  const place = `x="${Math.round(x * 10) / 10}" y="${y}" text-anchor="${anchor}"`
  return `<text ${place} font-weight="${weight}" font-size="${size}" fill="${colors.ink}">${escape(text)}</text>`
}
