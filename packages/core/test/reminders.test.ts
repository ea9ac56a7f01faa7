import { describe, expect, it } from 'vitest'
import { memoryDigests, openMemoryService } from '../memory/index.ts'
import {
  addressHash,
  DAY,
  HOUR,
  InvalidInput,
  MINUTE,
  parseRemindAfter,
  publishedAboutAddress,
  publishedFeed,
} from '../src/index.ts'
import {
  ADMIN,
  confirm,
  deliver,
  lastMailOf,
  mailsOf,
  outboxOf,
  refuse,
  type Service,
  SOURCE,
  subscribe,
  tokenIn,
  unsubscribe,
} from './cast.ts'
import { EMAIL, failWith, heal, REFUSED } from './deliveries.ts'

const DIGESTS = memoryDigests('a secret for tests')
const HASH = addressHash(DIGESTS, EMAIL)

const remind = async (at: Service): Promise<number> => (await at.useCases.queueReminders.execute()).count
const kindsOf = (at: Service) => mailsOf(at).map(({ kind }) => kind)
const plannedOf = (at: Service, id: number) => at.storage.unitOfWork.run(({ reminders }) => reminders.find(id))
const lastReminded = (at: Service) => at.storage.unitOfWork.run(({ reminders }) => reminders.lastOf(HASH, 'reminder'))
const setFeed = (at: Service, name: string, remindAfter: string | null) =>
  at.useCases.patchFeed.execute({ name, remindAfter }, ADMIN)

const withReminders = async (remindAfter = '2d', settings: Parameters<typeof openMemoryService>[0] = {}) => {
  const at = openMemoryService(settings)
  await at.useCases.putFeed.execute({ name: 'default', remindAfter }, ADMIN)
  return { at }
}

/** A pending subscription whose mail the relay has taken. */
const asked = async (...given: Parameters<typeof withReminders>) => {
  const { at } = await withReminders(...given)
  const { id } = await subscribe(at, EMAIL)
  await deliver(at)
  return { at, id }
}

/** The same once its reminder is in the outbox. */
const queued = async () => {
  const { at, id } = await asked()
  at.clock.advance(2 * DAY)
  expect(await remind(at)).toBe(1)
  return { at, id }
}

describe('remind_after of a feed', () => {
  it('is in the record only where it is set, as it was written, and is off by default', async () => {
    const at = openMemoryService()
    const record = async () => publishedFeed(await at.useCases.getFeed.execute({ name: 'default' }, ADMIN))
    expect(await record()).not.toHaveProperty('remind_after')
    for (const span of ['1h', '36h', '2d', '6d']) {
      await setFeed(at, 'default', span)
      expect(await record()).toMatchObject({ remind_after: span })
    }
    await setFeed(at, 'default', '48h')
    expect(await record()).toMatchObject({ remind_after: '2d' })
    await at.useCases.patchFeed.execute({ name: 'default', title: 'News' }, ADMIN)
    expect(await record()).toMatchObject({ remind_after: '2d', title: 'News' })
    await setFeed(at, 'default', null)
    expect(await record()).not.toHaveProperty('remind_after')
    await setFeed(at, 'default', '2d')
    await at.useCases.putFeed.execute({ name: 'default' }, ADMIN)
    expect(await record()).not.toHaveProperty('remind_after')
  })

  it('is from 1h to 6d, in hours or days', () => {
    expect([parseRemindAfter(undefined), parseRemindAfter(''), parseRemindAfter('144h')]).toEqual([
      undefined,
      undefined,
      6 * DAY,
    ])
    for (const text of ['0h', '7d', '145h', '90m', '3600', '2 d', '2D', '1.5d', '-1h', '01h', ' ', 'P2D', '1h\n'])
      expect(() => parseRemindAfter(text), text).toThrow(InvalidInput)
  })
})

describe('remind_after where links to confirm are short-lived', () => {
  const problem = async (linkLife: number, remindAfter: string) => {
    const at = openMemoryService({ linkLife })
    const refused = (change: Promise<unknown>) =>
      change.then(
        () => 'taken',
        (error: unknown) => (error instanceof InvalidInput ? error.details[0]?.message : String(error)),
      )
    const put = await refused(at.useCases.putFeed.execute({ name: 'default', remindAfter }, ADMIN))
    expect(await refused(setFeed(at, 'default', remindAfter))).toBe(put)
    if (put !== 'taken') return put
    const { id } = await subscribe(at, EMAIL)
    await deliver(at)
    return (await plannedOf(at, id)) ? 'taken, and planned' : put
  }

  it('is refused where no reminder could ever be sent, and says how long it may be', async () => {
    const SENTENCE = (life: string, remedy: string) =>
      `No reminder could be sent: links to confirm live for ${life}, and one must be good for a day when it comes. ${remedy}, or have links live longer.`
    expect(await problem(2 * DAY, '2d')).toBe(SENTENCE('2d', 'Give 1d at most'))
    expect(await problem(12 * HOUR, '1h')).toBe(SENTENCE('12h', 'Leave it out'))
    expect(await problem(36.5 * HOUR, '14h')).toBe(SENTENCE('2190m', 'Give 13h at most'))
  })

  it('is taken where one can be sent, if sooner by up to an hour', async () => {
    for (const [life, span] of [
      [7 * DAY, '6d'],
      [2 * DAY, '1d'],
      [36.5 * HOUR, '13h'],
    ] as const)
      expect(await problem(life, span)).toBe('taken, and planned')
  })
})

