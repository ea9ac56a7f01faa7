/** The known name that takes the fewest edits to reach, and no more than `most`; the first of several. */
export const closestName = (name: string, known: readonly string[], most = Infinity): string | undefined => {
  let closest: { readonly name: string; readonly edits: number } | undefined
  for (const candidate of known) {
    const edits = editsBetween(name, candidate)
    if (edits <= most && (closest === undefined || edits < closest.edits)) closest = { name: candidate, edits }
  }
  return closest?.name
}

/** How many letters must be inserted, deleted or replaced (Levenshtein). */
export const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of from.split('').entries()) {
    const above = row
    row = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1))
    }
  }
  return row[to.length] ?? 0
}
