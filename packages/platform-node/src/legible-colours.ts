/** Red, green and blue, from 0 to 255. */
type Parts = readonly [number, number, number]

const BLACK: Parts = [0, 0, 0]
const WHITE: Parts = [255, 255, 255]
/** @see https://www.w3.org/TR/WCAG22/#contrast-minimum */
const LEAST_CONTRAST = 4.5
const STEPS = 50

const partsOf = (colour: string): Parts => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as never

const textOf = (parts: Parts): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const luminance = (parts: Parts): number => {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How well one of two colours, each as `#rrggbb`, is seen on the other: from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [one, other].map((colour) => luminance(partsOf(colour))).sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white: what is better to read on the colour. It always has a contrast of 4.5 at least. */
export const textOn = (colour: string): string =>
  contrast(colour, textOf(WHITE)) >= contrast(colour, textOf(BLACK)) ? textOf(WHITE) : textOf(BLACK)

/** The colour, made as much darker or lighter as it takes for its text to be read on the ground. */
export const legibleOn = (colour: string, ground: string): string => {
  const end = partsOf(textOn(ground))
  const begin = partsOf(colour)
  for (let step = 0; step <= STEPS; step++) {
    const mixed = textOf(begin.map((part, at) => part + (((end[at] ?? 0) - part) * step) / STEPS) as never)
    if (contrast(mixed, ground) >= LEAST_CONTRAST) return mixed
  }
  return textOf(end)
}
