import { readFileSync } from 'node:fs'
import path from 'node:path'

const SOURCE = path.join(import.meta.dirname, '../../../http-koa/src/pages/style-sheet.ts')

/** The style of the public pages, as the composition hands it over. Read as text: adapters do not import one another. */
export const publicStyle = (): string => {
  const sheet = /STYLE = `([^`]*)`/.exec(readFileSync(SOURCE, 'utf8'))?.[1]
  if (sheet === undefined) throw new Error(`There is no style sheet in ${SOURCE}.`)
  return sheet
}
