import type { Session } from './session.ts'
import { TablePrinter } from './table-printer.ts'

/** Prints one record: JSON for machines, a line per field for people. */
export const printRecord = async (
  session: Session,
  representation: unknown,
  fields: readonly (readonly [label: string, value: string | number])[],
): Promise<void> => {
  if (session.json) return await session.printJson(representation)
  const columns = [
    { head: '', cell: ([label]: readonly [string, string | number]) => label },
    { head: '', cell: ([, value]: readonly [string, string | number]) => value },
  ]
  await new TablePrinter(session.stdout, columns, { colour: false, head: false }).print(fields)
}
