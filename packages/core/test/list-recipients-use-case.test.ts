import { describe, expect, it } from 'vitest'
import { aSubscription, begin, upTo } from '../contract/samples.ts'
import { openMemoryService } from '../memory/index.ts'
import { addressHash, FeedNotFound, InsufficientPermissions } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, subscribe, tokenIn, unsubscribe } from './cast.ts'
import {
  block,
  boundTo,
  confirmed,
  digests,
  emailsOf,
  recipientsOf,
  SENDER,
  undeliverable,
  withFeeds,
} from './recipients.ts'

const CONFIRMED = { status: 'confirmed', confirmedAt: 1, expiresAt: undefined } as const

describe('the recipients of a feed', () => {
  it('begin with the place in the events, have a line each, and end with how many they are', async () => {
    const at = await withFeeds('weekly')
    const id = await confirmed(at, 'Ada@bücher.example', { feed: 'weekly', name: 'Ada "L" \\', locale: 'de' })
    const other = await confirmed(at, 'bob@example.com', { feed: 'weekly' })
    const lines = await recipientsOf(at, 'weekly')
    const [ada] = at.transport.mails
    const token = tokenIn(ada!, 'unsubscribe')
    const time = new Date(at.clock.now()).toISOString()
    expect(lines[0]).toEqual({ feed: 'weekly', at: time, events_after: '0000000000000004' })
    expect(lines[1]).toEqual({
      id,
      email: 'Ada@xn--bcher-kva.example',
      name: 'Ada "L" \\',
      locale: 'de',
      fields: {},
      confirmed_at: time,
      unsubscribe_url: `https://rollcall.example/unsubscribe/${token}`,
      manage_url: expect.stringMatching(new RegExp(`^https://rollcall\\.example/manage/${id}\\.1[0-9a-f]{32}$`)),
      headers: {
        'List-Unsubscribe': `<https://rollcall.example/unsubscribe/${token}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'List-Id': `"weekly" <weekly.${at.transport.domain}>`,
      },
    })
    expect(Object.keys(lines[1])).toEqual([
      'id',
      'email',
      'name',
      'locale',
      'fields',
      'confirmed_at',
      'unsubscribe_url',
      'manage_url',
      'headers',
    ])
    expect(lines[2]).toMatchObject({ id: other, email: 'bob@example.com', name: '', locale: null })
    expect(lines[3]).toEqual({ recipients: 2 })
    expect(lines).toHaveLength(4)
  })

  it('have an id of the list that a header can have, whatever the title of the feed is', async () => {
    const at = openMemoryService()
    await confirmed(at, 'ada@example.com')
    for (const [title, listId] of [
      ['A "great" \\ letter', String.raw`"A \"great\" \\ letter" <default.`],
      ['Überblick', '<default.'],
      ['=?utf-8?q?x?=', '<default.'],
    ] as const) {
      await at.useCases.putFeed.execute({ name: 'default', title }, ADMIN)
      expect((await recipientsOf(at))[1].headers['List-Id']).toBe(`${listId}${at.transport.domain}>`)
    }
  })

  it('are the confirmed ones alone: not pending, not ended, not of other feeds, and in their order', async () => {
    const at = await withFeeds('weekly')
    await confirmed(at, 'ada@example.com')
    await subscribe(at, 'pending@example.com')
    await confirmed(at, 'elsewhere@example.com', { feed: 'weekly' })
    await confirmed(at, 'gone@example.com')
    await unsubscribe(at, tokenIn(at.transport.mails.at(-1)!, 'unsubscribe'))
    await confirmed(at, 'bob@example.com')
    expect(await emailsOf(at)).toEqual(['ada@example.com', 'bob@example.com'])
    expect(await emailsOf(at, 'weekly')).toEqual(['elsewhere@example.com'])
  })

  it('are without blocked and undeliverable ones, and with those who refused our own mails', async () => {
    const at = openMemoryService()
    const emails = ['ada@example.com', 'bob+news@example.com', 'c.d@gmail.com', 'eve@example.com', 'fay@example.com']
    for (const email of emails) await confirmed(at, email)
    await block(at, 'bob@example.com')
    await block(at, 'cd@googlemail.com', 'complaint')
    await at.storage.unitOfWork.run(({ suppressions }) =>
      suppressions.add(addressHash(digests, 'eve@example.com'), { cause: 'never-again', since: 1 }),
    )
    await undeliverable(at, 'fay@example.com')
    expect(await emailsOf(at)).toEqual(['ada@example.com', 'eve@example.com'])
  })

  it('are without every one of many that are blocked or undeliverable', async () => {
    const at = openMemoryService()
    const address = (n: number) => ({ email: `n${n}@example.com`, addressKey: `n${n}@example.com` })
    const many = upTo(1_400).map((n) => aSubscription(n, { ...address(n), ...CONFIRMED }))
    await at.storage.unitOfWork.run((stores) => begin(stores, ...many))
    for (const n of upTo(600)) await block(at, `n${n}@example.com`)
    for (const n of upTo(600)) await undeliverable(at, `n${n + 700}@example.com`)
    expect(await emailsOf(at)).toEqual(
      [...upTo(100).map((n) => n + 600), ...upTo(100).map((n) => n + 1_300)].map((n) => `n${n}@example.com`),
    )
  })

  it('are none where there are none', async () => {
    const at = openMemoryService()
    expect(await recipientsOf(at)).toEqual([
      expect.objectContaining({ events_after: '0000000000000000' }),
      { recipients: 0 },
    ])
  })

  it('are read in pieces, as they are taken, and change meanwhile only behind the place in the events', async () => {
    const at = openMemoryService()
    const all = upTo(1_100).map((n) => aSubscription(n, { email: `n${n}@example.com`, ...CONFIRMED }))
    await at.storage.unitOfWork.run((stores) => begin(stores, ...all))
    const pieces = (await at.useCases.listRecipients.execute({ feed: 'default' }, SENDER))[Symbol.asyncIterator]()
    const head = JSON.parse((await pieces.next()).value)
    const first = (await pieces.next()).value as string
    expect(first.trimEnd().split('\n')).toHaveLength(50)
    await confirmed(at, 'late@example.com')
    let rest = ''
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) rest += next.value
    const lines = rest
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.slice(0, 1_050).map(({ email }) => email)).toEqual(upTo(1_050).map((n) => `n${n + 50}@example.com`))
    const { items } = await at.useCases.listEvents.execute({ cursor: head.events_after }, SENDER)
    expect(items.map(({ event }) => event.type)).toEqual(['subscription.pending', 'subscription.confirmed'])
  })

  it('are for admins and senders; for a sender that is bound to feeds, those of its feeds', async () => {
    const at = await withFeeds('weekly', 'daily')
    for (const who of [ADMIN, SENDER, boundTo('weekly')]) expect(await recipientsOf(at, 'weekly', who)).toHaveLength(2)
    await expect(recipientsOf(at, 'weekly', AUDITOR)).rejects.toBeInstanceOf(InsufficientPermissions)
    for (const feed of ['daily', 'default', 'no-such', 'not a name'])
      await expect(recipientsOf(at, feed, boundTo('weekly'))).rejects.toBeInstanceOf(FeedNotFound)
    await expect(recipientsOf(at, 'weekly', boundTo())).rejects.toBeInstanceOf(FeedNotFound)
  })

  it('are in the audit trail before the first of them is read', async () => {
    const at = openMemoryService()
    await confirmed(at, 'ada@example.com')
    await at.useCases.listRecipients.execute({ feed: 'default' }, SENDER)
    expect((await auditOf(at)).map(({ actor, action, target }) => [actor, action, target])).toEqual([
      ['mailer', 'recipient.read', 'default'],
    ])
  })
})
