import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Client, createClient, type RetryOptions } from '../src/index.ts'
import { json, lost, refusal, StubFetch } from './stub.ts'

const USER = { email: 'ada@example.com', name: '', roles: [] }
const BUSY = () => refusal(503, 'Unavailable')

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** What became of a call, and at which times (ms) the requests of it were sent. */
const timed = async (
  script: ConstructorParameters<typeof StubFetch>,
  call: (client: Client) => Promise<unknown>,
  retry?: RetryOptions | false,
) => {
  const stub = new StubFetch(...script)
  const times: number[] = []
  const began = Date.now()
  const { fetch, url } = stub.options
  const noting: typeof fetch = (target, init) => {
    times.push(Date.now() - began)
    return fetch!(target, init)
  }
  const promise = call(createClient({ url, fetch: noting, retry })).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return { result: await promise, times }
}

const read = (client: Client) => client.getUser({ userId: 'ada' })

describe('a request that does nothing twice', () => {
  it.each([429, 502, 503, 504])(
    'is sent again after %d, with growing pauses, up to a number of tries',
    async (status) => {
      const { result, times } = await timed([new Response('', { status })], read)
      expect(result).toMatchObject({ error: 'UnexpectedAnswer', status, tries: 4 })
      expect(times).toEqual([0, 500, 1_500, 3_500])
    },
  )

  it('is sent again after a lost connection', async () => {
    expect(await timed([lost(), lost(), json({ id: 'ada' })], read)).toEqual({
      result: { id: 'ada' },
      times: [0, 500, 1_500],
    })
    const { result, times } = await timed([lost()], read, { tries: 2 })
    expect(result).toEqual(new TypeError('fetch failed'))
    expect(times).toEqual([0, 500])
  })

  it('has one id for all tries, and another the next time', async () => {
    const stub = new StubFetch(lost(), json({ users: [] }), json({ users: [] }))
    const client = createClient(stub.options)
    const both = Promise.all([1, 2].map(() => client.deleteUsers({ body: { users: [{ id: 'ada' }] } })))
    await vi.runAllTimersAsync()
    await both
    const ids = stub.sent.map(({ headers }) => headers['x-request-id'])
    expect([ids.length, new Set(ids).size]).toEqual([3, 2])
  })

  it('is sent again after an answer that breaks off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) })
    const { result, times } = await timed([() => new Response(broken), json({ id: 'ada' })], read)
    expect([result, times]).toEqual([{ id: 'ada' }, [0, 500]])
  })

  it('is one with PUT, DELETE, or a POST that is marked so', async () => {
    const calls: ((client: Client) => Promise<unknown>)[] = [
      (client) => client.putUser({ userId: 'ada', body: USER }),
      (client) => client.deleteUser({ userId: 'ada' }),
      (client) => client.confirm({ token: '1.a' }),
      (client) => client.unsubscribe({ token: '1.a' }),
      (client) => client.confirmOnBehalf({ subscriptionId: 1, body: { reason: 'by phone' } }),
      (client) => client.endOnBehalf({ subscriptionId: 1, body: { reason: 'by phone' } }),
    ]
    for (const call of calls) expect((await timed([lost(), BUSY(), json({})], call)).times).toEqual([0, 500, 1_500])
  })

  it('is none if only the first answer has the secret', async () => {
    const body = { url: 'https://example.com/events' }
    const { times } = await timed([lost()], (client) => client.putWebhook({ name: 'ops', body }))
    expect(times).toEqual([0])
  })

  it('waits as long as the server says', async () => {
    const script = [refusal(503, 'Unavailable', { 'Retry-After': '20' }), json({ id: 'ada' })]
    expect((await timed(script, read)).times).toEqual([0, 20_000])
  })

  it('is not sent again where the server asks for more than the caller waits', async () => {
    const { result, times } = await timed([refusal(429, 'TooManyRequests', { 'Retry-After': '31' })], read)
    expect([result, times]).toMatchObject([{ error: 'TooManyRequests', retryAfter: 31, tries: 1 }, [0]])
    const patient = { maxDelay: 31_000, tries: 2 }
    expect((await timed([refusal(429, 'TooManyRequests', { 'Retry-After': '31' })], read, patient)).times).toEqual([
      0, 31_000,
    ])
  })

  it('does not wait for longer than the caller allows', async () => {
    expect((await timed([BUSY()], read, { tries: 5, maxDelay: 1_000 })).times).toEqual([0, 500, 1_500, 2_500, 3_500])
  })

  it('waits for half as long at least, so that clients come back at different times', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    expect((await timed([BUSY()], read)).times).toEqual([0, 250, 750, 1_750])
  })

  it('says how often it was sent', async () => {
    const deletion = (client: Client) => client.try.deleteUser({ userId: 'ada' })
    const { result } = await timed([lost(), refusal(410, 'UserDeleted')], deletion)
    expect(result).toMatchObject({ error: 'UserDeleted', tries: 2 })
  })
})

