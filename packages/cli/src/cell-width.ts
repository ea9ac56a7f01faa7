import stringWidth from 'string-width'

const NARROWEST = 6
const graphemes = new Intl.Segmenter()

/** Columns of a terminal that the text takes. */
export const cellWidth = (text: string): number => stringWidth(text)

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

/** The text in lines of at most so many columns. Nothing is lost, and no character is torn. */
export const wrapped = (text: string, width: number): string => {
  if (cellWidth(text) <= width) return text
  const lines = ['']
  for (const { segment } of graphemes.segment(text)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && cellWidth(line + segment) > width) lines.push(segment)
    else lines[lines.length - 1] = line + segment
  }
  return lines.join('\n')
}
