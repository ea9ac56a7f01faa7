import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  DAY,
  DeliverOutboxUseCase,
  HOUR,
  LEASE,
  LinkTokens,
  type Mail,
  MailRefusedForGood,
  MINUTE,
  SECOND,
} from '../src/index.ts'
import {
  ADMIN,
  confirm,
  deliver,
  mailedToken,
  mailsOf,
  outboxOf,
  refuse,
  type Service,
  subscribe,
  unsubscribe,
} from './cast.ts'

const EMAIL = 'ada@example.com'
const REFUSED = new MailRefusedForGood('550 5.1.1 <ada@example.com>: no such user')
const withMail = async (email = EMAIL) => {
  const at = openMemoryService()
  const { id } = await subscribe(at, email)
  return { at, id }
}
const failWith = (at: Service, error: unknown) => {
  at.transport.otherSide = async () => {
    throw error
  }
}
const heal = (at: Service) => {
  at.transport.otherSide = async () => {}
}
const erase = async (at: Service, id: number) =>
  at.storage.unitOfWork.run(async ({ outbox, subscriptions }) => {
    const found = await subscriptions.find(id)
    if (found?.lastMail !== undefined) await outbox.remove(found.lastMail)
    await subscriptions.erase(id)
  })
const anotherWorker = ({ ports }: Service) =>
  new DeliverOutboxUseCase({ ...ports, tokens: new LinkTokens(ports.digests), publicUrl: 'https://rollcall.example' })
const kept = ({ storage }: Service, id: number) => storage.unitOfWork.run(({ keptMails }) => keptMails.list(id))

describe('delivering the outbox', () => {
  it('does nothing where nothing is due', async () => {
    expect(await deliver(openMemoryService())).toEqual({ claimed: 0, sent: 0, failures: [] })
  })

  it('sends what is owed once, and remembers what the transport keeps', async () => {
    const { at, id } = await withMail()
    expect(await deliver(at)).toEqual({ claimed: 1, sent: 1, failures: [] })
    expect(await deliver(at)).toEqual({ claimed: 0, sent: 0, failures: [] })
    expect(mailsOf(at)).toHaveLength(1)
    expect(await kept(at, id)).toEqual([mailsOf(at)[0]?.messageId])
    expect(mailsOf(at)[0]?.messageId.startsWith(`${id.toString(36)}.`)).toBe(true)
  })

  it('sends to the address as submitted, its domain as A-labels, in the language of the subscription', async () => {
    const at = openMemoryService()
    await subscribe(at, "O'Hara@BÜCHER.example", { locale: 'de' })
    await deliver(at)
    expect(mailsOf(at)).toMatchObject([{ to: "O'Hara@xn--bcher-kva.example", locale: 'de' }])
  })

  it('sends no more than the limit at once, and no more at a time than the transport takes', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 20; n++) await subscribe(at, `a${n}@example.com`)
    let [now, most] = [0, 0]
    at.transport.otherSide = async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve))
      now--
    }
    expect(await deliver(at, 15)).toMatchObject({ claimed: 15, sent: 15 })
    expect(await deliver(at, 15)).toMatchObject({ claimed: 5, sent: 5 })
    expect(most).toBe(at.transport.concurrency)
  })

  it('tells when it last came to the end of a round', async () => {
    const { at } = await withMail()
    expect(at.useCases.deliverOutbox.lastRound).toBeUndefined()
    await deliver(at)
    expect(at.useCases.deliverOutbox.lastRound).toBe(at.clock.now())
  })
})

