interface TextTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  /** Which columns are aligned to the right; none by default. */
  readonly right?: (column: number) => boolean
}

const GAP = '  '

/** The table as text: heads, a rule, and a line for each row. */
export const textTable = ({ head, rows, right = () => false }: TextTable): string => {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [...lines.slice(0, 1), rule, ...lines.slice(1)]
    .map((line) =>
      widths
        .map((width, column) => padded(line[column] ?? '', width, right(column)))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

const padded = (text: string, width: number, right: boolean): string =>
  right ? text.padStart(width) : text.padEnd(width)
