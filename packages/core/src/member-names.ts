// A text, or a bracket: whatever else JSON has between them does not matter here.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g
const COLON = /[\t\n\r ]*:/y

/**
 * The names of the outermost object's members, in order, with every repetition. `JSON.parse` keeps only the last of a
 * name, and so cannot tell.
 * @param json valid JSON
 */
export const memberNames = (json: string): string[] => {
  const names: string[] = []
  let depth = 0
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1) {
      COLON.lastIndex = index + token.length
      if (COLON.test(json)) names.push(String(JSON.parse(token)))
    }
  }
  return names
}