describe('a reminder', () => {
  it('comes so long after the relay took the mail: of the same episode, with the same links and a Message-ID of its own', async () => {
    const { at, id } = await withReminders().then(async ({ at }) => ({ at, id: (await subscribe(at, EMAIL)).id }))
    at.clock.advance(HOUR)
    expect(await plannedOf(at, id)).toBeUndefined()
    await deliver(at)
    expect(await plannedOf(at, id)).toMatchObject({ id, remindAt: at.clock.now() + 2 * DAY })
    at.clock.advance(2 * DAY - 1)
    expect(await remind(at)).toBe(0)
    at.clock.advance(1)
    expect(await remind(at)).toBe(1)
    expect(await outboxOf(at)).toMatchObject([{ kind: 'reminder', subscriptionId: id, address: HASH }])
    await deliver(at)
    const [first, second] = mailsOf(at)
    expect([second?.kind, second?.to, second?.links]).toEqual(['reminder', first?.to, first?.links])
    expect(second?.messageId).not.toBe(first?.messageId)
    await confirm(at, tokenIn(lastMailOf(at), 'confirm'))
  })

  it('notifies the outbox, and is not counted as mailed again', async () => {
    const { at } = await asked()
    at.clock.advance(2 * DAY)
    await remind(at)
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation', 'reminder'])
    expect(await at.useCases.readers.numbers.ever()).toContainEqual({ what: 'mailed', count: 1 })
  })

  it('comes once in an episode, and once in 30 days to a mailbox, whatever is signed up', async () => {
    const { at } = await queued()
    await deliver(at)
    await subscribe(at, EMAIL)
    await deliver(at)
    at.clock.advance(DAY)
    await at.useCases.putFeed.execute({ name: 'weekly', remindAfter: '1h' }, ADMIN)
    await subscribe(at, 'Ada+other@example.com', { feed: 'weekly' })
    await deliver(at)
    at.clock.advance(3 * DAY)
    expect(await remind(at)).toBe(0)
    expect(kindsOf(at)).toEqual(['confirmation', 'reminder', 'confirmation', 'confirmation'])
    at.clock.advance(26 * DAY)
    await at.useCases.expireSubscriptions.execute()
    await subscribe(at, 'ada+third@example.com')
    await deliver(at)
    at.clock.advance(2 * DAY)
    expect(await remind(at)).toBe(1)
  })

  it('is forgotten 30 days later', async () => {
    const { at } = await queued()
    expect(await lastReminded(at)).toBe(at.clock.now())
    at.clock.advance(30 * DAY)
    await at.useCases.queueReminders.execute()
    expect(await lastReminded(at)).toBeDefined()
    at.clock.advance(1)
    await at.useCases.queueReminders.execute()
    expect(await lastReminded(at)).toBeUndefined()
  })

  it('needs a mail that the relay took', async () => {
    const { at } = await withReminders('1h')
    const { id } = await subscribe(at, EMAIL)
    failWith(at, new Error('greylisted'))
    await deliver(at)
    at.clock.advance(DAY)
    expect([await plannedOf(at, id), await remind(at)]).toEqual([undefined, 0])
    failWith(at, REFUSED)
    await deliver(at)
    at.clock.advance(DAY)
    expect([await plannedOf(at, id), await remind(at)]).toEqual([undefined, 0])
  })

  it('is planned again where the mail is sent again: it comes so long after the last one', async () => {
    const { at, id } = await asked()
    at.clock.advance(DAY)
    await subscribe(at, EMAIL)
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation', 'confirmation'])
    expect(await plannedOf(at, id)).toMatchObject({ remindAt: at.clock.now() + 2 * DAY })
  })

  it('comes as much sooner as leaves a day of link, up to an hour, and else not at all', async () => {
    const late = await asked('6d')
    const { expiresAt = 0, remindAt = 0 } = (await plannedOf(late.at, late.id)) ?? {}
    expect([expiresAt - remindAt >= DAY, late.at.clock.now() + 6 * DAY - remindAt <= HOUR]).toEqual([true, true])
    late.at.clock.advance(remindAt - late.at.clock.now())
    expect(await remind(late.at)).toBe(1)
    // Links lived longer when the feed was set so.
    const { at } = await withReminders('1h', { linkLife: 2 * DAY })
    const feed = await at.useCases.getFeed.execute({ name: 'default' }, ADMIN)
    await at.storage.unitOfWork.run(({ feeds }) => feeds.put({ ...feed, remindAfter: 2 * DAY }))
    const { id } = await subscribe(at, EMAIL)
    await deliver(at)
    expect(await plannedOf(at, id)).toBeUndefined()
  })

  it('is dropped where less than a day of link is left by the time that it is queued, or sent', async () => {
    const one = await asked()
    one.at.clock.advance(6 * DAY + 1)
    expect([await remind(one.at), await plannedOf(one.at, one.id)]).toEqual([0, undefined])
    const { at } = await queued()
    at.clock.advance(4 * DAY)
    await deliver(at)
    expect([kindsOf(at), await outboxOf(at)]).toEqual([['confirmation'], []])
  })
})