describe('a request is sent once', () => {
  const POSTS: ((client: Client) => Promise<unknown>)[] = [
    (client) => client.subscribe({ body: { email: 'ada@example.com' } }),
    (client) => client.requestPreferences({ body: { email: 'ada@example.com' } }),
    (client) => client.refuse({ token: '1.a' }),
    (client) => client.changePreferences({ token: '1.a', body: { action: 'end-all' } }),
    (client) => client.restoreUser({ userId: 'ada', body: {} }),
    (client) => client.rotateWebhookSecret({ name: 'shop', body: {} }),
    (client) => client.redeliverEvents({ name: 'shop', body: {} }),
    async (client) => {
      for await (const _ of client.importSubscriptions({ body: { csv: 'email\n' } }));
    },
  ]

  it.each(POSTS)('where it might do something twice: %s', async (call) => {
    expect((await timed([lost()], call)).times).toEqual([0])
    expect((await timed([refusal(429, 'TooManyRequests', { 'Retry-After': '1' })], call)).times).toEqual([0])
    expect((await timed([BUSY()], call)).times).toEqual([0])
  })

  it('where the caller says so, for the client or for a call', async () => {
    expect((await timed([lost()], read, false)).times).toEqual([0])
    const once = (client: Client) => client.getUser({ userId: 'ada' }, { retry: false })
    expect((await timed([BUSY()], once)).times).toEqual([0])
  })

  it.each([400, 401, 403, 404, 409, 410, 412, 422, 500])(
    'where another try would be refused, too: %d',
    async (status) => {
      const { result, times } = await timed([refusal(status, 'Whatever')], read)
      expect([result, times]).toMatchObject([{ error: 'Whatever', tries: 1 }, [0]])
    },
  )
})

describe('a signal', () => {
  it('is handed on to fetch', async () => {
    const stub = new StubFetch(json({ id: 'ada' }))
    const { signal } = new AbortController()
    await createClient(stub.options).getUser({ userId: 'ada' }, { signal })
    expect(stub.sent[0]?.signal).toBe(signal)
  })

  it('ends the waiting, with its reason', async () => {
    const stopping = new AbortController()
    const stub = new StubFetch(BUSY())
    const call = createClient(stub.options).getUser({ userId: 'ada' }, { signal: stopping.signal })
    const ended = expect(call).rejects.toBe('enough')
    await vi.advanceTimersByTimeAsync(400)
    stopping.abort('enough')
    await ended
    expect([stub.sent.length, vi.getTimerCount()]).toEqual([1, 0])
  })

  it('that was given already ends it without another try', async () => {
    const stub = new StubFetch(lost())
    const call = createClient(stub.options).getUser({ userId: 'ada' }, { signal: AbortSignal.abort('enough') })
    await expect(call).rejects.toThrow('fetch failed')
    expect([stub.sent.length, vi.getTimerCount()]).toEqual([1, 0])
  })
})
