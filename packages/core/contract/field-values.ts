import { expect, it } from 'vitest'
import type { Feed, SubmittedFields } from '../src/index.ts'
import { aFeed, aField } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, type Served, SOURCE, wholeServiceOver } from './whole-service.ts'

const FIELDS = [
  aField('company', { required: true, max: 10 }),
  aField('topic', { type: 'choice', choices: ['Music', 'Theatre'], public: true }),
  aField('size', { type: 'number', max: 100 }),
]

const serviceOver = (storage: Served) => {
  const { useCases } = wholeServiceOver(storage)
  const feed = async () => await useCases.getFeed.execute({ name: 'news' }, OPERATOR)
  return {
    useCases,
    feed,
    open: (changes: Partial<Feed> = {}) =>
      storage.unitOfWork.run(({ feeds }) => feeds.put(aFeed('news', { fields: FIELDS, ...changes }))),
    signUp: async (fields: SubmittedFields, email = 'ada@example.com') =>
      (await useCases.subscribe.execute({ email, feed: 'news', fields, source: SOURCE })).id,
    valuesOf: async (id: number) =>
      (await useCases.getSubscription.execute({ subscriptionId: `${id}` }, OPERATOR)).fields,
    confirm: async (id: number) =>
      await useCases.confirmOnBehalf.execute({ subscriptionId: `${id}`, reason: 'asked' }, OPERATOR),
    declare: async (fields: readonly unknown[] | undefined, removedFields?: 'erase') =>
      await useCases.putFeed.execute({ name: 'news', fields, removedFields }, OPERATOR),
    declared: async () => (await feed()).fields.map(({ name }) => name),
  }
}

export const fieldValuesContract = storageSuite('values of the fields of a feed', ({ unitOfWork, readers, run }) => {
  const service = async () => {
    const at = serviceOver({ unitOfWork, readers })
    await at.open()
    return at
  }
  const DECLARED = [{ name: 'company', type: 'text', label: { en: 'company' } }]

  it('are those of the latest form while it is pending, and stay as they are once it is confirmed', async () => {
    const at = await service()
    const id = await at.signUp({ company: 'ACME', topic: 'Music', size: '2.5', other: 'ignored' })
    expect(await at.valuesOf(id)).toEqual({ company: 'ACME', topic: 'Music', size: 2.5 })
    await at.signUp({ company: 'Acme', topic: '' })
    expect(await at.valuesOf(id)).toEqual({ company: 'Acme' })
    await at.confirm(id)
    await at.signUp({ company: 'Other', topic: 'Theatre' })
    expect(await at.valuesOf(id)).toEqual({ company: 'Acme' })
  })

  it('are noted at the feed once there is one, whatever is known of the address', async () => {
    const at = await service()
    const stored = async () => (await at.feed()).fields.filter((one) => one.stored).map(({ name }) => name)
    const id = await at.signUp({ company: 'ACME' })
    expect(await stored()).toEqual(['company'])
    await at.confirm(id)
    await at.signUp({ company: 'ACME', topic: 'Music' })
    expect(await stored()).toEqual(['company', 'topic'])
  })

  it('keep their field from going and from changing its type, but for one that has none', async () => {
    const at = await service()
    await at.signUp({ company: 'ACME' })
    await expect(at.declare([])).rejects.toMatchObject({ name: 'FieldInUse' })
    await expect(at.declare([{ ...DECLARED[0], type: 'date' }])).rejects.toMatchObject({ name: 'FieldInUse' })
    await at.declare(DECLARED)
    expect(await at.declared()).toEqual(['company'])
    await at.declare(undefined)
    expect(await at.declared()).toEqual(['company'])
  })

  it('go with their field where they are to be erased, from every subscription of the feed', async () => {
    const at = await service()
    const ids: number[] = []
    for (let n = 0; n < 60; n++) ids.push(await at.signUp({ company: 'ACME', topic: 'Music' }, `${n}@example.com`))
    const other = aFeed('other', { fields: FIELDS })
    await run(({ feeds }) => feeds.put(other))
    const spared = await at.useCases.subscribe.execute({
      email: 'ada@example.com',
      feed: 'other',
      fields: { company: 'Spared' },
      source: SOURCE,
    })
    await at.declare([{ ...DECLARED[0], name: 'topic', type: 'choice', choices: ['Music'] }], 'erase')
    expect(await at.declared()).toEqual(['topic'])
    for (const id of ids) expect((await readers.subscriptions.find(id))?.fields).toEqual({ topic: 'Music' })
    expect((await readers.subscriptions.find(spared.id))?.fields).toEqual({ company: 'Spared' })
    await at.declare([], 'erase')
    for (const id of ids) expect((await readers.subscriptions.find(id))?.fields).toBeUndefined()
    await at.declare([{ ...DECLARED[0], name: 'topic', type: 'date' }])
    expect(await at.signUp({ topic: '2024-02-29' }, '0@example.com')).toBe(ids[0])
    expect(await at.valuesOf(ids[0] ?? 0)).toEqual({ topic: '2024-02-29' })
  })

  it('are hidden at once while they are being erased, and an erasure that was interrupted is finished', async () => {
    const at = await service()
    const id = await at.signUp({ company: 'ACME', topic: 'Music' })
    const marked = (await at.feed()).fields.map((one) => (one.name === 'company' ? { ...one, erasing: true } : one))
    await at.open({ fields: marked })
    expect(await at.valuesOf(id)).toEqual({ topic: 'Music' })
    expect((await readers.subscriptions.find(id))?.fields).toEqual({ company: 'ACME', topic: 'Music' })
    await at.signUp({ company: 'Again', topic: 'Theatre' })
    expect((await readers.subscriptions.find(id))?.fields).toEqual({ topic: 'Theatre' })
    await expect(at.declare(DECLARED)).rejects.toMatchObject({ name: 'FieldInUse' })
    await at.declare(undefined)
    expect((await at.feed()).fields.map(({ erasing = false }) => erasing)).toEqual([true, false, false])
    await at.declare(undefined, 'erase')
    expect(await at.declared()).toEqual(['topic', 'size'])
  })

  it('are of each feed in a form for several, which says what is wrong once', async () => {
    const at = await service()
    await run(({ feeds }) => feeds.put(aFeed('plain')))
    const signUp = (fields: SubmittedFields) =>
      at.useCases.subscribe.execute({ email: 'a@example.com', feeds: ['plain', 'news'], fields, source: SOURCE })
    const details = [
      { field: 'field_company', message: 'Give this field.' },
      { field: 'field_topic', message: 'Use one of these: Music, Theatre.' },
    ]
    await expect(signUp({ topic: 'Sports' })).rejects.toMatchObject({ details })
    const [plain, news] = (await signUp({ company: 'ACME' })).subscriptions
    expect([await at.valuesOf(plain?.id ?? 0), await at.valuesOf(news?.id ?? 0)]).toEqual([
      undefined,
      { company: 'ACME' },
    ])
  })
})