describe('no reminder comes', () => {
  const none = async ({ at }: { at: Service }) => {
    at.clock.advance(2 * DAY)
    expect(await remind(at)).toBe(0)
    await deliver(at)
    expect(kindsOf(at)).not.toContain('reminder')
  }

  it('to who has confirmed, refused or ended, nor to another episode', async () => {
    for (const answer of ['confirm', 'refuse', 'unsubscribe'] as const) {
      const one = await asked()
      const token = tokenIn(lastMailOf(one.at), answer)
      await { confirm, refuse, unsubscribe }[answer](one.at, token)
      await none(one)
    }
    const { at } = await asked()
    await unsubscribe(at, tokenIn(lastMailOf(at), 'unsubscribe'))
    at.clock.advance(DAY)
    await subscribe(at, EMAIL)
    at.clock.advance(DAY)
    expect(await remind(at)).toBe(0)
  })

  it('where the feed has turned them off, or is being deleted', async () => {
    const off = await asked()
    await setFeed(off.at, 'default', null)
    await none(off)
    const going = await asked()
    await going.at.storage.unitOfWork.run(async ({ feeds }) => {
      const feed = (await feeds.find('default' as never))!
      await feeds.put({ ...feed, deletingSince: 1 })
    })
    await none(going)
  })

  it('where the address is suppressed, blocked or undeliverable', async () => {
    for (const cause of ['refused', 'never-again', 'complaint', 'blocked'] as const) {
      const one = await asked()
      await one.at.storage.unitOfWork.run(({ suppressions }) => suppressions.add(HASH, { cause, since: 1 }))
      await none(one)
    }
    const gone = await asked()
    const item = { kind: 'bounce', address: EMAIL, status: '5.1.1', permanent: true }
    await gone.at.useCases.recordFeedback.execute({ items: [item] } as never, ADMIN)
    await none(gone)
  })
})

describe('a reminder that waits in the outbox', () => {
  it('is withdrawn by confirming, refusing, ending and erasing', async () => {
    for (const answer of ['confirm', 'refuse', 'unsubscribe'] as const) {
      const { at } = await queued()
      await { confirm, refuse, unsubscribe }[answer](at, tokenIn(lastMailOf(at), answer))
      expect(await outboxOf(at)).toEqual([])
    }
    const { at, id } = await queued()
    await at.useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)
    expect(await outboxOf(at)).toEqual([])
  })

  it('is the copy that whoever signs up again asks for: it is owed from then on', async () => {
    const { at } = await queued()
    at.clock.advance(1)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toHaveLength(1)
    await setFeed(at, 'default', null)
    const slot = { at: at.clock.now(), messageId: 'another' }
    await at.storage.unitOfWork.run(({ mailCaps }) => mailCaps.put(new Map([[HASH, [slot]]])))
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation'])
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    expect([kindsOf(at), await outboxOf(at)]).toEqual([['confirmation', 'confirmation'], []])
  })

  it('is the copy also where one of its feeds is asked for again', async () => {
    const at = openMemoryService()
    const feeds = ['daily', 'weekly']
    for (const name of feeds) await at.useCases.putFeed.execute({ name, remindAfter: '1h' }, ADMIN)
    await at.useCases.subscribe.execute({ email: EMAIL, feeds, source: SOURCE })
    await deliver(at)
    at.clock.advance(HOUR)
    expect(await remind(at)).toBe(1)
    at.clock.advance(1)
    await subscribe(at, EMAIL, { feed: 'weekly' })
    await deliver(at)
    expect([kindsOf(at), await outboxOf(at)]).toEqual([['confirmation', 'confirmation'], []])
  })

  it('stays beside the mail of a sign-up to it and to a feed that is new', async () => {
    const { at } = await queued()
    await at.useCases.putFeed.execute({ name: 'weekly' }, ADMIN)
    at.clock.advance(1)
    await at.useCases.subscribe.execute({ email: EMAIL, feeds: ['default', 'weekly'], source: SOURCE })
    await deliver(at)
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    expect([kindsOf(at), await outboxOf(at)]).toEqual([['confirmation', 'confirmation', 'confirmation'], []])
  })

  it('is tried again like any other mail where the relay is down', async () => {
    const { at } = await queued()
    failWith(at, new Error('down'))
    await deliver(at)
    heal(at)
    at.clock.advance(HOUR)
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation', 'reminder'])
  })
})

