import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { IdRow, IdSource } from './id-source.ts'

export interface KeptSource extends IdSource, AsyncDisposable {}

const BUFFERED = 65_536

/** The ids of a source that can be read only once, in a temporary file that nobody can find: to be read again. */
export const keptAside = async (source: IdSource): Promise<KeptSource> => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-ids-'))
  const file = await open(join(folder, 'ids'), 'wx+', 0o600)
  await rm(folder, { recursive: true, force: true })
  try {
    let text = ''
    for await (const row of source.rows()) {
      text += `${JSON.stringify(row)}\n`
      if (text.length < BUFFERED) continue
      await file.appendFile(text)
      text = ''
    }
    await file.appendFile(text)
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    rereadable: true,
    rows: async function* () {
      const input = file.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' })
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
        yield JSON.parse(line) as IdRow
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}
