import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRecords, recordWriter } from '../src/index.ts'
import { rowsIn } from './record-files.ts'

const MIB = 1024 * 1024

/** Counts rows and what is wrong with them, without keeping any. */
const counted = async (format: 'csv' | 'ndjson', chunks: Iterable<string>) => {
  const body = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  })()
  const reading = { format, body, fields: ['email', 'name'], required: ['email'], names: {} }
  const counts = { good: 0, broken: 0 }
  for await (const rows of await readRecords(reading)) {
    for (const row of rows) counts['problem' in row ? 'broken' : 'good']++
  }
  return counts
}

function* repeated(times: number, chunk: string, before = ''): Generator<string> {
  yield before
  for (let count = 0; count < times; count++) yield chunk
}

const heldAfter = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage().heapUsed
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed)
  }, 5)
  await work()
  clearInterval(watch)
  return most - before
}

describe('a long file', () => {
  it('gives up a line of 256 MiB, in memory for a thousandth of it, and reads the next', async () => {
    const file = function* () {
      yield* repeated(4096, 'x'.repeat(65_536), 'email\n')
      yield '\na@example.com\n'
    }
    let counts = {}
    const held = await heldAfter(async () => {
      counts = await counted('csv', file())
    })
    expect(counts).toEqual({ good: 1, broken: 1 })
    expect(held).toBeLessThan(64 * MIB)
  })

  it('reports each of forty thousand bad rows', async () => {
    const bad = '"a"b\n'.repeat(1000)
    expect(await counted('csv', repeated(40, bad, 'email\n'))).toMatchObject({ good: 0, broken: 40_000 })
    expect(await counted('ndjson', repeated(40, '{\n'.repeat(1000)))).toMatchObject({ good: 0, broken: 40_000 })
  })

  it('gives up a quote that is not closed after 64 KiB, and loses no row behind it', async () => {
    const row = 'a@example.com,A\n'
    const file = function* () {
      yield 'email,name\nb@example.com,"B\n'
      yield* repeated(20_000, row)
    }
    expect(await counted('csv', file())).toMatchObject({ good: 20_000, broken: 1 })
    let taken = 0
    const body = (async function* () {
      yield Buffer.from('email,name\nb@example.com,"B\n')
      for (; taken < 100; taken++) yield Buffer.from(row.repeat(100))
    })()
    const reading = { format: 'csv', body, fields: ['email', 'name'], required: ['email'], names: {} } as const
    for await (const rows of await readRecords(reading)) if ([...rows].length > 0) break
    expect(taken).toBe(Math.floor(65_536 / (row.length * 100)))
  })

  it('takes as many quotes that are not closed as there are, each in the time that one takes', async () => {
    const lines = `b@example.com,"B\n${'a@example.com,A\n'.repeat(40)}`
    const file = function* () {
      yield 'email,name\n'
      yield* repeated(1000, lines)
    }
    const { good, broken } = await counted('csv', file())
    expect(good + broken).toBeGreaterThan(1000)
  })
})

describe('whatever is written', () => {
  const formula = /(?:^|[;\t\n])[; "\t\n]*[=+\-@＝＋－＠﹦﹢﹣﹫]/
  const text = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((it) => !/[\r\0]|^[\t\n]/.test(it) && !formula.test(it))

  it('is read as it was, in CSV and in NDJSON, whatever the pieces it comes in', async () => {
    const records = fc.array(fc.record({ email: text.filter((it) => it !== ''), name: text }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 40 }), async (written, pieceOf) => {
        for (const format of ['csv', 'ndjson'] as const) {
          const writer = recordWriter(format, ['email', 'name', 'feed'])
          const rows = await rowsIn(format, writer.head + writer.text(written), { pieceOf })
          const fields = rows.map((row) => 'fields' in row && { name: '', ...row.fields })
          expect(fields).toEqual(written.map(({ email, name }) => ({ email, name })))
        }
      }),
    )
  })

  it('is read to the end, whatever it is', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 })
    const piece = fc.integer({ min: 1, max: 20 })
    await fc.assert(
      fc.asyncProperty(bytes, piece, async (file, pieceOf) => {
        const whole = Uint8Array.from([...Buffer.from('email,name\n'), ...file])
        const inOne = await rowsIn('csv', whole)
        expect(await rowsIn('csv', whole, { pieceOf })).toEqual(inOne)
        const lines = inOne.map(({ line }) => line)
        expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b))
      }),
    )
  })
})
