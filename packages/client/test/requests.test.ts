import { describe, expect, it } from 'vitest'
import { createClient, methodOf, type Params } from '../src/index.ts'
import { json, StubFetch } from './stub.ts'

const USER = { email: 'ada@example.com', name: 'Ada', roles: [] }

describe('a request', () => {
  it('has parameters in the path, the query and the header, and a body of JSON', async () => {
    const stub = new StubFetch()
    const client = createClient(stub.options)
    await client.putUser({ userId: 'a/b ü', ifMatch: '"1"', ifUnmodifiedSince: 'then', body: USER })
    await client.deleteUser({ userId: 'ada', subscriptions: 'erase', reason: 'said so & more', ifNoneMatch: undefined })
    await client.eraseSubscription({ subscriptionId: 8127340912345678 })
    expect(stub.targets).toEqual([
      'PUT /users/a%2Fb%20%C3%BC',
      'DELETE /users/ada?subscriptions=erase&reason=said+so+%26+more',
      'DELETE /subscriptions/8127340912345678',
    ])
    expect(stub.sent[0]).toMatchObject({
      headers: { 'if-match': '"1"', 'if-unmodified-since': 'then', 'content-type': 'application/json' },
      body: JSON.stringify(USER),
    })
    expect(stub.sent[1]).toMatchObject({ headers: { accept: 'application/json' }, body: undefined })
    expect(Object.keys(stub.sent[1]!.headers)).toEqual(['accept', 'accept-encoding'])
    // A proxy that compresses would change the entity tag.
    expect(stub.sent[1]!.headers['accept-encoding']).toBe('identity')
  })

  it('goes to the path that the service is mounted on', async () => {
    const stub = new StubFetch(json({ status: 'alive' }))
    await createClient({ ...stub.options, url: 'https://news.example.com/mail/?utm=1' }).getLiveness()
    expect(stub.targets).toEqual(['GET /mail/livez'])
    expect(() => createClient({ url: 'news.example.com/' })).toThrow(TypeError)
  })

  it.each(['', '.', '..', undefined, null, {}])(
    'never goes elsewhere because a part of the path is %j',
    async (userId) => {
      const stub = new StubFetch()
      const client = createClient(stub.options)
      await expect(client.deleteUser({ userId } as Params<'deleteUser'>)).rejects.toThrow("'userId' must be a text")
      expect(stub.sent).toEqual([])
    },
  )

  it.each(['nope', 'toString', '__proto__', '', undefined])(
    'says that there is no operation %j, to JavaScript, too',
    async (id) => {
      const stub = new StubFetch()
      const sent = createClient(stub.options).send(id as 'getUser', { userId: 'ada' })
      await expect(sent).rejects.toThrow(new TypeError(`There is no operation '${id}'.`))
      expect(() => methodOf(id as 'getUser')).toThrow(TypeError)
    },
  )

  it.each([[undefined], [null], [{}], ['ada'], [{ userid: 'ada' }], [{ userId: null }]])(
    'names the operation and the parameter of the path that is missing in %j',
    async (params) => {
      const stub = new StubFetch()
      const client = createClient(stub.options)
      const given = params as Params<'getUser'>
      const error = new TypeError("getUser: 'userId' must be a text, and not '', '.' or '..'.")
      for (const call of [() => client.send('getUser', given), () => client.getUser(given)])
        await expect(call()).rejects.toThrow(error)
      await expect(client.try.getUser(given)).rejects.toThrow(error)
      expect(stub.sent).toEqual([])
    },
  )

  // `fetch` asks for an answer past all caches where it has a condition of the caller's, and then a server ignores that.
  it('lets a condition on a read be one', async () => {
    const stub = new StubFetch(new Response(null, { status: 304 }))
    await createClient(stub.options).try.getUser({ userId: 'ada', ifNoneMatch: '"1"' })
    expect(stub.sent[0]?.headers).toMatchObject({ 'if-none-match': '"1"', 'cache-control': 'max-age=0' })
  })

  it('has the token only where one is needed, asked for anew each time, and follows no redirect', async () => {
    const stub = new StubFetch(json({ items: [], next: null }))
    const tokens = ['one', 'two']
    const client = createClient({ ...stub.options, token: async () => tokens.shift() ?? 'none' })
    await client.listUsers()
    await client.getLiveness()
    await client.listFeeds()
    expect(stub.sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', undefined, 'Bearer two'])
    expect(stub.sent.map(({ redirect }) => redirect)).toEqual(['manual', 'manual', 'manual'])
    await createClient({ ...stub.options, token: 'three' }).listFeeds()
    expect(stub.sent.at(-1)?.headers.authorization).toBe('Bearer three')
  })

  it('has the header fields of the client and of the call', async () => {
    const stub = new StubFetch(json({ status: 'alive' }))
    const client = createClient({ ...stub.options, headers: { 'User-Agent': 'shop/1', 'X-Request-Id': 'a' } })
    await client.getLiveness({}, { headers: { 'X-Request-Id': 'b' } })
    expect(stub.sent[0]?.headers).toMatchObject({ 'user-agent': 'shop/1', 'x-request-id': 'b' })
  })

  it('passes on the address of a visitor in its field, with the token that this needs, and signs up without one', async () => {
    const stub = new StubFetch(json({}))
    const client = createClient({ ...stub.options, token: 'relay' })
    const body = { email: 'a@example.com' }
    await client.subscribe({ visitorAddress: '203.0.113.7', body })
    await client.subscribe({ body })
    expect(stub.targets).toEqual(['POST /subscribe', 'POST /subscribe'])
    expect(stub.sent[0]?.headers).toMatchObject({ 'visitor-address': '203.0.113.7', authorization: 'Bearer relay' })
    expect(stub.sent[1]?.headers.authorization).toBeUndefined()
  })

  it('is not sent again where what gives the token fails', async () => {
    const stub = new StubFetch()
    const token = (): never => {
      throw new Error('the provider is away')
    }
    await expect(createClient({ ...stub.options, token }).listFeeds()).rejects.toThrow('the provider is away')
    expect(stub.sent).toEqual([])
  })

  it('is sent once by send, which gives the answer as it is', async () => {
    const stub = new StubFetch(new Response('busy', { status: 503 }))
    const answer = await createClient(stub.options).send('getFeed', { name: 'default' })
    expect([answer.status, await answer.text(), stub.targets]).toEqual([503, 'busy', ['GET /feeds/default']])
  })
})

describe('a file', () => {
  const report = new Response('{"rows":0}\n', { headers: { 'Content-Type': 'application/x-ndjson' } })
  const send = async (body: Params<'importSubscriptions'>['body']) => {
    const stub = new StubFetch(report)
    for await (const _ of createClient(stub.options).importSubscriptions({ dry_run: true, body }));
    const [sent] = stub.sent
    expect(stub.targets).toEqual(['POST /subscriptions/import?dry_run=true'])
    return [sent?.headers['content-type'], await new Response(sent?.body as string).text()]
  }
  const rows = [{ email: 'a@example.com' }, { email: 'b@example.com', name: 'B' }]
  const lines = '{"email":"a@example.com"}\n{"email":"b@example.com","name":"B"}\n'

  it('is made of records, however they come', async () => {
    expect(await send({ ndjson: rows })).toEqual(['application/x-ndjson', lines])
    expect(await send({ ndjson: new Set(rows) })).toEqual(['application/x-ndjson', lines])
    const later = async function* () {
      yield* rows
    }
    expect(await send({ ndjson: later() })).toEqual(['application/x-ndjson', lines])
  })

  it('is sent as it is where it is one already', async () => {
    const csv = 'email,name\na@example.com,Ä\n'
    const bytes = new TextEncoder().encode(csv)
    const inPieces = async function* () {
      yield bytes.subarray(0, 25)
      yield bytes.subarray(25)
    }
    for (const source of [csv, bytes, new Blob([csv]), new Blob([csv]).stream(), inPieces()])
      expect(await send({ csv: source })).toEqual(['text/csv', csv])
    expect(await send({ ndjson: lines })).toEqual(['application/x-ndjson', lines])
  })
})
