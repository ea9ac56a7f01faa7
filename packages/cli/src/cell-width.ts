import stringWidth from 'fast-string-width'

const NARROWEST = 6
const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const characters = new Intl.Segmenter()

/** Columns of a terminal that the text takes. A letter written in parts takes what the whole letter takes. */
export const cellWidth = (text: string): number => stringWidth(text.normalize())

/** The widths, the widest ones cut until all of them and the gaps between them fit into the room. */
export const fitted = (widths: readonly number[], room: number, gap: number): number[] => {
  const fit = [...widths]
  let surplus = fit.reduce((sum, width) => sum + width, gap * (fit.length - 1)) - room
  for (; surplus > 0; surplus--) {
    const widest = fit.indexOf(Math.max(...fit))
    const width = fit[widest] ?? 0
    if (width <= NARROWEST) break
    fit[widest] = width - 1
  }
  return fit
}

/** Cells side by side, in as many lines as the longest of them needs. Each line of a cell may be given a style. */
export const columnsOf = (
  cells: readonly string[],
  widths: readonly number[],
  gap: string,
  styled = (text: string): string => text,
): string[] => {
  const columns = widths.map((width, at) => ({ width, lines: wrapped(cells[at] ?? '', width) }))
  const height = Math.max(...columns.map(({ lines }) => lines.length))
  return Array.from({ length: height }, (_, row) => {
    const parts = columns.map(({ width, lines }) => {
      const text = lines[row] ?? ''
      return (text && styled(text)) + ' '.repeat(Math.max(width - cellWidth(text), 0))
    })
    return parts.join(gap).replace(/ +$/, '')
  })
}

/** The text in lines of at most `width` columns, broken between words where they fit, never inside a character. */
const wrapped = (text: string, width: number): string[] => {
  if (cellWidth(text) <= width) return [text]
  const lines = ['']
  for (const part of partsOf(text, width)) {
    const line = lines.at(-1) ?? ''
    if (cellWidth(line + part) <= width) lines[lines.length - 1] = line + part
    else lines.push(part === ' ' ? '' : part)
  }
  return lines
}

/** Words, and what is between them; words that are too long in characters. */
function* partsOf(text: string, width: number): Generator<string> {
  for (const { segment: word } of words.segment(text)) {
    if (cellWidth(word) <= width) yield word
    else for (const { segment: character } of characters.segment(word)) yield character
  }
}
