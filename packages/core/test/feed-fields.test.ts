import { describe, expect, it } from 'vitest'
import { aField } from '../contract/samples.ts'
import { openMemoryService } from '../memory/index.ts'
import { declaredFields, limitFieldValues, readFieldValues } from '../src/feeds/feed-fields.ts'
import type { FeedField } from '../src/index.ts'
import { ADMIN, auditOf, type Service, subscribe } from './cast.ts'
import { isParked } from './waiting.ts'

const one = (changes: Partial<FeedField>) => [aField('x', changes)]
const read = (changes: Partial<FeedField>, given: unknown) => readFieldValues(one(changes), { x: given })?.x

describe('the value of a field', () => {
  it.each<[type: FeedField['type'], given: unknown, value: unknown]>([
    ['text', ' Zoë 😀 ', ' Zoë 😀 '],
    ['text', '😀'.repeat(200), '😀'.repeat(200)],
    ['text', '', undefined],
    ['text', null, undefined],
    ['boolean', true, true],
    ['boolean', 'on', true],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', false, false],
    ['boolean', 'TRUE', true],
    ['boolean', 'Falsch', false],
    ['date', '2024-02-29', '2024-02-29'],
    ['number', '-2.50', -2.5],
    ['number', '007', 7],
    ['number', '1e-7', 1e-7],
    ['number', '1.5E+21', 1.5e21],
    ['number', 1e300, 1e300],
    ['number', 0, 0],
  ])('of the type %s is taken: %j', (type, given, value) => {
    expect(read({ type }, given)).toBe(value)
  })

  it.each<[type: FeedField['type'], given: unknown]>([
    ['text', 7],
    ['text', true],
    ['text', ['a']],
    ['text', 'a\nb'],
    ['text', '\ud800'],
    ['text', 'a'.repeat(201)],
    ['boolean', 'maybe'],
    ['boolean', 1],
    ['date', '2024-02-30'],
    ['date', '2024-02-29T00:00'],
    ['date', '2024-13-01'],
    ['date', '29.2.2024'],
    ['date', 20240229],
    ['number', '1,5'],
    ['number', '0x10'],
    ['number', '1e400'],
    ['number', Number.POSITIVE_INFINITY],
    ['number', Number.NaN],
    ['number', true],
    ['choice', 'c'],
    ['choice', 'A'],
    ['choice', {}],
  ])('of the type %s is refused by its name: %j', (type, given) => {
    const problem = expect.objectContaining({ details: [expect.objectContaining({ field: 'field_x' })] })
    expect(() => read({ type, choices: ['a', 'b'] }, given)).toThrow(problem)
  })

  it('has the most that its field says: characters of a text, and the largest number', () => {
    expect(read({ max: 3 }, '😀😀😀')).toBe('😀😀😀')
    expect(() => read({ max: 3 }, 'abcd')).toThrow()
    expect(read({ type: 'number', max: 3 }, '3')).toBe(3)
    expect(() => read({ type: 'number', max: 3 }, '3.1')).toThrow()
  })

  it('must be there only where it is required, and only in a sign-up', () => {
    const required = one({ required: true })
    expect(() => readFieldValues(required, {})).toThrow()
    expect(() => readFieldValues(required, { x: '' })).toThrow()
    expect(readFieldValues(required, {}, { required: false })).toBeUndefined()
  })

  it('is never taken from what every object has', () => {
    const fields = [aField('constructor'), aField('to_string')]
    expect(readFieldValues(fields, {})).toBeUndefined()
    expect(readFieldValues(fields, { constructor: 'a' })).toEqual({ constructor: 'a' })
  })

  it('is limited to 4 KiB with all others of the form, however many feeds share one', () => {
    const text = '字'.repeat(1365)
    expect(() => limitFieldValues([{ a: text, b: 'x' }, { a: text }])).not.toThrow()
    expect(() => limitFieldValues([{ a: text, b: 'xx' }])).toThrow()
    expect(() => limitFieldValues([{ a: text }, { b: 'xx' }])).toThrow()
  })

  it('is not asked for while it is being erased', () => {
    const fields = [aField('a', { erasing: true }), aField('b')]
    expect(declaredFields({ fields }).map(({ name }) => name)).toEqual(['b'])
  })
})

