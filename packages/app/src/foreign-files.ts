import { FOREIGN_FORMATS, type ForeignName, foreignRows, kindByName, type UnsentRow } from '@rollcall/cli'
import { FOREIGN_COLUMNS, InvalidInput, UnusedColumns } from '@rollcall/core'
import type { ConsoleOptions } from '@rollcall/http-console'

type Files = NonNullable<ConsoleOptions['foreign']>
type Order = Parameters<Files['importFrom']>[0]

/** Files of other services for the console, read as the command line reads them. */
export const foreignFiles = (
  { getFeed, importSubscriptions }: Pick<ConsoleOptions['useCases'], 'getFeed' | 'importSubscriptions'>,
  today: () => string,
): Files => ({
  services: Object.fromEntries(Object.entries(FOREIGN_FORMATS).map(([name, { label }]) => [name, label])),
  importFrom: async (order, body, { caller, ...how }) => {
    const { format, kind, evidence } = readOrder(order, today())
    const { feed, names, ignored } = order
    // Once, and not for each row.
    if (feed !== undefined) await getFeed.execute({ name: feed }, caller)
    const unused = new UnusedColumns(FOREIGN_COLUMNS, ignored)
    const unsent: UnsentRow[] = []
    const onUnsent = async (row: UnsentRow) => void unsent.push(row)
    const means = { order: { feed, list: undefined, evidence, names, ignored }, unused, onUnsent }
    const rows = foreignRows(format, kind, body, means)
    const lines = await importSubscriptions.execute({ format: 'ndjson', body: rows, ...how }, caller)
    return (async function* () {
      let [refused, leftOut] = [0, 0]
      for await (const line of lines) {
        for (const row of unsent.splice(0)) {
          if (row.error === 'LeftOut') leftOut++
          else refused++
          yield row
        }
        if ('line' in line) yield line
        else {
          const counts = { rows: line.rows + refused + leftOut, refused: line.refused + refused }
          yield { ...line, ...counts, ...(leftOut > 0 && { left_out: leftOut }), ignored: unused.names }
        }
      }
    })()
  },
})

const isForeign = (name: string): name is ForeignName => Object.hasOwn(FOREIGN_FORMATS, name)

const readOrder = ({ service, fileName, names, consent, confirmedAt }: Order, today: string) => {
  const problem = (field: string, message: string) => new InvalidInput([{ field, message }])
  if (!isForeign(service)) throw problem('from', `Use one of ${Object.keys(FOREIGN_FORMATS).join(', ')}.`)
  const format = FOREIGN_FORMATS[service]
  if (/\.zip$/i.test(fileName)) throw problem('file', 'Unpack the archive, and choose a file in it.')
  const kind = format.kindInName ? kindByName(fileName) : 'subscribed'
  if (kind === undefined)
    throw problem(
      'file',
      `The name of the file does not say which contacts it holds. Choose a file by its name in the archive of ${format.label}, such as subscribed_email_audience_export.csv.`,
    )
  if ((consent === undefined) !== (confirmedAt === undefined))
    throw problem('consent', 'Say how they agreed and by when, or neither.')
  if (Object.keys(names).some((field) => field !== 'email'))
    throw problem('map', 'Of the file of another service, only the name of the column email can be told.')
  if (confirmedAt !== undefined && !/^\d{4}-\d\d-\d\d/.test(confirmedAt))
    throw problem('confirmed_at', 'Give a date such as 2026-01-31.')
  if (confirmedAt !== undefined && confirmedAt.slice(0, 10) > today)
    throw problem('confirmed_at', 'Give a day that has come.')
  const evidence = consent === undefined || confirmedAt === undefined ? undefined : { consent, confirmedAt }
  return { format, kind, evidence }
}
