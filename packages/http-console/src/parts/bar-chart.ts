import { type Html, html } from '@rollcall/platform-node'

interface Bar {
  readonly label: string
  readonly count: number
}

const ROW = 36
const WIDTH = 480
const LABELS = 150
const COUNTS = 70

/** Bars with their counts beside them, drawn here; the table below says the same. */
export const barChart = (title: string, bars: readonly Bar[]): Html => {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const rows = bars.map(({ label, count }, i) => {
    const length = Math.round(((WIDTH - LABELS - COUNTS) * count) / most)
    const y = i * ROW
    return html`<text x="0" y="${y + 23}">${label}</text>
<rect x="${LABELS}" y="${y + 6}" width="${length}" height="${ROW - 12}" rx="3"/>
<text x="${LABELS + length + 8}" y="${y + 23}">${count}</text>`
  })
  const said = bars.map(({ label, count }) => `${label}: ${count}`).join(', ')
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${bars.length * ROW}" role="img" aria-label="${title}: ${said}">
${rows}</svg>`
}
