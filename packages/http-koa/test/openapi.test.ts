import { type PermissionTable, STANDARD_PERMISSIONS } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'
import { document, needsToken, paths, resolved, routes } from './support/documented.ts'
import { type OpenServer, openServer } from './support/open-server.ts'

/** The link to a new address, and, once that was followed, the one to the old address. */
const movedAddress = async (server: OpenServer) => {
  const pathOf = async (name: 'move' | 'undo' | 'preferences') => {
    await server.useCases.deliverOutbox.execute({ limit: 10 })
    const link = server.transport.mails.findLast(({ links }) => links[name])?.links[name]
    return link === undefined ? undefined : new URL(link).pathname
  }
  await server.request('POST', '/subscribe', { form: { email: 'z@example.com' } })
  await server.request('POST', (await server.links()).confirm)
  server.clock.advance(3_600_000)
  await server.request('POST', '/preferences', { form: { email: 'z@example.com' } })
  await server.request('POST', `${await pathOf('preferences')}/move`, { form: { email: 'new@example.com' } })
  return { move: await pathOf('move'), undo: () => pathOf('undo') }
}

describe('/openapi.json', () => {
  it('has exactly the routes that the router has', () => {
    const router = createRouter({ corsOrigins: [], trace: true, publicUrl: 'https://x' } as never)
    const served = router.stack
      .filter(({ methods }) => methods.length <= 2)
      .flatMap(({ path, methods }) =>
        methods
          .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
          .map((method) => `${method} ${String(path).replace(/:(\w+)/g, '{$1}')}`),
      )
    expect(routes.map(({ path, method }) => `${method} ${path}`).sort()).toEqual(served.sort())
  })

  it('refers only to schemas that it has, and uses all of them', () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!))
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  it('names every operation once, and every parameter of a path', () => {
    const ids = routes.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of routes)
      expect(operation.parameters.filter((it) => it.in === 'path').map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      )
  })

  it('matches the server: which endpoints need a token, and which answers they give', async () => {
    const server = await openServer()
    const token = await server.token('root', 'admin')
    for (const { path, method, operation } of routes) {
      const target = path.replace(/\{\w+\}/g, 'x')
      const anonymous = await server.request(method, target)
      expect([method, path, anonymous.status === 401]).toEqual([method, path, needsToken(operation)])
      const refused = await server.request(method, target, { token: await server.token('nobody') })
      const known = await server.request(method, target, { token })
      const statuses = [anonymous, refused, known].map(({ status }) => String(status))
      expect(Object.keys(operation.responses), `${method} ${path}`).toEqual(expect.arrayContaining(statuses))
    }
  })

  it('describes every record with exactly its keys', async () => {
    const server = await openServer()
    const token = await server.token('root', 'admin')
    await server.request('PUT', '/users/x', { token, json: { email: 'x@example.com', name: '', roles: [] } })
    const subscribed = await server.ask('POST', '/subscribe', { form: { email: 'x@example.com' } })
    const { id } = subscribed.value.subscription
    const { schemas } = document.components
    const ask = async (path: string) => (await server.ask('GET', path, { token })).value
    const keysOf = async (path: string) => Object.keys(await ask(path))
    const firstOf = async (path: string) => Object.keys((await ask(path)).items[0])
    expect(await keysOf('/users/x')).toEqual(schemas.User!.required)
    expect(await keysOf('/users')).toEqual(schemas.UserList!.required)
    expect(await keysOf('/feeds/default')).toEqual(schemas.Feed!.required)
    expect(await keysOf(`/subscriptions/${id}`)).toEqual(schemas.Subscription!.required)
    expect(await keysOf('/subscriptions')).toEqual([...schemas.SubscriptionList!.required!, 'total'])
    expect(await keysOf('/subscriptions?email=x@example.com')).toEqual(schemas.SubscriptionList!.required)
    expect(await keysOf('/stats')).toEqual(schemas.Stats!.required)
    expect(await firstOf(`/subscriptions/${id}/consent`)).toEqual(schemas.Consent!.required)
    expect(await firstOf('/feeds')).toEqual(schemas.ListedFeed!.required)
    expect(await firstOf('/events')).toEqual(schemas.Event!.required)
    await server.request('POST', (await server.links()).refuse)
    expect(await firstOf('/suppressions')).toEqual(schemas.Suppression!.required)
    expect(await keysOf('/readyz')).toEqual(schemas.Readiness!.required)
    expect(await firstOf('/audit')).toEqual(schemas.AuditRecord!.required)
    expect(Object.keys(subscribed.value)).toEqual(schemas.SubscriptionResult!.required)
  })

  it('is served', async () => {
    const server = await openServer()
    const { status, headers, value } = await server.ask('GET', '/openapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(value).toEqual(JSON.parse(JSON.stringify(document)))
    expect(value.openapi).toMatch(/^3\.1\.\d$/)
  })

  it('documents 412, and the fields that lead to it, wherever a condition is honoured', () => {
    const conditional = routes.filter(({ operation }) => operation.parameters.some(({ name }) => name === 'If-Match'))
    expect(conditional.filter(({ method }) => method === 'GET').length).toBeGreaterThan(10)
    const fields = ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since']
    for (const { path, operation } of routes.filter(({ operation }) => '304' in operation.responses))
      expect(
        operation.parameters.filter((it) => it.in === 'header').map(({ name }) => name),
        path,
      ).toEqual(fields)
    for (const { path, operation } of conditional) expect(Object.keys(operation.responses), path).toContain('412')
  })

  it('documents on every path, also for TRACE, what the server answers before anybody looks at the path', () => {
    const operations = Object.values(paths).flatMap((item) => Object.values(item))
    expect(operations.length).toBeGreaterThan(routes.length)
    const always = expect.arrayContaining(['400', '408', '417', '431', '500', '503'])
    for (const { operationId, responses } of operations) expect(Object.keys(responses), operationId).toEqual(always)
  })

  it('documents the codings of every body, and those in the header of a 415', () => {
    const withBody = routes.filter(({ operation }) => 'requestBody' in operation)
    expect(withBody.length).toBeGreaterThan(8)
    // Amazon compresses nothing, and pictures are compressed.
    const compressed = withBody.filter(
      ({ path }) => !/^\/feedback\/(?:postmark|sendgrid|ses)$/.test(path) && path !== '/feeds/{name}/logo',
    )
    const requestBody = { description: expect.stringMatching(/gzip or deflate/) }
    for (const { path, operation } of compressed) expect(operation, path).toMatchObject({ requestBody })
    const headers = { 'Accept-Encoding': expect.anything() }
    for (const { path, operation } of withBody)
      expect(resolved(operation.responses[415]), path).toMatchObject({ headers })
  })

  it('marks the operations with POST of which a second request is as good as one', async () => {
    const marked = routes.filter(({ method, operation }) => method === 'POST' && 'x-idempotent' in operation)
    const server = await openServer()
    const { move, undo } = await movedAddress(server)
    const token = await server.token('root', 'admin')
    await server.request('POST', '/subscribe', { form: { email: 'x@example.com' } })
    await server.request('PUT', '/users/jane', { token, json: { email: 'z@example.com', name: '', roles: [] } })
    const links: Readonly<Record<string, string>> = await server.links()
    const another = await server.request('POST', '/subscribe', { form: { email: 'y@example.com' } })
    const { id } = JSON.parse(another.body).subscription
    for (const { path, method } of marked) {
      const [, purpose = ''] = path.split('/')
      const known: Readonly<Record<string, string | undefined>> = { ...links, move, undo: await undo() }
      const target =
        known[purpose] ?? path.replace('{subscriptionId}', id).replace('{userId}', 'jane').replace('{name}', 'default')
      const json =
        purpose === 'bulk' ? { users: [{ id: 'nobody' }] } : { reason: 'said so', ids: [id], addresses: ['x'] }
      const once = async () => {
        const { status } = await server.request(method, target, { token, json })
        const { body: events } = await server.request('GET', '/events', { token })
        return { status, events }
      }
      const first = await once()
      expect([path, first.status, await once()]).toEqual([path, 200, first])
    }
    expect(marked.map(({ path, method }) => `${method} ${path}`)).toEqual([
      'POST /confirm/{token}',
      'POST /unsubscribe/{token}',
      'POST /move/{token}',
      'POST /undo/{token}',
      'POST /users/{userId}/suspend',
      'POST /users/{userId}/resume',
      ...['delete', 'restore', 'suspend', 'resume', 'roles'].map((change) => `POST /bulk/users/${change}`),
      'POST /subscriptions/{subscriptionId}/confirm',
      'POST /subscriptions/{subscriptionId}/end',
      'POST /suppressions/check',
      'POST /feedback/accept',
      'POST /feedback/drop',
      'POST /feeds/{name}/recipients/check',
    ])
  })

  it('documents 401 wherever a token is needed, and 403 unless an unknown user gets the same answer', () => {
    for (const { path, method, operation } of routes.filter(({ operation }) => needsToken(operation))) {
      const isGetUser = method === 'GET' && path === '/users/{userId}'
      const refusals = Object.keys(operation.responses).filter((status) => ['401', '403'].includes(status))
      expect([method, path, refusals]).toEqual([method, path, isGetUser ? ['401'] : ['401', '403']])
    }
  })

  it("names the roles of a host's own permission table, and they are those that may", async () => {
    const permissions = Object.fromEntries(
      Object.entries(STANDARD_PERMISSIONS).map(([name, rule]) => [name, { ...rule, roles: [name] }]),
    ) as unknown as PermissionTable
    const everyRole = Object.keys(permissions)
    const server = await openServer({}, undefined, { permissions })
    const served = JSON.parse((await server.request('GET', '/openapi.json')).body).paths
    const guarded = routes.filter(({ operation }) => needsToken(operation))
    expect(guarded.length).toBeGreaterThan(25)
    for (const { path, method } of guarded) {
      const named = /^Needs one of: (.+)\.$/.exec(served[path][method.toLowerCase()].description)![1]!.split(', ')
      const [role, ...others] = everyRole.filter((one) => named.includes(one))
      expect([method, path, others]).toEqual([method, path, []])
      const target = path.replace(/\{\w+\}/g, 'x')
      const withRoles = async (...roles: string[]) =>
        (await server.request(method, target, { token: await server.token('caller', ...roles) })).status
      // Those who may not know of a user get the 404 of one that is not there.
      const isRefusal = (status: number) => status === 403 || (named.includes('self') && status === 404)
      const refused = await withRoles(...everyRole.filter((one) => one !== role))
      expect([method, path, isRefusal(refused)]).toEqual([method, path, true])
      expect([method, path, await withRoles(role!)]).not.toEqual([method, path, 403])
    }
  })
})
