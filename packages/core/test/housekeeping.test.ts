import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  CheckReadinessUseCase,
  DAY,
  type ListAuditCommand,
  MailRefusedPermanently,
  MINUTE,
  SubscriptionNotFound,
  type WebhookName,
} from '../src/index.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  confirm,
  consentsOf,
  deliver,
  mailedToken,
  mailsOf,
  NO_ROLES,
  outboxOf,
  putUser,
  stored,
  subscribe,
} from './cast.ts'

describe('expiring subscriptions', () => {
  it('removes pending ones with their data, mails and consent once their links have expired', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await deliver(at)
    await subscribe(at, 'bob@example.com')
    at.clock.advance(7 * DAY - 1)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 0, more: false })
    at.clock.advance(1)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 2, more: false })
    await expect(stored(at, id)).rejects.toBeInstanceOf(SubscriptionNotFound)
    expect([mailsOf(at), await outboxOf(at), await consentsOf(at, id)]).toEqual([[], [], []])
  })

  it('ends one again whose owner had left before, and takes the mails of the form that was not followed', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    await at.useCases.endOnBehalf.execute({ subscriptionId: `${id}`, reason: 'by letter' }, ADMIN)
    at.clock.advance(DAY)
    await subscribe(at, 'ada@example.com')
    await deliver(at)
    at.clock.advance(7 * DAY)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 1, more: false })
    expect(await stored(at, id)).toMatchObject({ status: 'ended' })
    expect(mailsOf(at)).toEqual([])
  })

  it('forgets what links in mails about several feeds stood for, once they have expired', async () => {
    const at = openMemoryService()
    for (const name of ['a', 'b']) await at.useCases.putFeed.execute({ name }, ADMIN)
    const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
    await at.useCases.subscribe.execute({ email: 'ada@example.com', feeds: ['a', 'b'], source })
    await confirm(at, await mailedToken(at, 'confirm'))
    const [entry] = mailsOf(at)
    const group = /\.g([0-9a-f]{16})\./.exec(entry?.links.confirm ?? '')?.[1] ?? ''
    const members = () => at.storage.readers.signUpGroups.membersOf([group])
    expect((await members()).get(group)).toHaveLength(2)
    at.clock.advance(7 * DAY + 1)
    expect((await at.useCases.expireSubscriptions.execute()).count).toBe(0)
    expect(await members()).toEqual(new Map())
  })

  it('goes in bounded batches, and says whether there may be more', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 150; n++) await subscribe(at, `a${n}@example.com`)
    at.clock.advance(7 * DAY)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 100, more: true })
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 50, more: false })
  })

  it('forgets mail caps that no longer count, in bounded batches too', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 100; n++) {
      await subscribe(at, `a${n}@example.com`)
      await confirm(at, await mailedToken(at, 'confirm'))
    }
    at.clock.advance(7 * DAY)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 0, more: false })
    at.clock.advance(1)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 0, more: true })
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 0, more: false })
  })
})

describe('readiness', () => {
  const readiness = (at = openMemoryService()) => ({ at, check: () => at.useCases.checkReadiness.execute() })
  const OK = { ready: true, storage: 'ok', outbox: 'ok' }

  it('is there while storage answers and mails go out', async () => {
    const { at, check } = readiness()
    expect(await check()).toEqual(OK)
    await subscribe(at, 'ada@example.com')
    expect(await check()).toEqual(OK)
    at.clock.advance(MINUTE)
    expect(await check()).toEqual(OK)
  })

  it('is over when mails have been due for more than a minute and no worker here takes them', async () => {
    const { at, check } = readiness()
    await subscribe(at, 'ada@example.com')
    at.clock.advance(MINUTE + 1)
    expect(await check()).toEqual({ ready: false, storage: 'ok', outbox: 'stuck' })
    await deliver(at)
    expect(await check()).toEqual(OK)
  })

  it('is there while this instance works, however long the queue is', async () => {
    const { at, check } = readiness()
    for (let n = 0; n < 3; n++) await subscribe(at, `a${n}@example.com`)
    at.clock.advance(10 * MINUTE)
    await deliver(at, 1)
    expect(await check()).toEqual(OK)
  })

  it('shows mails that wait for a person, and is there all the same', async () => {
    const { at, check } = readiness()
    at.transport.otherSide = async () => {
      throw new MailRefusedPermanently('no')
    }
    await subscribe(at, 'ada@example.com')
    await deliver(at)
    at.clock.advance(DAY)
    expect(await check()).toEqual({ ready: true, storage: 'ok', outbox: 'parked' })
  })

  it('is over when requests have waited for more than a minute, and shows those that wait for a person', async () => {
    const { at, check } = readiness()
    const asked = { kind: 'trap', feed: undefined } as const
    await at.storage.unitOfWork.run(({ requests }) => requests.add({ at: at.clock.now(), address: undefined, asked }))
    at.clock.advance(MINUTE)
    expect(await check()).toEqual(OK)
    at.clock.advance(1)
    expect(await check()).toEqual({ ready: false, storage: 'ok', outbox: 'stuck' })
    await at.storage.unitOfWork.run(async ({ requests }) => {
      for (const { id } of await requests.take(1)) await requests.park(id, at.clock.now(), 'broken')
    })
    expect(await check()).toEqual({ ready: true, storage: 'ok', outbox: 'parked' })
  })

  it('shows a webhook that has taken nothing for ten minutes, and is there all the same', async () => {
    const { at, check } = readiness()
    const name = 'shop' as WebhookName
    const failed = { cursor: 0, failures: 1, failingSince: at.clock.now(), pausedUntil: 0 }
    await at.useCases.putWebhook.execute({ name, url: 'https://shop.example/' }, ADMIN)
    await at.storage.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.putProgress(name, failed))
    at.clock.advance(10 * MINUTE - 1)
    expect(await check()).toEqual(OK)
    at.clock.advance(1)
    expect(await check()).toEqual({ ready: true, storage: 'ok', outbox: 'failing' })
  })

  it('is over while storage is down', async () => {
    const { at, check } = readiness()
    await at.storage.close()
    expect(await check()).toEqual({ ready: false, storage: 'down', outbox: 'ok' })
  })

  it('asks no more of the world than what waits', async () => {
    const at = openMemoryService()
    const outbox = { health: async () => ({ parked: false, dueSince: 0 }) }
    const queues = [{ pending: outbox, worker: { lastRound: undefined } }]
    const { requests, webhookDeliveries: webhooks } = at.storage.readers
    const check = new CheckReadinessUseCase({ queues, requests, webhooks, clock: at.clock })
    expect((await check.execute()).outbox).toBe('stuck')
  })
})

