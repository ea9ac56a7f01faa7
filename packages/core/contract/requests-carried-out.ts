import { expect, it } from 'vitest'
import { MemoryClock } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import {
  createUseCases,
  DAY,
  type Digests,
  MINUTE,
  type Subscription,
  type SubscriptionId,
  Unavailable,
  unitInbox,
} from '../src/index.ts'
import { aFeed, feedName, upTo } from './samples.ts'
import { type StorageUnderTest, storageSuite } from './storage-under-test.ts'
import { OPERATOR, SOURCE, tokenIn } from './whole-service.ts'

/** Sign-ups over a storage, with a worker that only works when it is told to. */
const serviceOver = (
  { unitOfWork, readers, inbox }: Pick<StorageUnderTest, 'unitOfWork' | 'readers' | 'inbox'>,
  { attended = true, digests }: { readonly attended?: boolean; readonly digests?: Digests } = {},
) => {
  const world = memoryPorts(new MemoryClock(Date.now() - 30 * DAY))
  const worker = { isAtWork: async () => attended, moment: async () => world.clock.advance(500) }
  const ports = { ...world, unitOfWork, readers, inbox, requestWorker: worker, digests: digests ?? world.digests }
  const useCases = createUseCases(ports, MEMORY_SETTINGS)
  const { clock, transport } = world
  return {
    useCases,
    clock,
    transport,
    digests: world.digests,
    signUp: (email: string, form: object = {}) => useCases.subscribe.execute({ email, source: SOURCE, ...form }),
    carryOutAll: async () => {
      while ((await useCases.carryOutRequests.execute()).more) {}
    },
    deliver: async () => {
      await useCases.deliverOutbox.execute({ limit: 100 })
      return transport.mails.at(-1)
    },
    find: (id: SubscriptionId) => readers.subscriptions.find(id),
    waiting: () => readers.requests.count(),
    parked: async () => (await readers.requests.list({ after: 0, limit: 100, parked: true })).items,
  }
}

