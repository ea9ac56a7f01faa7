import {
  type ExportSubscriptionsCommand,
  type ImportReportLine,
  type ImportSubscriptionsCommand,
  type ImportSummary,
  isRefusedRow,
  type RefusedRow,
} from '../src/index.ts'
import { ADMIN, type Service } from './cast.ts'

export interface Imported {
  readonly refused: readonly RefusedRow[]
  readonly summary: ImportSummary
}

/** Bytes in pieces of so many. */
export async function* bytesOf(text: string, pieceOf = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += pieceOf) yield bytes.subarray(at, at + pieceOf)
}

export const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

export const importFile = async (
  { useCases }: Service,
  file: string | readonly object[],
  more: Partial<ImportSubscriptionsCommand> = {},
  caller = ADMIN,
): Promise<Imported> => {
  const body = bytesOf(typeof file === 'string' ? file : linesOf(file))
  const lines: ImportReportLine[] = []
  for await (const line of await useCases.importSubscriptions.execute({ body, ...more }, caller)) lines.push(line)
  const summary = lines.pop()
  if (summary === undefined || isRefusedRow(summary)) throw new Error('The report has no summary.')
  return { refused: lines.filter(isRefusedRow), summary }
}

export const exportFile = async (
  { useCases }: Service,
  command: ExportSubscriptionsCommand = {},
  caller = ADMIN,
): Promise<string> => {
  let text = ''
  for await (const piece of await useCases.exportSubscriptions.execute(command, caller)) text += piece
  return text
}

/** A row with all the evidence that there is to be. */
export const confirmedRow = (email: string, more: object = {}) => ({
  email,
  created_at: '2024-07-01T10:00:00.000Z',
  confirmed_at: '2024-07-02T12:56:49.000Z',
  consent: 'Ticked the box at the fair.',
  ...more,
})