describe('reminders and the caps', () => {
  it('wait for a cap that is full, outside the outbox, and are dropped where the link gets too old', async () => {
    const { at, id } = await asked()
    at.clock.advance(2 * DAY - MINUTE)
    await at.useCases.putFeed.execute({ name: 'weekly' }, ADMIN)
    await subscribe(at, EMAIL, { feed: 'weekly' })
    await deliver(at)
    at.clock.advance(MINUTE)
    expect([await remind(at), await outboxOf(at)]).toEqual([0, []])
    expect(await plannedOf(at, id)).toMatchObject({ remindAt: at.clock.now() + 9 * MINUTE })
    at.clock.advance(9 * MINUTE)
    expect(await remind(at)).toBe(1)
  })
})

describe('a reminder of a sign-up to several feeds', () => {
  const several = async (...spans: (string | undefined)[]) => {
    const at = openMemoryService()
    const feeds = spans.map((_, n) => `feed-${n}`)
    for (const [n, remindAfter] of spans.entries())
      await at.useCases.putFeed.execute({ name: feeds[n] ?? '', remindAfter }, ADMIN)
    await at.useCases.subscribe.execute({ email: EMAIL, feeds, source: SOURCE })
    await deliver(at)
    return at
  }

  it('comes after the longest of their times, with the same link, about all of them', async () => {
    const at = await several('1h', '2d')
    at.clock.advance(2 * DAY - 1)
    expect(await remind(at)).toBe(0)
    at.clock.advance(1)
    expect(await remind(at)).toBe(1)
    await deliver(at)
    const [first, second] = mailsOf(at)
    expect(second?.feeds?.map(({ name }) => name)).toEqual(['feed-0', 'feed-1'])
    expect([second?.kind, second?.links]).toEqual(['reminder', first?.links])
    await confirm(at, tokenIn(lastMailOf(at), 'confirm'))
  })

  it('does not come where one of them has none', async () => {
    for (const spans of [['1h', undefined], [undefined, '1h'], [undefined]]) {
      const at = await several(...spans)
      at.clock.advance(2 * DAY)
      expect(await remind(at)).toBe(0)
    }
  })
})

describe('what is kept of a reminder', () => {
  it('is in the download of the owner, and in the explanation', async () => {
    const { at, id } = await asked()
    const { timeline } = await at.useCases.explainSubscriptions.execute({ email: EMAIL }, ADMIN)
    const { remindAt = 0 } = (await plannedOf(at, id)) ?? {}
    expect(timeline.at(-1)).toMatchObject({ at: remindAt, what: 'a reminder follows, unless it is confirmed before' })
    at.clock.advance(2 * DAY)
    const before = at.clock.now()
    await remind(at)
    const queuedNow = await at.useCases.explainSubscriptions.execute({ email: EMAIL }, ADMIN)
    expect(queuedNow.timeline.map(({ what }) => what)).toContain('reminder queued')
    expect(queuedNow.conclusion).toMatch(/^No mail is owed, but a reminder is queued: it goes out as soon as/)
    await deliver(at)
    const sent = await at.useCases.explainSubscriptions.execute({ email: EMAIL }, ADMIN)
    expect(sent.timeline.at(-1)).toMatchObject({ what: 'reminder sent', feed: 'default' })
    await confirm(at, tokenIn(lastMailOf(at), 'confirm'))
    await at.useCases.requestPreferences.execute({ email: EMAIL })
    await deliver(at)
    const stored = await at.useCases.exportPreferences.execute({
      token: tokenIn(lastMailOf(at), 'preferences' as never),
    })
    expect(publishedAboutAddress(stored)).toMatchObject({ reminded_at: new Date(before).toISOString() })
  })
})