describe('a mail that fails for now', () => {
  it('is the same message at each try, with longer and longer waits', async () => {
    const { at } = await withMail()
    const seen: Mail[] = []
    at.transport.otherSide = async (mail) => {
      seen.push(mail)
      throw new Error('451 try again')
    }
    const waits: number[] = []
    for (let n = 0; n < 6; n++) {
      const round = await deliver(at)
      expect(round).toMatchObject({ claimed: 1, sent: 0, failures: [{ parked: false }] })
      const [entry] = await outboxOf(at)
      expect(entry).toMatchObject({ attempts: n + 1, lastError: '451 try again', parkedAt: undefined })
      waits.push((entry?.notBefore ?? 0) - at.clock.now())
      at.clock.advance(waits.at(-1)! - 1)
      expect((await deliver(at)).claimed).toBe(0)
      at.clock.advance(1)
    }
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(2.5 * SECOND * 2 ** n)
      expect(wait).toBeLessThanOrEqual(5 * SECOND * 2 ** n)
    }
    expect(new Set(seen.map((mail) => JSON.stringify(mail))).size).toBe(1)
    heal(at)
    expect((await deliver(at)).sent).toBe(1)
    expect(await outboxOf(at)).toEqual([])
  })

  it('waits for a person after two days', async () => {
    const { at } = await withMail()
    failWith(at, new Error('busy'))
    for (let hours = 0; hours < 48; hours++) {
      expect((await deliver(at)).failures).toMatchObject([{ parked: false }])
      at.clock.advance(HOUR)
    }
    expect((await deliver(at)).failures).toMatchObject([{ parked: true, entry: { kind: 'confirmation' } }])
    expect(await outboxOf(at)).toMatchObject([{ parkedAt: at.clock.now(), lastError: 'busy', attempts: 49 }])
    at.clock.advance(DAY)
    expect((await deliver(at)).claimed).toBe(0)
  })

  it('counts once against the caps, however often it was tried', async () => {
    const { at } = await withMail()
    failWith(at, new Error('busy'))
    for (let n = 0; n < 5; n++) {
      await deliver(at)
      at.clock.advance(HOUR)
    }
    heal(at)
    await deliver(at)
    for (let n = 0; n < 2; n++) {
      at.clock.advance(HOUR)
      await subscribe(at, EMAIL)
      expect((await deliver(at)).sent).toBe(1)
    }
  })
})

describe('a mail that is refused for good', () => {
  it('waits for a person at once, who may have it tried again', async () => {
    const { at } = await withMail()
    failWith(at, REFUSED)
    expect((await deliver(at)).failures).toMatchObject([{ parked: true, error: REFUSED }])
    const [entry] = await outboxOf(at)
    expect(entry).toMatchObject({ parkedAt: at.clock.now(), lastError: '550 5.1.1 <<address>>: no such user' })
    heal(at)
    expect(await at.useCases.retryOutbox.execute({ id: entry?.id ?? 0 }, ADMIN)).toBe(true)
    expect((await deliver(at)).sent).toBe(1)
    expect(mailsOf(at)[0]?.messageId).toBe(entry?.messageId)
  })

  it('does not count against the caps', async () => {
    const { at } = await withMail()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    failWith(at, REFUSED)
    await deliver(at)
    heal(at)
    await subscribe(at, EMAIL, { feed: 'news' })
    expect((await deliver(at)).sent).toBe(1)
  })

  it('keeps no address in what it says, at any length', async () => {
    const saids: Record<string, string> = {
      "relay said: <O'Hara+x@Example.com> unknown; try ada@xn--bcher-kva.example":
        'relay said: <<address>> unknown; try <address>',
      'mailto:ada@example.com.\r\n\tBye': 'mailto:<address> Bye',
      'ädä@bücher.example, ada@': '<address>, <address>',
      '\ud800broken': '\ufffdbroken',
    }
    for (const [said, lastError] of Object.entries(saids)) {
      const { at } = await withMail()
      failWith(at, new Error(said))
      await deliver(at)
      expect((await outboxOf(at))[0]?.lastError).toBe(lastError)
    }
    for (const said of [`${'no '.repeat(331)}johnathan@example.com`, 'x'.repeat(5_000_000), 'a@b '.repeat(5_000)]) {
      const { at } = await withMail()
      failWith(at, new Error(said))
      await deliver(at)
      const lastError = (await outboxOf(at))[0]?.lastError ?? ''
      expect(lastError.length).toBeLessThanOrEqual(500)
      expect(lastError).not.toMatch(/john|a@b/)
    }
  })

  it('says what was thrown where that was no error', async () => {
    const { at } = await withMail()
    failWith(at, 'just a text')
    expect((await deliver(at)).failures).toMatchObject([{ error: 'just a text', parked: false }])
    expect((await outboxOf(at))[0]?.lastError).toBe('just a text')
  })
})

