import type { RecordWriter } from '@rollcall/core'

export const ndjsonWriter: RecordWriter = {
  head: '',
  text: (records) => {
    let text = ''
    for (const record of records) text += `${JSON.stringify(record)}\n`
    return text
  },
}
