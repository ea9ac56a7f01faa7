import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  DAY,
  EVENT_TYPES,
  InvalidInput,
  PreconditionFailed,
  publishedWebhook,
  timestamp,
  WebhookNotFound,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, NO_ROLES, putUser, type Service } from './cast.ts'
import { deliverEvents, putWebhook, SHOP, URL, withWebhook } from './webhooks.ts'

const get = ({ useCases }: Service, name: string = SHOP) => useCases.getWebhook.execute({ name }, ADMIN)
const problemsOf = async (command: Parameters<typeof putWebhook>[1]) => {
  const error = await putWebhook(openMemoryService(), command).catch((refusal: unknown) => refusal)
  expect(error, JSON.stringify(command)).toBeInstanceOf(InvalidInput)
  return (error as InvalidInput).details.map(({ field }) => field)
}

describe('putting a webhook', () => {
  it('creates one that wants every event, and shows its secret', async () => {
    const { at, webhook, secret } = await withWebhook()
    expect(webhook).toMatchObject({ name: SHOP, url: URL, types: EVENT_TYPES, disabled: undefined })
    expect(await get(at)).toEqual(webhook)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect((await at.useCases.listWebhooks.execute({}, ADMIN)).items).toEqual([webhook])
  })

  it('keeps the secret to itself: what is stored does not hold it, nor does any record', async () => {
    const { at, webhook, secret } = await withWebhook()
    const stored = JSON.stringify([webhook, await get(at), publishedWebhook(webhook), await auditOf(at)])
    expect(stored).not.toContain(secret.slice(6))
    expect(stored).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'))
  })

  it("makes the secret of the instance's and a seed, so that either alone is of no use", async () => {
    const { webhook, secret } = await withWebhook()
    const key = createHmac('sha256', 'a secret for tests').update('webhook-secret').digest()
    const made = createHmac('sha256', key).update(`shop ${webhook.secret}`).digest('base64')
    expect(secret).toBe(`whsec_${made}`)
    expect((await withWebhook({ name: 'other' })).secret).not.toBe(secret)
  })

  it('replaces what was said before, and shows no secret again', async () => {
    const { at, webhook } = await withWebhook({ types: ['user.created'] })
    at.clock.advance(5)
    const { secret, created, webhook: replaced } = await putWebhook(at, { url: 'https://shop.example/new' })
    expect([secret, created]).toEqual([undefined, false])
    expect(replaced).toEqual({
      ...webhook,
      url: 'https://shop.example/new',
      types: EVENT_TYPES,
      updatedAt: webhook.updatedAt + 5,
    })
  })

  it('takes types in any order, each once, and keeps them in theirs', async () => {
    const types = ['user.deleted', 'subscription.pending', 'user.deleted']
    expect((await withWebhook({ types })).webhook.types).toEqual(['subscription.pending', 'user.deleted'])
  })

  it('disables and enables it', async () => {
    const { at } = await withWebhook({ enabled: false })
    expect((await get(at)).disabled).toEqual({ because: 'by-hand', since: at.clock.now() })
    at.clock.advance(DAY)
    await putWebhook(at, { enabled: false })
    expect((await get(at)).disabled?.since).toBe(at.clock.now() - DAY)
    await putWebhook(at)
    expect((await get(at)).disabled).toBeUndefined()
  })

  it.each([
    [{ url: undefined }, ['url']],
    [{ url: '' }, ['url']],
    [{ url: 'shop.example' }, ['url']],
    [{ url: 'http://shop.example/' }, ['url']],
    [{ url: 'ftp://shop.example/' }, ['url']],
    [{ url: 'https://user:secret@shop.example/' }, ['url']],
    [{ url: 'https://shop.example/#fragment' }, ['url']],
    [{ url: `https://shop.example/${'x'.repeat(2_000)}` }, ['url']],
    [{ types: ['user.created', 'user.vanished'] }, ['types']],
    [{ url: 'nowhere', types: ['User.created'] }, ['url', 'types']],
    [{ name: 'Shop' }, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(65) }, ['name']],
  ])('refuses %j', async (command, fields) => {
    expect(await problemsOf(command)).toEqual(fields)
  })

  it('heeds the condition of the caller', async () => {
    const { at } = await withWebhook()
    await expect(putWebhook(at, { precondition: (current) => current === undefined })).rejects.toThrow(
      PreconditionFailed,
    )
    const conditional = { name: SHOP, precondition: () => false }
    await expect(at.useCases.deleteWebhook.execute(conditional, ADMIN)).rejects.toThrow(PreconditionFailed)
  })
})

