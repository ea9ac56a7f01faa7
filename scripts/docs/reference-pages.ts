import { readFileSync } from 'node:fs'
import path from 'node:path'
import { commandLinePage } from './command-line-page.ts'
import { configurationPage } from './configuration-page.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPart } from './events-part.ts'
import { httpPage } from './http-page.ts'

const ROOT = path.join(import.meta.dirname, '../..')
/** Where the pages are, from the root. */
export const REFERENCE = 'docs/reference'

const PART = /(?<=<!-- generated: types and fields -->\n\n)[\s\S]*?(?=\n<!-- end of generated -->)/

/** One page of which a part is written by hand. */
const eventsPage = (): string => {
  const page = readFileSync(path.join(ROOT, REFERENCE, 'events.md'), 'utf8')
  if (!PART.test(page)) throw new Error(`${REFERENCE}/events.md has lost the marks between which its tables are made.`)
  return page.replace(PART, () => eventsPart())
}

/** The pages of the reference that follow from the code, by their names. */
export const referencePages = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ['command-line.md', await commandLinePage()],
    ['configuration.md', configurationPage()],
    ['errors.md', errorsPage()],
    ['events.md', eventsPage()],
    ['http.md', httpPage()],
  ])
