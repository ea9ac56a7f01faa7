import type { Page, Stretch } from '../src/index.ts'
import type { Table } from './journal.ts'

/** The stretch of a table's rows that match. */
export const pageOf = <Row>(
  table: Table<never, Row> | Table<string, Row> | Table<number, Row>,
  { after, limit }: Stretch,
  matches: (row: Row) => boolean = () => true,
): Page<Row> => {
  const found = table.entries().filter(({ position, row }) => position > after && matches(row))
  const shown = found.slice(0, limit)
  return { items: shown.map(({ row }) => row), next: found.length > limit ? shown.at(-1)?.position : undefined }
}