describe('deleting a webhook', () => {
  it('sends it nothing any more', async () => {
    const { at } = await withWebhook()
    await putUser(at, 'ada')
    await at.useCases.deleteWebhook.execute({ name: SHOP }, ADMIN)
    expect(await deliverEvents(at)).toEqual({ sent: 0, failures: [] })
    await expect(get(at)).rejects.toThrow(WebhookNotFound)
    await expect(at.useCases.deleteWebhook.execute({ name: SHOP }, ADMIN)).rejects.toThrow(WebhookNotFound)
  })
})

describe('rotating a secret', () => {
  const rotate = (at: Service, more = {}) => at.useCases.rotateWebhookSecret.execute({ name: SHOP, ...more }, ADMIN)
  const secretsUsed = async (at: Service) => {
    at.webhookTransport.messages.length = 0
    await putUser(at, 'ada')
    await deliverEvents(at)
    return at.webhookTransport.messages.at(-1)?.secrets
  }

  it('signs with both for a day, and then with the new one alone', async () => {
    const { at, secret: old } = await withWebhook()
    expect(await secretsUsed(at)).toEqual([old])
    const { secret, webhook } = await rotate(at)
    expect(webhook.previousSecrets[0]?.until).toBe(at.clock.now() + DAY)
    expect(secret).not.toBe(old)
    expect(await secretsUsed(at)).toEqual([secret, old])
    at.clock.advance(DAY - 1)
    expect(await secretsUsed(at)).toEqual([secret, old])
    at.clock.advance(1)
    expect(await secretsUsed(at)).toEqual([secret])
  })

  it('lets each old one have its day, however soon it is done again', async () => {
    const { at, secret: first } = await withWebhook()
    const { secret: second } = await rotate(at)
    at.clock.advance(DAY - 1)
    const { secret: third, webhook } = await rotate(at)
    expect(publishedWebhook(webhook).previous_secret_until).toBe(timestamp(at.clock.now() + DAY))
    expect(await secretsUsed(at)).toEqual([third, second, first])
    at.clock.advance(1)
    expect(await secretsUsed(at)).toEqual([third, second])
    const { secret: fourth } = await rotate(at)
    expect((await get(at)).previousSecrets).toHaveLength(2)
    at.clock.advance(DAY - 1)
    expect(await secretsUsed(at)).toEqual([fourth, third])
  })

  it('signs with no more than ten, however often it is done', async () => {
    const { at } = await withWebhook()
    for (let n = 0; n < 12; n++) await rotate(at)
    expect(await secretsUsed(at)).toHaveLength(10)
  })

  it('revokes the old one at once where that is asked for', async () => {
    const { at } = await withWebhook()
    await rotate(at)
    const { secret } = await rotate(at, { revoke: true })
    expect(await secretsUsed(at)).toEqual([secret])
  })

  it('says so where there is no such webhook', async () => {
    await expect(rotate(openMemoryService())).rejects.toThrow(WebhookNotFound)
  })
})

describe('webhooks', () => {
  const attempts = ({ useCases }: Service, who: typeof ADMIN): (() => Promise<unknown>)[] => [
    () => useCases.listWebhooks.execute({}, who),
    () => useCases.getWebhook.execute({ name: SHOP }, who),
    () => useCases.putWebhook.execute({ name: SHOP, url: URL }, who),
    () => useCases.rotateWebhookSecret.execute({ name: SHOP }, who),
    () => useCases.redeliverEvents.execute({ name: SHOP, parked: true }, who),
    () => useCases.deleteWebhook.execute({ name: SHOP }, who),
  ]

  it('are for administrators alone, whether or not they are there', async () => {
    for (const at of [openMemoryService(), (await withWebhook()).at])
      for (const who of [AUDITOR, NO_ROLES]) {
        const outcomes = await Promise.allSettled(attempts(at, who).map((attempt) => attempt()))
        expect(outcomes.map((one) => one.status === 'rejected' && one.reason.message)).toEqual([
          ...Array(2).fill("Reading webhooks requires the 'admin' role."),
          ...Array(4).fill("Changing webhooks requires the 'admin' role."),
        ])
      }
  })

  it('leave a record of every change, and of every refusal', async () => {
    const { at } = await withWebhook()
    for (const attempt of attempts(at, ADMIN).slice(2)) await attempt()
    expect((await auditOf(at)).map(({ action, target, outcome }) => [action, target, outcome])).toEqual(
      ['put', 'put', 'rotate', 'redeliver', 'delete'].map((action) => [`webhook.${action}`, SHOP, 'done']),
    )
    await Promise.allSettled(attempts(at, NO_ROLES).map((attempt) => attempt()))
    await at.useCases.refusals.flush()
    const refused = (await auditOf(at)).slice(5)
    expect(refused).toHaveLength(6)
    expect(new Set(refused.map(({ outcome }) => outcome))).toEqual(new Set(['InsufficientPermissions']))
  })
})