export const requestsCarriedOutContract = storageSuite('what the public asks for', (storage) => {
  const { unitOfWork, readers } = storage
  const service = (options?: Parameters<typeof serviceOver>[1]) =>
    serviceOver({ unitOfWork, readers, inbox: storage.inbox }, options)

  it('is there once it is carried out, with its mail, its consent and its event', async () => {
    const at = service()
    const { id } = await at.signUp('ada@example.com', { name: 'Ada' })
    expect([await at.find(id), await at.waiting()]).toEqual([undefined, 1])
    at.clock.advance(MINUTE)
    await at.carryOutAll()
    expect(await at.find(id)).toMatchObject({ name: 'Ada', status: 'pending', createdAt: at.clock.now() })
    const { consents } = (await readers.subscriptions.findEvidence(id)) ?? {}
    // The form came a minute ago; the caps and the life of the link count from now on.
    expect(consents).toMatchObject([{ deed: 'requested', at: at.clock.now() - MINUTE }])
    expect((await at.find(id))?.expiresAt).toBe(at.clock.now() + MEMORY_SETTINGS.linkLife)
    expect((await at.deliver())?.to).toBe('ada@example.com')
    expect((await storage.sealed.events.list({ after: 0, limit: 9 })).items).toMatchObject([
      { type: 'subscription.pending', at: at.clock.now() },
    ])
    expect(await at.waiting()).toBe(0)
  })

  it('is taken if it cannot be carried out yet, and carried out with the next', async () => {
    const away = { run: () => Promise.reject(new Unavailable()), sideBySide: unitOfWork.sideBySide }
    const inbox = storage.inbox ?? unitInbox(unitOfWork, readers)
    const without = serviceOver({ unitOfWork: away, readers, inbox }, { attended: false })
    const { id } = await without.signUp('ada@example.com')
    expect([await without.find(id), await without.waiting()]).toEqual([undefined, 1])
    const at = service({ attended: false })
    await at.signUp('bob@example.com')
    expect((await at.find(id))?.status).toBe('pending')
  })

  it('can be waited for by a host, for at most two seconds', async () => {
    const at = service()
    const { id, processed } = await at.signUp('ada@example.com')
    const begun = at.clock.now()
    await processed()
    expect(at.clock.now() - begun).toBe(2_000)
    await at.carryOutAll()
    await processed()
    expect([(await at.find(id))?.status, at.clock.now() - begun]).toEqual(['pending', 2_000])
  })

  it('takes effect in the order in which it came, also within one batch', async () => {
    const at = service()
    const names = upTo(7).map((n) => `name ${n}`)
    let id = 0
    for (const name of names) ({ id } = await at.signUp('ada@example.com', { name }))
    await at.carryOutAll()
    expect(await at.find(id)).toMatchObject({ name: names.at(-1), status: 'pending' })
    const evidence = await readers.subscriptions.findEvidence(id)
    expect(evidence?.consents).toMatchObject([{ deed: 'requested', count: names.length }])
    await at.deliver()
    expect(at.transport.mails).toHaveLength(1)
  })

  it('is done once, whichever of several workers comes first', async () => {
    const at = service()
    const other = serviceOver(await storage.another())
    const emails = upTo(60).map((n) => `n${n % 40}@example.com`)
    const ids = await Promise.all(emails.map(async (email) => (await at.signUp(email)).id))
    await Promise.all([at.carryOutAll(), other.carryOutAll(), at.carryOutAll(), other.carryOutAll()])
    await at.carryOutAll()
    let requests = 0
    for (const id of new Set(ids)) {
      const found = await readers.subscriptions.findEvidence(id)
      requests += found?.consents.reduce((sum, { count }) => sum + count, 0) ?? 0
    }
    expect([new Set(ids).size, requests, await at.waiting()]).toEqual([40, 60, 0])
    await at.deliver()
    expect(at.transport.mails).toHaveLength(40)
  })

  /** A pending subscription whose mail went out an hour ago, and a later form that waits. */
  const withLaterForm = async (form: object = {}) => {
    const at = service()
    const { id } = await at.signUp('ada@example.com', { name: 'Before' })
    await at.carryOutAll()
    const mail = await at.deliver()
    at.clock.advance(60 * MINUTE)
    await at.signUp('ada@example.com', { name: 'After', ...form })
    return { at, id, mail }
  }
  const name = (subscription: Subscription | undefined) => subscription?.name

  it('comes before a link that is pressed after it', async () => {
    const { at, id, mail } = await withLaterForm()
    await at.useCases.confirmSubscription.execute({ token: tokenIn(mail, 'confirm'), source: SOURCE })
    expect(await at.find(id)).toMatchObject({ name: 'After', status: 'confirmed' })
    expect(await at.waiting()).toBe(0)
  })

  it('comes before a refusal, and takes nothing of it back', async () => {
    const { at, id, mail } = await withLaterForm()
    await at.useCases.refuseSubscription.execute({ token: tokenIn(mail, 'refuse'), source: SOURCE })
    await at.carryOutAll()
    expect(await at.find(id)).toMatchObject({ name: 'After', status: 'ended' })
    await at.deliver()
    expect(at.transport.mails).toHaveLength(1)
  })

  it('comes before what an operator does to its subscription', async () => {
    const { at, id } = await withLaterForm()
    const command = { subscriptionId: `${id}`, reason: 'on paper' }
    await at.useCases.confirmOnBehalf.execute(command, OPERATOR)
    expect(await at.find(id)).toMatchObject({ name: 'After', status: 'confirmed' })
  })

  it('comes before the erasure of its subscription, and brings nothing back', async () => {
    const { at, id } = await withLaterForm()
    await at.useCases.eraseSubscription.execute({ subscriptionId: `${id}` }, OPERATOR)
    await at.carryOutAll()
    expect([await at.find(id), await at.waiting()]).toEqual([undefined, 0])
    await at.deliver()
    // The one that was sent before is forgotten, too.
    expect(at.transport.mails).toHaveLength(0)
  })

  it('goes with the erasure of its address', async () => {
    const { at, id } = await withLaterForm()
    await at.useCases.putUser.execute({ userId: 'ada', email: 'ada@example.com', name: '', roles: [] }, OPERATOR)
    await at.useCases.deleteUser.execute({ userId: 'ada', subscriptions: 'erase' }, OPERATOR)
    await at.carryOutAll()
    expect([await at.find(id), await at.waiting()]).toEqual([undefined, 0])
  })

  it('comes before a row of an import', async () => {
    const { at, id } = await withLaterForm()
    const line = { email: 'ada@example.com', name: 'Imported', status: 'pending' }
    const body = (async function* () {
      yield new TextEncoder().encode(`${JSON.stringify(line)}\n`)
    })()
    const report = await at.useCases.importSubscriptions.execute({ format: 'ndjson', body }, OPERATOR)
    for await (const _ of report) {
    }
    expect([name(await at.find(id)), await at.waiting()]).toEqual(['After', 0])
  })

  it('is waited for by who lists subscriptions', async () => {
    const at = service({ attended: false })
    const attended = service()
    const { id } = await attended.signUp('ada@example.com')
    expect(await attended.find(id)).toBeUndefined()
    expect((await at.useCases.listSubscriptions.execute({}, OPERATOR)).items).toMatchObject([{ id }])
  })

  it('is shown by an explanation while it waits', async () => {
    const at = service()
    await at.signUp('ada@example.com')
    const { timeline, conclusion } = await at.useCases.explainSubscriptions.execute(
      { email: 'ada@example.com' },
      OPERATOR,
    )
    expect(timeline).toMatchObject([{ what: 'requested (form), waits to be carried out' }])
    expect(conclusion).toMatch('not carried out yet')
  })

  it('is left out for a feed that has gone meanwhile', async () => {
    await unitOfWork.run(({ feeds }) => feeds.put(aFeed('a')))
    const at = service()
    const { subscriptions } = await at.signUp('ada@example.com', { feeds: ['a', 'default'] })
    await at.signUp('bob@example.com', { feed: 'a' })
    await unitOfWork.run(({ feeds }) => feeds.remove(feedName('a')))
    await at.carryOutAll()
    const found = await Promise.all(subscriptions.map(({ id }) => at.find(id)))
    expect(found.map((one) => one?.status)).toEqual([undefined, 'pending'])
    expect(await at.waiting()).toBe(0)
  })

  it('gives each subscription an id of its own, also where two come together that would have the same', async () => {
    const at = service()
    const { digests } = at
    const colliding: Digests = {
      ...digests,
      equal: (a, b) => digests.equal(a, b),
      // The first candidates of all are one; the fingerprint is in the second half.
      hmac: (purpose, text) =>
        purpose === 'subscription-id' && !/ \d+$/.test(text)
          ? `${'0'.repeat(31)}7${digests.hmac(purpose, text).slice(32)}`
          : digests.hmac(purpose, text),
    }
    const crowded = service({ digests: colliding })
    for (const who of ['ada', 'bob', 'cleo']) await crowded.signUp(`${who}@example.com`)
    await crowded.carryOutAll()
    const { items } = await readers.subscriptions.list({ after: 0, limit: 9 })
    expect(items.map(({ email }) => email)).toEqual(['ada', 'bob', 'cleo'].map((who) => `${who}@example.com`))
    // What is told from then on.
    crowded.clock.advance(2_000)
    for (const { email, id } of items) expect((await crowded.signUp(email)).id).toBe(id)
  })

  it('is parked alone if it cannot be carried out, with what comes later of its address', async () => {
    const at = service()
    const { digests } = at
    const failing: Digests = {
      ...digests,
      equal: (a, b) => digests.equal(a, b),
      hmac: (purpose, text) => {
        if (purpose === 'subscription-id' && text.includes('poison@')) throw new Error('No id for poison@example.com.')
        return digests.hmac(purpose, text)
      },
    }
    const broken = service({ digests: failing })
    const poison = await at.signUp('poison@example.com')
    const others = await Promise.all(upTo(5).map((n) => at.signUp(`n${n}@example.com`)))
    await at.signUp('poison@example.com', { name: 'Later' })
    await broken.carryOutAll()
    for (const { id } of others) expect((await at.find(id))?.status).toBe('pending')
    expect(await at.parked()).toMatchObject([{ error: 'No id for <address>' }])
    expect([await at.find(poison.id), await at.waiting()]).toEqual([undefined, 0])
    const [{ id: parkedId = 0 } = {}] = await at.parked()
    expect(await at.useCases.retryRequest.execute({ id: parkedId }, OPERATOR)).toBe(true)
    await at.carryOutAll()
    expect(await at.find(poison.id)).toMatchObject({ name: 'Later', status: 'pending' })
  })

  it('waits as it is while nothing can be stored', async () => {
    const at = service()
    await at.signUp('ada@example.com')
    const down = { run: () => Promise.reject(new Unavailable()) }
    const { carryOutRequests } = createUseCases(
      { ...memoryPorts(at.clock), unitOfWork: down, readers },
      MEMORY_SETTINGS,
    )
    await expect(carryOutRequests.execute()).rejects.toThrow(Unavailable)
    expect([await at.waiting(), await at.parked()]).toEqual([1, []])
  })

  it('keeps nothing of a form that a machine filled in but a count', async () => {
    const at = service()
    const { id } = await at.signUp('ada@example.com', { name: 'Ada', website: 'https://x.example' })
    const { items } = await readers.requests.list({ after: 0, limit: 9 })
    expect(items).toMatchObject([{ asked: { kind: 'trap' }, address: undefined }])
    await at.carryOutAll()
    expect([await at.find(id), await at.useCases.readers.numbers.ever()]).toEqual([
      undefined,
      [{ what: 'turned-away:honeypot', count: 1 }],
    ])
  })
})
