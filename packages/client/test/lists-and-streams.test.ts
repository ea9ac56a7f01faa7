import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import { json, pieces, refusal, StubFetch } from './stub.ts'

const LINES = 'application/x-ndjson'

const all = async <T>(records: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const record of records) found.push(record)
  return found
}

describe('a list', () => {
  const pagesOf = () => [
    json({ items: [1, 2], next: '2' }),
    json({ items: [], next: '3' }),
    json({ items: [3], next: null }),
  ]

  it('is its first page for who waits for it', async () => {
    const stub = new StubFetch(...pagesOf())
    expect(await createClient(stub.options).listUsers({ limit: 2 })).toEqual({ items: [1, 2], next: '2' })
    expect(stub.targets).toEqual(['GET /users?limit=2'])
  })

  it('is all records for who iterates, page by page', async () => {
    const stub = new StubFetch(...pagesOf())
    expect(await all(createClient(stub.options).listUsers({ role: 'admin', limit: 2 }))).toEqual([1, 2, 3])
    expect(stub.targets).toEqual([
      'GET /users?role=admin&limit=2',
      'GET /users?role=admin&limit=2&cursor=2',
      'GET /users?role=admin&limit=2&cursor=3',
    ])
  })

  it('goes on behind what the caller has, where the list has no cursor', async () => {
    const stub = new StubFetch(...pagesOf())
    await all(createClient(stub.options).listEvents({ after: '1' }))
    expect(stub.targets).toEqual(['GET /events?after=1', 'GET /events?after=2', 'GET /events?after=3'])
  })

  it('fetches no page that the loop does not come to', async () => {
    const stub = new StubFetch(...pagesOf())
    for await (const user of createClient(stub.options).listUsers()) if (String(user) === '2') break
    expect(stub.targets).toEqual(['GET /users'])
  })

  it('throws the refusal of a later page', async () => {
    const stub = new StubFetch(json({ items: [1], next: '2' }), refusal(401, 'Unauthenticated'))
    await expect(all(createClient(stub.options).listAudit())).rejects.toMatchObject({ error: 'Unauthenticated' })
  })
})

describe('a stream', () => {
  it('is a record for each line, wherever the pieces end', async () => {
    const [before, after] = ['{"email":"ü', '@example.com"}\n{"email":"b"}']
    const bytes = new TextEncoder().encode(before + after)
    const body = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)))
    const stub = new StubFetch(() => new Response(body, { headers: { 'Content-Type': LINES } }))
    expect(await all(createClient(stub.options).exportSubscriptions())).toEqual([
      { email: 'ü@example.com' },
      { email: 'b' },
    ])
  })

  it('is text where the file is CSV', async () => {
    const stub = new StubFetch(pieces('text/csv', '\ufeffemail\n', 'a@example.com\n'))
    const texts = await all(createClient(stub.options).exportSubscriptions({ format: 'csv' }))
    expect(texts.join('')).toBe('\ufeffemail\na@example.com\n')
    expect(stub.targets).toEqual(['GET /subscriptions/export?format=csv'])
  })

  it('throws where the last line of the recipients is missing: the list is incomplete', async () => {
    const read = (...lines: object[]) => {
      const stub = new StubFetch(pieces(LINES, lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
      return all(createClient(stub.options).listRecipients({ name: 'weekly' }))
    }
    const [head, one] = [
      { feed: 'weekly', events_after: '0' },
      { id: 1, email: 'a@example.com' },
    ]
    expect(await read(head, one, { recipients: 1 })).toEqual([head, one, { recipients: 1 }])
    for (const lines of [[], [head], [head, one]])
      await expect(read(...lines)).rejects.toMatchObject({
        error: 'UnexpectedAnswer',
        message: expect.stringContaining('incomplete'),
      })
  })

  it('sends nothing before it is read, and ends the answer when the loop does', async () => {
    let ended: unknown
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('{"id":1}\n')),
      cancel: () => {
        ended = true
      },
    })
    const stub = new StubFetch(() => new Response(body, { headers: { 'Content-Type': LINES } }))
    const stream = createClient(stub.options).exportSubscriptions()
    expect(stub.sent).toEqual([])
    for await (const _ of stream) break
    expect(ended).toBe(true)
  })

  it('gives refused rows and the summary, and throws what broke the import off', async () => {
    const row = { line: 2, error: 'InvalidInput', message: 'No.' }
    const read = (last: object) => {
      const stub = new StubFetch(pieces(LINES, `${JSON.stringify(row)}\n${JSON.stringify(last)}\n`))
      return createClient(stub.options).importSubscriptions({ body: { csv: '' } })
    }
    expect(await all(read({ rows: 2 }))).toEqual([row, { rows: 2 }])
    const broken = read({ error: 'Unavailable', message: 'Later.', request_id: 'r-9' })[Symbol.asyncIterator]()
    expect((await broken.next()).value).toEqual(row)
    await expect(broken.next()).rejects.toMatchObject({ error: 'Unavailable', requestId: 'r-9', status: 200 })
  })

  it('throws what the connection does in the middle of it, and is not asked for again', async () => {
    let step = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (step++ === 0) controller.enqueue(new TextEncoder().encode('{"id":1}\n'))
        else controller.error(new TypeError('terminated'))
      },
    })
    const stub = new StubFetch(() => new Response(body, { headers: { 'Content-Type': LINES } }))
    await expect(all(createClient(stub.options).exportSubscriptions())).rejects.toThrow('terminated')
    expect(stub.sent).toHaveLength(1)
  })

  it('is an answer with try', async () => {
    const stub = new StubFetch(pieces(LINES, '{"id":1}\n'))
    const answer = await createClient(stub.options).try.exportSubscriptions()
    expect(answer.ok && (await all(answer.data))).toEqual([{ id: 1 }])
  })

  it('may be empty', async () => {
    const stub = new StubFetch(() => new Response(null, { headers: { 'Content-Type': LINES } }))
    expect(await all(createClient(stub.options).exportSubscriptions())).toEqual([])
  })
})
