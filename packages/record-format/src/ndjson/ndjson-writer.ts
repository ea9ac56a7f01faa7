import type { RecordWriter } from '@rollcall/core'

export const ndjsonWriter: RecordWriter = {
  head: '',
  text: (records) => (records.length === 0 ? '' : `${records.map((record) => JSON.stringify(record)).join('\n')}\n`),
}
