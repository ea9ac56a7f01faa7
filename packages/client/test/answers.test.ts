import { describe, expect, it } from 'vitest'
import { createClient, RollcallError } from '../src/index.ts'
import { json, pieces, refusal, StubFetch } from './stub.ts'

const clientOf = (...script: ConstructorParameters<typeof StubFetch>) =>
  createClient({ ...new StubFetch(...script).options, retry: false })

const caught = async (promise: Promise<unknown>): Promise<RollcallError> => {
  const error = await promise.then(() => undefined).catch((thrown: unknown) => thrown)
  if (error instanceof RollcallError) return error
  throw new Error('it was not refused')
}

describe('an answer', () => {
  it('is what was asked for, nothing, or a page', async () => {
    expect(await clientOf(json({ id: 'ada' })).getUser({ userId: 'ada' })).toEqual({ id: 'ada' })
    expect(await clientOf(new Response(null, { status: 204 })).deleteUser({ userId: 'ada' })).toBeUndefined()
    const page = new Response('<p>Sure?</p>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
    expect(await clientOf(page).showConfirm({ token: '1.a' })).toBe('<p>Sure?</p>')
  })

  it('may be a picture, which is sent and comes as bytes', async () => {
    const bytes = new Uint8Array([0x89, 0x50, 0xff, 0x00])
    const picture = new Response(bytes, { headers: { 'Content-Type': 'image/png' } })
    expect(await clientOf(picture).getFeedLogo({ name: 'news' })).toEqual(bytes)
    const stub = new StubFetch(new Response(null, { status: 204 }))
    const { putFeedLogo } = createClient(stub.options)
    await putFeedLogo({ name: 'news', body: bytes })
    await putFeedLogo({ name: 'news', body: new Blob(['<svg/>'], { type: 'image/svg+xml' }) })
    expect(stub.sent.map(({ body, headers }) => [body instanceof Blob || body, headers['content-type']])).toEqual([
      [bytes, 'application/octet-stream'],
      [true, 'image/svg+xml'],
    ])
    expect((await caught(clientOf(refusal(404, 'LogoNotFound')).getFeedLogo({ name: 'news' }))).error).toBe(
      'LogoNotFound',
    )
  })

  it('has its status and header fields with try', async () => {
    const answer = await clientOf(json({ id: 'ada' }, 201, { ETag: '"1"' })).try.putUser({
      userId: 'ada',
      body: { email: 'ada@example.com', name: '', roles: [] },
    })
    expect(answer).toMatchObject({ ok: true, status: 201, data: { id: 'ada' } })
    expect(answer.headers.get('ETag')).toBe('"1"')
    const same = await clientOf(new Response(null, { status: 304 })).try.getUser({ userId: 'a', ifNoneMatch: '"1"' })
    expect(same).toMatchObject({ ok: true, status: 304, data: undefined })
  })

  it('is also how things are where they are not well', async () => {
    const notReady = { status: 'unavailable', storage: 'down', outbox: 'ok' }
    const stub = new StubFetch(json(notReady, 503, { 'Retry-After': '5' }))
    expect(await createClient(stub.options).getReadiness()).toEqual(notReady)
    expect(stub.sent).toHaveLength(1)
  })
})

describe('a refusal', () => {
  const details = [{ field: 'email', message: 'Give one.' }]

  it('is thrown, with all that it says', async () => {
    const body = { error: 'InvalidInput', message: 'The input is not valid.', details }
    const error = await caught(clientOf(json(body, 422, { 'X-Request-Id': 'r-1' })).subscribe({ body: { email: '' } }))
    expect(error).toMatchObject({ error: 'InvalidInput', status: 422, details, requestId: 'r-1', tries: 1 })
    expect([error.name, error.message, error.retryAfter]).toEqual([
      'RollcallError',
      'The input is not valid.',
      undefined,
    ])
  })

  it('is an answer with try', async () => {
    const answer = await clientOf(refusal(409, 'LastAdministrator')).try.deleteUser({ userId: 'ada' })
    expect(answer).toMatchObject({ ok: false, status: 409, error: 'LastAdministrator' })
  })

  it('names the id that the body has before that of the header', async () => {
    const body = { error: 'InternalError', message: 'Sorry.', request_id: 'r-2' }
    const error = await caught(clientOf(json(body, 500, { 'X-Request-Id': 'r-1' })).getUser({ userId: 'ada' }))
    expect(error.requestId).toBe('r-2')
  })

  it('says when to come back: after seconds, or at a date by the clock of the server', async () => {
    const after = async (headers: Record<string, string>) =>
      (await caught(clientOf(refusal(429, 'TooManyRequests', headers)).subscribe({ body: { email: 'a' } }))).retryAfter
    expect(await after({ 'Retry-After': '7' })).toBe(7)
    const dates = { Date: 'Tue, 02 Jul 2024 12:56:49 GMT', 'Retry-After': 'Tue, 02 Jul 2024 12:57:00 GMT' }
    expect(await after(dates)).toBe(11)
    expect(await after({ ...dates, 'Retry-After': 'Tue, 02 Jul 2024 12:56:00 GMT' })).toBe(0)
    expect(await after({ 'Retry-After': 'soon' })).toBeUndefined()
    expect(await after({})).toBeUndefined()
  })
})

describe('a condition that does not hold', () => {
  const TAG = `"${'x'.repeat(27)}"`
  const said = async (ifMatch: string): Promise<string> =>
    (await caught(clientOf(refusal(412, 'PreconditionFailed')).deleteUser({ userId: 'ada', ifMatch }))).message

  it.each([`W/${TAG}`, TAG.replace(/"$/, '-gzip"'), ''])('is explained by a proxy where the tag is %j', async (tag) => {
    expect(await said(tag)).toMatch(/^A proxy changed or removed the entity tag/)
  })

  it('is what Rollcall says of it where the tag is one of its own', async () => {
    expect(await said(TAG)).not.toContain('proxy')
  })
})

describe('what does not come from Rollcall', () => {
  const HTML = { 'Content-Type': 'text/html' }

  it.each([
    ['a page of a proxy', new Response('<p>Log in</p>', { headers: HTML }), '200, text/html'],
    ['an error of a gateway', new Response('oh', { status: 500, headers: HTML }), '500, text/html'],
    ['broken JSON', new Response('{', { headers: { 'Content-Type': 'application/json' } }), '200, application/json'],
    ['JSON that is no record', json(7), '200, application/json'],
    ['an error without a name', json({ fault: 'x' }, 400), '400, application/json'],
    [
      'a redirect',
      new Response(null, { status: 307, headers: { Location: 'https://elsewhere.example/' } }),
      '307, to h',
    ],
  ])('is not taken for an answer: %s', async (_, response, what) => {
    const error = await caught(clientOf(response).getUser({ userId: 'a-secret' }))
    expect(error).toMatchObject({ error: 'UnexpectedAnswer', status: response.status })
    expect(error.message).toContain(`GET /users/{userId} (${what}`)
    expect(error.message).not.toContain('secret')
  })

  it('is not taken for a stream', async () => {
    const page = new Response('<p>Log in</p>', { headers: HTML })
    const read = async () => {
      for await (const _ of clientOf(page).exportSubscriptions());
    }
    expect(await caught(read())).toMatchObject({ error: 'UnexpectedAnswer' })
    const read2 = async () => {
      for await (const _ of clientOf(pieces('application/x-ndjson', '{"id":1}\n', '<p>')).exportSubscriptions());
    }
    expect(await caught(read2())).toMatchObject({ error: 'UnexpectedAnswer' })
  })
})