describe('the outbox in the hands of a person', () => {
  const parked = async () => {
    const at = openMemoryService()
    at.transport.otherSide = async ({ to }) => {
      if (to.startsWith('bad')) throw new MailRefusedPermanently('no')
      throw new Error('busy')
    }
    for (const name of ['bad', 'good']) await subscribe(at, `${name}@example.com`)
    await deliver(at)
    return at
  }

  it('is listed, parked mails apart', async () => {
    const at = await parked()
    const list = async (command: object, who = AUDITOR) => (await at.useCases.listOutbox.execute(command, who)).items
    expect(await list({})).toHaveLength(2)
    expect(await list({ parked: true })).toMatchObject([{ lastError: 'no' }])
    expect(await list({ parked: false, limit: 1 })).toMatchObject([{ lastError: 'busy' }])
    await expect(list({}, NO_ROLES)).rejects.toThrow("Reading the outbox requires the 'admin' or 'auditor' role.")
  })

  it('is tried again when asked to, which is recorded where there is such a mail', async () => {
    const at = await parked()
    const [entry] = await outboxOf(at)
    const retry = (id: number, who = ADMIN) => at.useCases.retryOutbox.execute({ id }, who)
    expect([await retry(entry?.id ?? 0), await retry(99)]).toEqual([true, false])
    expect(await auditOf(at)).toMatchObject([{ action: 'outbox.retry', target: String(entry?.id) }])
    expect((await deliver(at)).claimed).toBe(1)
    await expect(retry(1, AUDITOR)).rejects.toThrow("Retrying undelivered mails and events requires the 'admin' role.")
  })
})

describe('the audit trail', () => {
  it('is read by who may, oldest first', async () => {
    const at = openMemoryService()
    for (const id of ['a', 'b', 'c']) await putUser(at, id)
    const { items, next } = await at.useCases.listAudit.execute({ limit: 2 }, AUDITOR)
    expect([items.map(({ target }) => target), next]).toEqual([['a', 'b'], 2])
    await expect(at.useCases.listAudit.execute({}, NO_ROLES)).rejects.toThrow('Reading the audit trail requires')
  })

  it('is narrowed down by what was done, to what and since when, in both orders and page by page', async () => {
    const at = openMemoryService()
    for (const id of ['a', 'b', 'a', 'c']) {
      await putUser(at, id)
      at.clock.advance(60_000)
    }
    await at.useCases.deleteUser.execute({ userId: 'a' }, ADMIN)
    const numbersOf = async (command: ListAuditCommand) => {
      const found: (number | undefined)[] = []
      let cursor: string | undefined
      do {
        const { items, next } = await at.useCases.listAudit.execute({ ...command, limit: 1, cursor }, AUDITOR)
        found.push(...items.map(({ sequence }) => sequence))
        cursor = next?.toString()
      } while (cursor !== undefined)
      return found
    }
    for (const [command, numbers] of [
      [{}, [1, 2, 3, 4, 5]],
      [{ target: 'a' }, [1, 3, 5]],
      [{ target: 'a', action: 'user.put' }, [1, 3]],
      [{ action: 'user.delete' }, [5]],
      [{ since: '2026-01-01T00:02:00Z' }, [3, 4, 5]],
      [{ since: '2026-01-01', target: 'nobody' }, []],
    ] as const) {
      expect(await numbersOf(command)).toEqual(numbers)
      expect(await numbersOf({ ...command, sort: 'newest' })).toEqual(numbers.toReversed())
    }
    for (const wrong of [{ since: 'yesterday' }, { sort: 'other' }])
      await expect(at.useCases.listAudit.execute(wrong, AUDITOR)).rejects.toMatchObject({ name: 'InvalidInput' })
  })
})