describe('one bad mail', () => {
  it('stops no other', async () => {
    const at = openMemoryService()
    for (const name of ['a', 'bad', 'c', 'worse', 'e']) await subscribe(at, `${name}@example.com`)
    at.transport.otherSide = async ({ to }) => {
      if (to.startsWith('bad')) throw new Error('busy')
      if (to.startsWith('worse')) throw REFUSED
    }
    expect(await deliver(at)).toMatchObject({ claimed: 5, sent: 3, failures: [{ parked: false }, { parked: true }] })
    expect(mailsOf(at).map(({ to }) => to[0])).toEqual(['a', 'c', 'e'])
  })
})

describe('the caps on mails to one address', () => {
  it('hold back the mail of a second feed until it is allowed, without counting an attempt', async () => {
    const { at } = await withMail()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, EMAIL.toUpperCase(), { feed: 'news' })
    expect(await deliver(at)).toMatchObject({ claimed: 2, sent: 1, failures: [] })
    expect(await outboxOf(at)).toMatchObject([{ attempts: 0, notBefore: at.clock.now() + 10 * MINUTE }])
    at.clock.advance(10 * MINUTE - 1)
    expect((await deliver(at)).claimed).toBe(0)
    at.clock.advance(1)
    expect((await deliver(at)).sent).toBe(1)
    expect(mailsOf(at).map(({ feed }) => feed.name)).toEqual(['default', 'news'])
  })

  it('let through six mails a week at most, over all feeds, and drop those whose link has expired meanwhile', async () => {
    const { at } = await withMail()
    for (let n = 0; n < 20; n++) {
      await at.useCases.putFeed.execute({ name: `feed-${n}` }, ADMIN)
      await subscribe(at, EMAIL, { feed: `feed-${n}` })
    }
    for (let minutes = 0; minutes < 7 * 24 * 60; minutes += 10) {
      await deliver(at)
      at.clock.advance(10 * MINUTE)
    }
    expect(mailsOf(at)).toHaveLength(6)
    await deliver(at)
    expect(await outboxOf(at)).toEqual([])
  })

  it('hold back for no longer than that when the clock was set back', async () => {
    const { at } = await withMail()
    await deliver(at)
    at.clock.advance(-30 * DAY)
    await subscribe(at, EMAIL, { feed: (await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)).feed.name })
    expect((await deliver(at)).sent).toBe(0)
    at.clock.advance(10 * MINUTE)
    expect((await deliver(at)).sent).toBe(1)
  })

  it('of one address do not hold back another', async () => {
    const { at } = await withMail()
    await subscribe(at, 'bob@example.com')
    expect((await deliver(at)).sent).toBe(2)
  })
})

describe('a mail that has nothing to say any more', () => {
  it.each<[why: string, change: (at: Service, id: number) => Promise<unknown>]>([
    ['its link has expired', async (at) => at.clock.advance(7 * DAY)],
    [
      'its subscription is gone',
      async (at, id) => at.storage.unitOfWork.run(({ subscriptions }) => subscriptions.erase(id)),
    ],
    [
      'its subscription was confirmed otherwise',
      async (at, id) =>
        at.storage.unitOfWork.run(async ({ subscriptions }) => {
          const found = await subscriptions.find(id)
          if (found) await subscriptions.put({ ...found, status: 'confirmed' })
        }),
    ],
  ])('is dropped: %s', async (_why, change) => {
    const { at, id } = await withMail()
    await change(at, id)
    expect(await deliver(at)).toEqual({ claimed: 1, sent: 0, failures: [] })
    expect([mailsOf(at), await outboxOf(at)]).toEqual([[], []])
  })

  it('is dropped when its feed is gone', async () => {
    const { at } = await withMail()
    const { run } = at.storage.unitOfWork
    Object.assign(at.storage.unitOfWork, {
      run: (work: Parameters<typeof run>[0]) =>
        run((stores) => work({ ...stores, feeds: { ...stores.feeds, find: async () => undefined } })),
    })
    expect(await deliver(at)).toEqual({ claimed: 1, sent: 0, failures: [] })
    expect(await outboxOf(at)).toEqual([])
  })

  it('is dropped when its address was refused on another feed', async () => {
    const { at } = await withMail()
    const token = await mailedToken(at, 'refuse')
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL, { feed: 'news' })
    await refuse(at, token)
    expect(await deliver(at)).toEqual({ claimed: 1, sent: 0, failures: [] })
    expect(mailsOf(at)).toHaveLength(1)
  })
})

