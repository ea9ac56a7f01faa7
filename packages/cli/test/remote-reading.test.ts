import { DomainError, UserNotFound } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { exitCodeOf, failureOf } from '../src/failure.ts'
import { decode, objectThenElements } from '../src/remote/decode.ts'
import { refusalOf } from '../src/remote/remote-answer.ts'
import { inPath } from '../src/remote/remote-request.ts'
import { retryAfter } from '../src/remote/retry-policy.ts'
import { schemas } from '../src/remote/schemas.ts'

describe('a refusal over HTTP', () => {
  it.each(Object.entries(exitCodeOf))('is the error that it is on the machine itself: %s', (name, exitCode) => {
    const details = [{ field: 'email', message: 'Give one.' }]
    const error = refusalOf({ error: name, message: 'Because.', details })
    expect(error).toBeInstanceOf(DomainError)
    expect(error.name).toBe(name)
    expect(failureOf(error)).toMatchObject({ error: name, exitCode })
    if (name === 'InvalidInput') expect(failureOf(error).details).toEqual(details)
  })

  it.each([
    ['TooManyRequests', 4],
    ['RequestTimeout', 4],
    ['PayloadTooLarge', 2],
    ['HeadersTooLarge', 2],
    ['UnsupportedMediaType', 1],
    ['constructor', 1],
  ])('that only HTTP knows has an exit code, too: %s', (name, exitCode) => {
    expect(refusalOf({ error: name, message: 'Because.' })).toMatchObject({ name, exitCode })
  })
})

describe('an answer over HTTP', () => {
  const user = {
    ...{ id: 'ada', email: 'ada@example.com', name: 'Ada', roles: ['admin'] },
    ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' },
  }
  const webhook = {
    ...{ name: 'shop', url: 'https://shop.example.com', types: ['user.created'], previous_secret_until: null },
    ...{ enabled: false, disabled_because: 'gone', disabled_since: user.created_at },
    ...{ created_at: user.created_at, updated_at: user.updated_at },
  }

  it('is taken as it is, and nothing is added to it', () => {
    const createdAt = Date.UTC(2026, 0, 1)
    const { id, email, name, roles } = user
    const taken = { id, email, name, roles, createdAt, updatedAt: Date.UTC(2026, 0, 2) }
    expect(decode(schemas.user, { ...user, from_a_later_version: 1 })).toStrictEqual(taken)
    expect(decode(schemas.webhook, webhook)).toMatchObject({ disabled: { because: 'gone', since: createdAt } })
    expect(decode(schemas.webhook, { ...webhook, enabled: true }).disabled).toBeUndefined()
    const event = { source: 's', type: 'user.created', subject: 'ada', time: user.created_at, sequence: '0012' }
    expect(decode(schemas.event, { ...event, data: user })).toStrictEqual({
      event: { type: 'user.created', subject: 'ada', at: createdAt, position: 12 },
      source: 's',
      subject: { kind: 'user', user: taken },
    })
    expect(decode(schemas.event, { ...event, data: { id: 'ada' } }).subject).toBeUndefined()
  })

  it.each([
    ['id', schemas.user, { ...user, id: 'a b' }],
    ['email', schemas.user, { ...user, email: 'nowhere' }],
    ['roles', schemas.user, { ...user, roles: ['admin', 1] }],
    ['created_at', schemas.user, { ...user, created_at: 'soon' }],
    ['name', schemas.pageOf(schemas.user), { items: [user, { ...user, name: undefined }], next: null }],
    ['next', schemas.pageOf(schemas.user), { items: [], next: '-1' }],
    ['items', schemas.pageOf(schemas.user), { items: {}, next: null }],
    ['disabled_since', schemas.webhook, { ...webhook, disabled_since: null }],
    ['answer', schemas.user, 'yes'],
  ])('is refused by the name of the member that does not fit: %s', (name, schema, value) => {
    expect(() => decode(schema, value)).toThrow(`This is not how a Rollcall server answers ('${name}').`)
  })
})

describe('Retry-After', () => {
  const sent = { Date: 'Sat, 21 Nov 2026 12:00:00 GMT' }

  it('is seconds, or a date by the clock of the server', () => {
    expect(retryAfter(new Headers({ 'Retry-After': '120' }))).toBe(120_000)
    expect(retryAfter(new Headers({ ...sent, 'Retry-After': 'Sat, 21 Nov 2026 12:00:05 GMT' }))).toBe(5_000)
  })

  it('may be absent, or say nothing', () => {
    expect(retryAfter(new Headers(sent))).toBeUndefined()
    expect(retryAfter(new Headers({ ...sent, 'Retry-After': 'soon' }))).toBeUndefined()
  })
})

describe('a path of a request', () => {
  it('never leads elsewhere', () => {
    for (const id of ['', '.', '..', '\ud800']) expect(() => inPath(UserNotFound, id)).toThrow(UserNotFound)
    expect(inPath(UserNotFound, 'a/b?c#d%')).toBe('a/b?c#d%')
  })
})

describe('a long document', () => {
  const document = {
    user: { id: 'a"]},{[', audit: [1] },
    subscriptions: [{ name: '"audit":[' }, { tags: [[], ['\\"']] }],
    audit: [{ n: 1, s: '],[{"' }, { n: 2, deep: { list: [1, [2]] } }, { n: 3 }],
  }

  async function* inPieces(text: string, size: number): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
  }

  const read = async (text: string, size: number): Promise<unknown[]> => {
    const pieces: unknown[] = []
    for await (const piece of objectThenElements(inPieces(text, size), 'audit')) pieces.push(piece)
    return pieces
  }

  it.each([1, 2, 7, 1_000])('is read element by element, wherever it is cut: every %d', async (size) => {
    const { audit, ...rest } = document
    expect(await read(JSON.stringify(document), size)).toEqual([{ ...rest, audit: [] }, ...audit])
    expect(await read(JSON.stringify({ ...rest, audit: [] }), size)).toEqual([{ ...rest, audit: [] }])
  })

  it('is refused where it ends too soon, or is not valid', async () => {
    const text = JSON.stringify(document)
    for (const cut of [text.length - 1, text.length - 2, text.length - 10, 40])
      await expect(read(text.slice(0, cut), 5)).rejects.toThrow('not how a Rollcall server answers')
    await expect(read('{"audit":[{nonsense}]}', 5)).rejects.toThrow('not how a Rollcall server answers')
  })
})
