import { type Html, html } from '@rollcall/platform-node'
import { number } from './parts.ts'

interface Bar {
  readonly label: string
  readonly count: number
  /** What is said of it beside its count, such as its share. */
  readonly beside: string
}

const ROW = 34
const WIDTH = 360
const LABELS = 84
const BESIDE = 96

/** Bars with what they count beside them. */
export const barChart = (title: string, bars: readonly Bar[]): Html => {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const rows = bars.map(({ label, count, beside }, i) => {
    const length = Math.max(count > 0 ? 3 : 0, Math.round(((WIDTH - LABELS - BESIDE) * count) / most))
    const y = i * ROW
    return html`<text class="name" x="0" y="${y + 21}">${label}</text>
<rect class="bar" x="${LABELS}" y="${y + 7}" width="${length}" height="${ROW - 14}" rx="4"/>
<text x="${LABELS + length + 8}" y="${y + 21}">${number(count)} · ${beside}</text>`
  })
  const said = bars.map(({ label, count, beside }) => `${label}: ${count}, ${beside}`).join('; ')
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${bars.length * ROW}" role="img" aria-label="${title}. ${said}">
${rows}</svg>`
}

interface UpAndDown {
  readonly label: string
  readonly up: number
  readonly down: number
}

const HEIGHT = 150
const FOOT = 20
const SCALE = 34

/** One pair of bars for each place, up and down from a line; what the scale is stands at its left. */
export const upAndDownChart = (title: string, places: readonly UpAndDown[]): Html => {
  const [highest, lowest] = [Math.max(1, ...places.map(({ up }) => up)), Math.max(0, ...places.map(({ down }) => down))]
  const unit = (HEIGHT - FOOT - 12) / (highest + lowest)
  const zero = 8 + highest * unit
  const step = (WIDTH - SCALE) / places.length
  const round = (length: number) => Math.round(length * 10) / 10
  const bars = places.map(({ up, down }, i) => {
    const x = round(SCALE + i * step + 1)
    const width = round(step - 2)
    return html`${up > 0 && html`<rect class="up" x="${x}" y="${round(zero - up * unit)}" width="${width}" height="${round(up * unit)}"/>`}${
      down > 0 && html`<rect class="down" x="${x}" y="${round(zero)}" width="${width}" height="${round(down * unit)}"/>`
    }`
  })
  const [first, last] = [places.at(0)?.label, places.at(-1)?.label]
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<text x="0" y="18">+${number(highest)}</text>${lowest > 0 && html`<text x="0" y="${HEIGHT - FOOT - 2}">−${number(lowest)}</text>`}
${bars}<line x1="${SCALE}" x2="${WIDTH}" y1="${round(zero)}" y2="${round(zero)}"/>
<text x="${SCALE}" y="${HEIGHT - 3}">${first}</text><text x="${WIDTH}" y="${HEIGHT - 3}" text-anchor="end">${last}</text></svg>`
}

/** A line of numbers in the height of a text; the cells beside it say what it comes to. */
export const sparkline = (numbers: readonly number[]): Html => {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const y = (value: number) => (most === least ? 14 : Math.round(25 - (22 * (value - least)) / (most - least)))
  const points = numbers.map((value, i) => `${Math.round((i * 112) / Math.max(1, numbers.length - 1))} ${y(value)}`)
  return html`<svg class="spark" viewBox="-1 0 114 28" aria-hidden="true"><path d="M${points.join('L')}"/></svg>`
}
