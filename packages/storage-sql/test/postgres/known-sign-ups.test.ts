import type { FeedName } from '@rollcall/core'
import { createAllUseCases } from '@rollcall/core/all'
import { openMemoryService } from '@rollcall/core/memory'
import { describe, expect, it } from 'vitest'
import { POSTGRES_FAILPOINTS } from '../../src/failpoints.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

const serviceOnPostgres = async () => {
  const { unitOfWork, readers } = await openStorage(await sharedDatabase())
  const { ports, transport } = openMemoryService()
  const useCases = createAllUseCases(
    { ...ports, unitOfWork, readers },
    { publicUrl: 'https://rollcall.example', linkLife: 1e9 },
  )
  const subscribe = (name: string) => useCases.subscribe.execute({ email: `${name}@example.com`, source: SOURCE })
  const follow = async (name: string, link: 'confirm' | 'refuse') => {
    const { links } = transport.mails.find(({ to }) => to === `${name}@example.com`) ?? {}
    const token = links?.[link]?.split('/').at(-1) ?? ''
    await useCases[link === 'confirm' ? 'confirmSubscription' : 'refuseSubscription'].execute({ token, source: SOURCE })
  }
  const known = ['suppressed', 'confirmed', 'pending']
  for (const name of known) await subscribe(name)
  await useCases.deliverOutbox.execute({ limit: 10 })
  await follow('suppressed', 'refuse')
  await follow('confirmed', 'confirm')
  const subscribeToFeeds = (name: string) =>
    useCases.subscribeToFeeds.execute({ email: `${name}@example.com`, feeds: ['default', 'other'], source: SOURCE })
  await unitOfWork.run(async ({ feeds }) => {
    const feed = await feeds.find('default' as FeedName)
    if (feed) await feeds.put({ ...feed, name: 'other' as FeedName })
  })
  const subscribeWithFields = (name: string) =>
    useCases.subscribe.execute({
      ...{ email: `${name}@example.com`, feed: 'default', fields: { company: 'ACME' }, source: SOURCE },
    })
  await unitOfWork.run(async ({ feeds }) => {
    const feed = await feeds.find('default' as FeedName)
    const field = { name: 'company', type: 'text', label: { en: 'Company' }, max: undefined } as const
    if (feed) await feeds.put({ ...feed, fields: [{ ...field, required: false, choices: [], public: false }] })
  })
  const askForPreferences = (name: string) => useCases.requestPreferences.execute({ email: `${name}@example.com` })
  return { subscribe, subscribeToFeeds, subscribeWithFields, askForPreferences, readers, names: ['new', ...known] }
}

const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const found: string[] = []
  const note = (text: unknown) => void found.push(String(text))
  POSTGRES_FAILPOINTS.afterStatement.subscribe(note)
  try {
    await work()
  } finally {
    POSTGRES_FAILPOINTS.afterStatement.unsubscribe(note)
  }
  return found
}

describe('a form on PostgreSQL', () => {
  it.each(['subscribe', 'subscribeToFeeds', 'askForPreferences'] as const)(
    'goes through one shared transaction and reads alike, whatever is known of its address: %s',
    async (form) => {
      const { names, ...service } = await serviceOnPostgres()
      const ask = service[form]
      const readsOf: Record<string, readonly string[]> = {}
      for (const name of names) {
        const statements = await statementsOf(() => ask(name))
        expect([name, statements.filter((text) => text === 'BEGIN' || text === 'ROLLBACK')]).toEqual([name, ['BEGIN']])
        readsOf[name] = statements.filter((text) =>
          /^SELECT .* FROM (?:feed|subscription|suppression|mail_cap|outbox) /s.test(text),
        )
      }
      expect(readsOf.new?.length).toBeGreaterThan(3)
      for (const name of names) expect([name, readsOf[name]]).toEqual([name, readsOf.new])
    },
  )

  it('writes of a plain sign-up nothing that only fields or several feeds have', async () => {
    const { subscribe } = await serviceOnPostgres()
    await subscribe('warm')
    const statements = (await statementsOf(() => subscribe('fresh'))).filter((text) =>
      /^(?:WITH|INSERT|UPDATE)\b/.test(text),
    )
    expect(statements.filter((text) => /INSERT INTO (?:subscription|outbox) /.test(text))).toHaveLength(2)
    for (const text of statements) expect(text).not.toMatch(/\bfields\b|sign_up_group/)
  })

  it('shares a transaction, and reads alike, also where it has fields', async () => {
    const { subscribeWithFields, names } = await serviceOnPostgres()
    // The first value of a field is noted at the feed.
    await subscribeWithFields('first')
    const readsOf: Record<string, number> = {}
    for (const name of names) {
      const statements = await statementsOf(() => subscribeWithFields(name))
      expect([name, statements.filter((text) => text === 'BEGIN' || text === 'ROLLBACK')]).toEqual([name, ['BEGIN']])
      // A decoy is a write, though it is written as a SELECT.
      const reads = statements.filter((text) => text.startsWith('SELECT') && !text.includes('pg_logical_emit_message'))
      readsOf[name] = reads.length
    }
    for (const name of names) expect([name, readsOf[name]]).toEqual([name, readsOf.new])
  })

  it('counts each of many sign-ups at the same time, and sends no second mail', async () => {
    const { subscribe, readers } = await serviceOnPostgres()
    const requests = Array.from({ length: 40 }, (_, n) => subscribe(n % 2 ? 'pending' : `other-${n % 8}`))
    const { id } = (await Promise.all(requests))[1] ?? {}
    const evidence = await readers.subscriptions.findEvidence(id ?? 0)
    expect(evidence?.consents.reduce((sum, { count }) => sum + count, 0)).toBe(21)
    expect((await readers.outbox.list({ after: 0, limit: 100 })).items).toHaveLength(4)
  })
})
