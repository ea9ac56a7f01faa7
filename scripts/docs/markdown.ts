/** Says not to edit the page, and how it is made again. */
export const GENERATED = "<!-- Made by 'npm run generate'. Do not edit. -->\n"

/** A text in a cell of a table, or in a line. */
export const inLine = (text: string): string =>
  text.replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;')

export const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

/** A table; none if it would have no rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return ''
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n').replaceAll('|  |', '| |')}\n\n`
}