describe('declaring fields', () => {
  const GOOD = { name: 'company', type: 'text', label: { en: 'Company', 'pt-BR': 'Empresa' } }
  const declare = (at: Service, fields: readonly unknown[]) =>
    at.useCases.putFeed.execute({ name: 'news', fields }, ADMIN)

  it('keeps what is declared, with defaults for what is left out', async () => {
    const at = openMemoryService()
    const fields = [
      GOOD,
      { ...GOOD, name: 'a_1', type: 'choice', choices: ['x', 'y'], required: true, public: true, max: null },
      { ...GOOD, name: 'size', type: 'number', max: -1.5, choices: [] },
      { ...GOOD, name: 'x'.repeat(32), max: 1000, choices: null, required: null, public: null },
    ]
    const { feed } = await declare(at, fields)
    const plain = { required: false, public: false, max: undefined, choices: [] }
    expect(feed.fields).toEqual([
      { ...plain, ...GOOD },
      { ...fields[1], max: undefined },
      { ...plain, ...fields[2] },
      { ...fields[3], ...plain, max: 1000 },
    ])
    expect((await at.useCases.putFeed.execute({ name: 'news', title: 'T' }, ADMIN)).feed.fields).toEqual(feed.fields)
    const patched = await at.useCases.patchFeed.execute({ name: 'news', fields: [GOOD] }, ADMIN)
    expect(patched.fields).toEqual([{ ...plain, ...GOOD }])
    expect((await at.useCases.patchFeed.execute({ name: 'news', fields: null }, ADMIN)).fields).toEqual([])
  })

  it.each<[what: string, field: unknown]>([
    ['no object', 'company'],
    ['a list', [GOOD]],
    ['no name', { ...GOOD, name: undefined }],
    ['a name with a capital', { ...GOOD, name: 'Company' }],
    ['a name that begins with a digit', { ...GOOD, name: '1st' }],
    ['a long name', { ...GOOD, name: 'x'.repeat(33) }],
    ['an unknown type', { ...GOOD, type: 'file' }],
    ['an unknown member', { ...GOOD, choice: ['a'] }],
    ['no label', { ...GOOD, label: {} }],
    ['a label that is a text', { ...GOOD, label: 'Company' }],
    ['a label in no language', { ...GOOD, label: { '': 'Company' } }],
    ['a blank label', { ...GOOD, label: { en: ' ' } }],
    ['a long label', { ...GOOD, label: { en: 'x'.repeat(201) } }],
    ['a label of two lines', { ...GOOD, label: { en: 'a\nb' } }],
    ['a flag that is no boolean', { ...GOOD, required: 'yes' }],
    ['a text of no length', { ...GOOD, max: 0 }],
    ['a text without end', { ...GOOD, max: 1001 }],
    ['a date with a maximum', { ...GOOD, type: 'date', max: 3 }],
    ['a text with choices', { ...GOOD, choices: ['a'] }],
    ['a choice without any', { ...GOOD, type: 'choice' }],
    ['a choice that comes twice', { ...GOOD, type: 'choice', choices: ['a', 'a'] }],
    ['a choice that is a number', { ...GOOD, type: 'choice', choices: [1] }],
    ['an empty choice', { ...GOOD, type: 'choice', choices: [''] }],
  ])('refuses %s', async (_, field) => {
    const refusal = expect.objectContaining({
      name: 'InvalidInput',
      details: [expect.objectContaining({ field: 'fields' })],
    })
    await expect(declare(openMemoryService(), [field])).rejects.toThrow(refusal)
  })

  it('refuses two of one name, and more than twenty', async () => {
    const at = openMemoryService()
    await expect(declare(at, [GOOD, GOOD])).rejects.toMatchObject({ name: 'InvalidInput' })
    const many = Array.from({ length: 21 }, (_, n) => ({ ...GOOD, name: `f${n}` }))
    await expect(declare(at, many)).rejects.toMatchObject({ name: 'InvalidInput' })
    expect((await declare(at, many.slice(1))).feed.fields).toHaveLength(20)
  })

  it('keeps of a form that still waits what fits the types that fields have by then', async () => {
    const at = openMemoryService()
    const typed = (types: readonly string[]) =>
      declare(
        at,
        types.map((type, n) => ({ ...GOOD, name: `f${n}`, type, ...(type === 'choice' && { choices: ['a'] }) })),
      )
    await typed(['text', 'text', 'text', 'text', 'number'])
    await isParked(at, 'a@example.com', { feeds: ['news'], fields: { f0: 'x', f1: 'x', f2: 'x', f3: 'x', f4: 3 } })
    await typed(['number', 'boolean', 'date', 'choice', 'text'])
    await at.useCases.retryRequest.execute({ id: 1 }, ADMIN)
    const { items } = await at.useCases.listSubscriptions.execute({ email: 'a@example.com' }, ADMIN)
    expect(items.map(({ fields }) => fields)).toEqual([{ f3: 'x' }])
    // No value was stored, so no type is fixed.
    await typed(['date', 'number', 'boolean', 'choice', 'date'])
  })

  it('is on record, and so is what was erased', async () => {
    const at = openMemoryService()
    await declare(at, [GOOD])
    const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
    await at.useCases.subscribe.execute({ email: 'a@example.com', feed: 'news', fields: { company: 'ACME' }, source })
    await at.useCases.putFeed.execute({ name: 'news', fields: [], removedFields: 'erase' }, ADMIN)
    expect((await auditOf(at)).map(({ action, reason }) => [action, reason])).toEqual([
      ['feed.put', undefined],
      ['feed.put', undefined],
      ['feed.put', 'fields erased: company; subscriptions that had values: 1'],
    ])
  })

  it('is an event of each confirmed subscription that had values, so that copies of senders lose them, too', async () => {
    const at = openMemoryService()
    await declare(at, [GOOD])
    const add = async (email: string, fields = {}) => (await subscribe(at, email, { feed: 'news', fields })).id
    const [confirmed, without] = [await add('a@example.com', { company: 'ACME' }), await add('b@example.com')]
    await add('pending@example.com', { company: 'ACME' })
    for (const id of [confirmed, without])
      await at.useCases.confirmOnBehalf.execute({ subscriptionId: String(id), reason: 'signed' }, ADMIN)
    await at.useCases.patchFeed.execute({ name: 'news', fields: [], removedFields: 'erase' }, ADMIN)
    const { items } = await at.storage.readers.events.list({ after: 0, limit: 100 })
    const updated = items.filter(({ type }) => type === 'subscription.updated')
    expect(updated.map(({ subject, feed }) => [subject, feed])).toEqual([[String(confirmed), 'news']])
  })
})
