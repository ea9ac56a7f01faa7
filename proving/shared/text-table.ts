const GAP = '  '

/** The table as text: heads, a rule, and a line for each row. */
export const textTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean,
): string => {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const padded = (text: string, column: number): string =>
    isNumber(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)
  const [first = '', ...lines] = all.map((row) => head.map((_, column) => padded(row[column] ?? '', column)).join(GAP))
  return [first, widths.map((width) => '-'.repeat(width)).join(GAP), ...lines].map((line) => line.trimEnd()).join('\n')
}
