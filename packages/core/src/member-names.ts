// A text, or a bracket: whatever else JSON has between them does not matter here.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g
const COLON = /[\t\n\r ]*:/y

/**
 * The names of the outermost object's members, in order, with every repetition. `JSON.parse` keeps only the last of a
 * name, and so cannot tell. A member that has an object within it which repeats a name counts as repeated itself.
 * @param json valid JSON
 */
export const memberNames = (json: string): string[] => {
  const names: string[] = []
  const within: Set<string>[] = []
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') within.push(new Set())
    else if (token === '}' || token === ']') within.pop()
    else {
      COLON.lastIndex = index + token.length
      if (!COLON.test(json)) continue
      const name = String(JSON.parse(token))
      if (within.length === 1) names.push(name)
      else if (within.at(-1)?.has(name)) names.push(names.at(-1) ?? name)
      within.at(-1)?.add(name)
    }
  }
  return names
}
