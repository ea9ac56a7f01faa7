import { InvalidInput } from '../errors.ts'
import type { RecordFormat } from './record-formats.ts'

export const RECORD_FORMATS = ['ndjson', 'csv'] as const satisfies readonly RecordFormat[]

/** @throws {InvalidInput} there is no such format; NDJSON by default */
export const parseRecordFormat = (text: string | undefined): RecordFormat => {
  const format = RECORD_FORMATS.find((one) => one === (text ?? 'ndjson'))
  if (format !== undefined) return format
  throw new InvalidInput([{ field: 'format', message: `Use one of these: ${RECORD_FORMATS.join(', ')}.` }])
}
