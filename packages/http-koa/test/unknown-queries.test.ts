import { beforeAll, describe, expect, it } from 'vitest'
import { isWriting, type Operation } from '../src/operation/operation.ts'
import { OPERATIONS } from '../src/resources/all.ts'
import { PNG } from './support/feeds.ts'
import { sharedServer } from './support/open-server.ts'

const WRITING = OPERATIONS.filter((one) => one.guarded && isWriting(one)).map((one) => [one.route, one] as const)

const server = await sharedServer()
const admin = await server.token('root', 'admin')

describe('an unknown query parameter of an endpoint that writes', () => {
  let existing: (path: string) => string
  beforeAll(async () => {
    const token = admin
    await server.request('PUT', '/users/z', { token, json: { email: 'z@example.com', name: '', roles: [] } })
    await server.request('PUT', '/feeds/z', { token, json: {} })
    await server.request('PUT', '/feeds/z/logo', { token, body: PNG })
    await server.request('PUT', '/webhooks/z', { token, json: { url: 'https://example.com/' } })
    await server.request('POST', '/subscribe', { form: { email: 'refused@example.com' } })
    await server.request('POST', (await server.links()).refuse)
    const { body } = await server.request('POST', '/subscribe', { form: { email: 'bounced@example.com' } })
    const subscription = JSON.parse(body).subscription.id
    await server.request('POST', `/subscriptions/${subscription}/confirm`, { token, json: { reason: 'said so' } })
    const bounce = { kind: 'bounce', subscription, status: '5.1.1' }
    await server.request('POST', '/feedback', { token, json: { items: [bounce] } })
    existing = (path) =>
      path
        .replace('{subscriptionId}', subscription)
        .replace('{address}', path.startsWith('/suppressions') ? 'refused@example.com' : 'bounced@example.com')
        .replace(/\{\w+\}/g, 'z')
  })

  const send = async (method: string, path: string, type: string | undefined, token: string | undefined = admin) => {
    const body = type === 'application/x-ndjson' ? '{"id":"z"}\n' : '{}'
    const sent = type === undefined ? {} : { headers: { 'Content-Type': type }, body }
    const { status, value } = await server.ask(method, path, { token, ...sent })
    return { status, ...value }
  }
  const typeOf = ({ reads }: Operation): string | undefined => {
    if (reads === undefined) return undefined
    return reads === 'file' ? 'application/x-ndjson' : 'application/json'
  }

  it.each(WRITING)('is refused by %s, if there is what it is about', async (route, operation) => {
    const [method = '', path = ''] = route.split(' ')
    const target = `${existing(path)}?unheard_of=1&unheard_of=2`
    const answer = await send(method, target, typeOf(operation))
    const unheardOf = { field: 'unheard_of', message: expect.stringMatching(/^There is no such parameter here\./) }
    const details = expect.arrayContaining([unheardOf])
    expect(answer).toMatchObject({ status: 422, error: 'InvalidInput', details })
    // Nobody learns of parameters without a token, or without the role.
    const stranger = await server.token('nobody')
    expect(await send(method, target, typeOf(operation), stranger)).toMatchObject({ status: 403 })
    expect((await server.request(method, target)).status).toBe(401)
    // 404 comes first, if there is none.
    const isLookedUp = operation.errors?.some((name) => name.endsWith('NotFound')) ?? false
    const unknown = `${path.replace(/\{\w+\}/g, '1')}?unheard_of=1`
    const { status } = await send(method, unknown, typeOf(operation))
    // Any token can be revoked, whether or not it is listed.
    expect(status).toBe(isLookedUp && !path.startsWith('/tokens') ? 404 : 422)
  })

  it.each([
    ['POST', '/users/import?dryRun=true', 'application/x-ndjson', 'dry_run'],
    ['POST', '/subscriptions/import?dry-run=true&mail=send', 'application/x-ndjson', 'dry_run'],
    ['POST', '/suppressions/import?dryrun', 'application/x-ndjson', 'dry_run'],
    ['DELETE', '/users/z?subscription=erase', undefined, 'subscriptions'],
    ['DELETE', '/feeds/z?Subscriptions=erase', undefined, 'subscriptions'],
    ['PUT', '/feeds/z?field=erase', 'application/json', 'fields'],
  ])('%s %s names the parameter that may be meant', async (method, path, type, meant) => {
    const { status, details } = await send(method, path, type)
    expect(status).toBe(422)
    expect(details[0].message).toContain(`Did you mean '${meant}'?`)
  })

  it('names those that there are if none is near: to leave out a dry run would be a real one', async () => {
    const { status, details } = await send('DELETE', '/users/z?dry_run=true', undefined)
    const message = 'There is no such parameter here. Use only these: subscriptions, reason, subscriptions_expected.'
    expect({ status, details }).toEqual({ status: 422, details: [{ field: 'dry_run', message }] })
  })

  it.each(['dry_run=yes', 'dry_run', 'dry_run=TRUE', 'dry_run=true&dry_run=false'])(
    'a dry run is none with %s, and neither is an import',
    async (query) => {
      expect(await send('POST', `/users/import?${query}`, 'application/x-ndjson')).toMatchObject({
        status: 422,
        details: [{ field: 'dry_run' }],
      })
    },
  )

  it.each([
    [{ users: [{ id: 'z' }], dryRun: true }, 'dryRun', "There is no such field here. Did you mean 'dry_run'?"],
    [{ users: [{ id: 'z', State: 'x' }] }, 'users', "A user has no 'State' here."],
    [{ users: ['z'] }, 'users', 'Give objects such as {"id": "jane"}'],
  ])('has its like in the body of a change of many, whose dry run is said there: %j', async (json, field, message) => {
    const { status, body } = await server.request('POST', '/bulk/users/delete', { token: admin, json })
    expect([status, JSON.parse(body).details]).toEqual([422, [{ field, message: expect.stringContaining(message) }]])
    expect((await server.request('GET', '/users/z', { token: admin })).status).toBe(200)
  })

  it('is none in a row of a report, which may be sent back as it came', async () => {
    const json = { users: [{ id: 'z' }], dry_run: true }
    const ask = async (json: object) =>
      JSON.parse((await server.request('POST', '/bulk/users/suspend', { token: admin, json })).body)
    const { users } = await ask(json)
    expect((await ask({ users })).users).toMatchObject([{ id: 'z', outcome: 'changed' }])
    await server.request('POST', '/users/z/resume', { token: admin, json: {} })
  })

  it('is said after what is wrong with the type of the body', async () => {
    expect(await send('POST', '/users/import?dryRun=true', 'text/plain')).toMatchObject({ status: 415 })
    expect(await send('PUT', '/feeds/z?field=erase', 'text/plain')).toMatchObject({ status: 415 })
  })

  it('leaves the connection usable, whatever came of the file', async () => {
    const file = { headers: { 'Content-Type': 'application/x-ndjson' }, body: '{"id":"z"}\n'.repeat(50_000) }
    expect((await server.request('POST', '/users/import?dryRun=true', { token: admin, ...file })).status).toBe(422)
    expect((await server.request('GET', '/livez')).status).toBe(200)
  })
})
