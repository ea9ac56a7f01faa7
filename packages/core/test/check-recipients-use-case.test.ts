import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { FeedNotFound, InsufficientPermissions, InvalidInput } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, type Service, subscribe, tokenIn, unsubscribe } from './cast.ts'
import { block, boundTo, confirmed, SENDER, undeliverable, withFeeds } from './recipients.ts'

const check = (at: Service, ids: readonly unknown[], feed = 'default', who = SENDER) =>
  at.useCases.checkRecipients.execute({ feed, ids: ids as number[] }, who)

describe('checking recipients', () => {
  it('says who may be written to, and why not the others, each once and in the order given', async () => {
    const at = await withFeeds('weekly')
    const ada = await confirmed(at, 'ada@example.com')
    const gone = await confirmed(at, 'gone@example.com')
    await unsubscribe(at, tokenIn(at.transport.mails.at(-1)!, 'unsubscribe'))
    const { id: pending } = await subscribe(at, 'pending@example.com')
    const elsewhere = await confirmed(at, 'else@example.com', { feed: 'weekly' })
    const bob = await confirmed(at, 'bob@example.com')
    const fay = await confirmed(at, 'fay@example.com')
    await block(at, 'bob+tag@example.com')
    await undeliverable(at, 'fay@example.com')
    expect(await check(at, [7, fay, bob, elsewhere, pending, gone, ada, 7, ada])).toEqual({
      send: [ada],
      skip: [
        { id: 7, because: 'unknown' },
        { id: fay, because: 'undeliverable' },
        { id: bob, because: 'blocked' },
        { id: elsewhere, because: 'unknown' },
        { id: pending, because: 'pending' },
        { id: gone, because: 'ended' },
      ],
    })
  })

  it('takes one whose link has expired for unknown, as if it were swept', async () => {
    const at = openMemoryService({ linkLife: 1_000 })
    const { id } = await subscribe(at, 'ada@example.com')
    at.clock.advance(1_000)
    expect(await check(at, [id])).toEqual({ send: [], skip: [{ id, because: 'unknown' }] })
  })

  it('takes 1 to 1,000 ids, and nothing else', async () => {
    const at = openMemoryService()
    expect(
      (
        await check(
          at,
          Array.from({ length: 1_000 }, (_, n) => n + 1),
        )
      ).skip,
    ).toHaveLength(1_000)
    const bad = [[], Array.from({ length: 1_001 }, (_, n) => n + 1), ['1'], [1.5], [0], [-1], [2 ** 53], [null], [[1]]]
    for (const ids of bad) await expect(check(at, ids)).rejects.toBeInstanceOf(InvalidInput)
  })

  it('finds no feed but those that exist for the caller, whatever the ids are', async () => {
    const at = await withFeeds('weekly', 'daily')
    await expect(check(at, [1], 'weekly', AUDITOR)).rejects.toBeInstanceOf(InsufficientPermissions)
    for (const feed of ['daily', 'default', 'no-such', 'not a name'])
      for (const ids of [[1], []])
        await expect(check(at, ids, feed, boundTo('weekly'))).rejects.toBeInstanceOf(FeedNotFound)
    expect(await check(at, [1], 'weekly', boundTo('weekly'))).toMatchObject({ send: [] })
    await at.useCases.reads.flush({ all: true })
    expect((await auditOf(at)).map(({ actor, action, outcome }) => [actor, action, outcome])).toContainEqual([
      'mailer',
      'recipient.check',
      'done',
    ])
  })
})

describe('checking addresses', () => {
  const checkAddresses = (at: Service, addresses: readonly unknown[], who = SENDER) =>
    at.useCases.checkSuppressions.execute({ addresses: addresses as string[] }, who)

  it('says which of them no mail may go to, as they were written, and to an administrator why', async () => {
    const at = openMemoryService()
    await block(at, 'bob@example.com')
    await block(at, 'cy@xn--bcher-kva.example', 'complaint')
    await undeliverable(at, 'fay@example.com')
    const written = ['BOB+x@Example.com', ' cy@bücher.example\u2060', '\ufefffay@example.com\n']
    const [bob, cy, fay] = written as [string, string, string]
    const asked = ['ada@example.com', bob, 'nonsense', cy, fay, '', 'Cy <cy@bücher.example>']
    const blocked = [bob, cy, fay]
    const unread = ['nonsense', '', 'Cy <cy@bücher.example>']
    expect(await checkAddresses(at, [...asked, ...asked])).toEqual({ blocked, unread, reasons: undefined })
    expect(await checkAddresses(at, asked, ADMIN)).toEqual({
      ...{ blocked, unread },
      reasons: [
        { address: bob, because: 'blocked' },
        { address: cy, because: 'complaint' },
        { address: fay, because: 'undeliverable' },
      ],
    })
  })

  it('passes over who only refused our own mails', async () => {
    const at = openMemoryService()
    await subscribe(at, 'ada@example.com')
    await at.useCases.deliverOutbox.execute({ limit: 9 })
    const token = tokenIn(at.transport.mails.at(-1)!, 'refuse')
    await at.useCases.refuseSubscription.execute({
      token,
      source: { via: 'x', clientAddress: undefined, userAgent: undefined },
    })
    expect((await checkAddresses(at, ['ada@example.com'])).blocked).toEqual([])
  })

  it('takes 1 to 1,000 addresses, from who may check them', async () => {
    const at = openMemoryService()
    const many = Array.from({ length: 1_001 }, (_, n) => `n${n}@example.com`)
    expect((await checkAddresses(at, many.slice(1))).blocked).toEqual([])
    for (const addresses of [[], many, [1], [null]])
      await expect(checkAddresses(at, addresses)).rejects.toBeInstanceOf(InvalidInput)
    await expect(checkAddresses(at, many, AUDITOR)).rejects.toBeInstanceOf(InsufficientPermissions)
  })
})