describe('a mail on its way', () => {
  it('is forgotten by the transport if its subscription was erased meanwhile', async () => {
    const { at, id } = await withMail()
    at.transport.otherSide = () => erase(at, id)
    expect((await deliver(at)).sent).toBe(1)
    expect(mailsOf(at)).toEqual([])
    expect(await kept(at, id)).toEqual([])
  })

  it('is not tried again if its subscription was erased or ended meanwhile', async () => {
    const { at, id } = await withMail()
    at.transport.otherSide = async () => {
      await erase(at, id)
      throw new Error('busy')
    }
    expect((await deliver(at)).failures).toHaveLength(1)
    expect(await outboxOf(at)).toEqual([])
    const { at: there } = await withMail()
    there.transport.otherSide = async ({ links }) => {
      await unsubscribe(there, links.unsubscribe.split('/').at(-1) ?? '')
      throw REFUSED
    }
    await deliver(there)
    expect(await outboxOf(there)).toEqual([])
  })

  it('is not remembered where the transport keeps nothing', async () => {
    const { at, id } = await withMail()
    Object.assign(at.transport, { keepsMails: false })
    expect((await deliver(at)).sent).toBe(1)
    expect(await kept(at, id)).toEqual([])
  })

  it('is sent by one of two workers only, as long as its lease is renewed', async () => {
    const { at } = await withMail()
    const other = anotherWorker(at)
    const claimedByOther: number[] = []
    at.transport.otherSide = async () => {
      for (let n = 0; n < 3; n++) {
        at.clock.advance(LEASE - 1)
        await at.useCases.deliverOutbox.renewLeases()
        claimedByOther.push((await other.execute({ limit: 9 })).claimed)
      }
    }
    await deliver(at)
    expect(claimedByOther).toEqual([0, 0, 0])
  })

  it('is taken over by another worker once its lease has run out, as the same message', async () => {
    const { at } = await withMail()
    const other = anotherWorker(at)
    let first = true
    const seen: string[] = []
    at.transport.otherSide = async ({ messageId }) => {
      seen.push(messageId)
      if (!first) return
      first = false
      at.clock.advance(LEASE)
      expect(await other.execute({ limit: 9 })).toMatchObject({ claimed: 1, sent: 1 })
      throw new Error('too late')
    }
    await deliver(at)
    expect(new Set(seen).size).toBe(1)
    expect(seen).toHaveLength(2)
    expect(await outboxOf(at)).toEqual([])
  })

  it('is due again if what became of it could not be written down', async () => {
    const { at } = await withMail()
    const { run } = at.storage.unitOfWork
    at.transport.otherSide = async () => {
      Object.assign(at.storage.unitOfWork, { run: () => Promise.reject(new Error('storage down')) })
    }
    await expect(deliver(at)).rejects.toThrow('storage down')
    Object.assign(at.storage.unitOfWork, { run })
    heal(at)
    expect((await deliver(at)).claimed).toBe(0)
    at.clock.advance(LEASE)
    expect((await deliver(at)).sent).toBe(1)
    expect(mailsOf(at)).toHaveLength(1)
  })

  it('that confirms can be confirmed while it is sent', async () => {
    const { at } = await withMail()
    at.transport.otherSide = async ({ links }) => {
      await confirm(at, links.confirm?.split('/').at(-1) ?? '')
    }
    expect((await deliver(at)).sent).toBe(1)
    expect(await outboxOf(at)).toEqual([])
  })
})
