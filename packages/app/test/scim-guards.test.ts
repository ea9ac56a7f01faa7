import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'
import { ERROR, PATCH, ScimClient, USER } from './scim-client.ts'

let home: Home
let directory: ScimClient
const tokens: Record<string, string> = {}

beforeAll(async () => {
  home = await Home.make()
  await home.serveInProcess()
  for (const role of ['provisioner', 'admin', 'auditor', 'sender']) tokens[role] = await home.token(`a-${role}`, role)
  tokens.nobody = await home.token('nobody')
  directory = new ScimClient(home, tokens.provisioner ?? '')
  await home.run('user', 'put', 'boss', '--email', 'boss@example.com', '--name', 'Boss', '--role', 'admin')
  await home.run('user', 'put', 'eve', '--email', 'eve@example.com', '--name', 'Eve', '--role', 'auditor')
})
afterAll(() => home[Symbol.asyncDispose]())

const aUser = (name: string, more: object = {}) => ({ schemas: [USER], userName: `${name}@example.com`, ...more })
const http = async (method: string, path: string, token = tokens.admin, body?: object) => {
  const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) }
  const answer = await fetch(`${home.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}
const stored = async (id: string) => (await http('GET', `/users/${id}`)).body

describe('who may', () => {
  it.each([
    ['GET', '/Users', undefined],
    ['GET', '/Users/eve', undefined],
    ['GET', '/Users/never-was', undefined],
    ['POST', '/Users', '{'],
    ['PUT', '/Users/eve', '{'],
    ['PATCH', '/Users/eve', '{'],
    ['DELETE', '/Users/eve', undefined],
  ])(
    '%s %s: nobody without a token, or with one that has another role, before the body is read',
    async (method, path, given) => {
      const request = [method, path, given] as const
      const refused = (status: number, more = {}) => ({
        ...{ status, body: { schemas: [ERROR], status: String(status), ...more } },
      })
      for (const token of ['x', 'a.b.c']) expect(await directory.ask(...request, { token })).toMatchObject(refused(401))
      const detail = expect.stringMatching(/ over SCIM requires the 'provisioner' role\.$/)
      for (const role of ['admin', 'auditor', 'sender', 'nobody'])
        expect(await directory.ask(...request, { token: tokens[role] })).toMatchObject(refused(403, { detail }))
    },
  )

  it('is nobody but directories, also for oneself', async () => {
    const eve = await home.token('eve')
    expect((await http('GET', '/users/eve', eve)).status).toBe(200)
    expect((await directory.ask('GET', '/Users/eve', undefined, { token: eve })).status).toBe(403)
  })

  it('is a directory nowhere else: what HTTP says is what it said to any caller without a role', async () => {
    const body = { error: 'InsufficientPermissions', message: "Deleting users requires the 'admin' role." }
    expect(await http('DELETE', '/users/eve', tokens.provisioner)).toEqual({ status: 403, body })
    for (const path of ['/users', '/audit']) expect((await http('GET', path, tokens.provisioner)).status).toBe(403)
    expect((await http('POST', '/users/eve/suspend', tokens.provisioner)).status).toBe(403)
  })

  it('reads what is supported without a token', async () => {
    for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas', `/Schemas/${USER}`])
      expect((await fetch(`${home.url}/scim/v2${path}`)).status).toBe(200)
  })

  it('holds at once for a directory that was suspended, or whose token was revoked', async () => {
    const subject = 'a-directory'
    await home.run('user', 'put', subject, '--email', 'directory@example.com', '--name', 'D', '--role', 'provisioner')
    const token = await home.token(subject)
    const read = async () => (await directory.ask('GET', '/Users/eve', undefined, { token })).status
    expect(await read()).toBe(200)
    await home.run('user', 'set', subject, '--role', 'auditor')
    expect(await read()).toBe(403)
    await home.run('user', 'set', subject, '--role', 'provisioner')
    expect(await read()).toBe(200)
    await home.run('user', 'suspend', subject)
    expect(await read()).toBe(401)
  })
})

describe('an administrator', () => {
  it('is shown to a directory, and neither changed, suspended nor deleted by it; each attempt is in the trail', async () => {
    const before = await stored('boss')
    const shown = { active: true, roles: [{ value: 'admin' }] }
    expect((await directory.ask('GET', '/Users/boss')).body).toMatchObject(shown)
    const answers = [
      await directory.ask('PUT', '/Users/boss', aUser('boss', { displayName: 'No' })),
      await directory.patch('boss', { op: 'replace', path: 'active', value: false }),
      await directory.patch('boss', { op: 'replace', path: 'displayName', value: 'No' }),
      await directory.ask('DELETE', '/Users/boss'),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('no administrator') } })
    expect(await stored('boss')).toEqual(before)
    const attempts = async () => {
      const items: Record<string, string>[] = (await http('GET', '/audit?target=boss&limit=200')).body.items
      const refused = items.filter(({ channel, outcome }) => channel === 'scim' && outcome !== 'done')
      return refused.reduce((sum, { count }) => sum + Number(count), 0)
    }
    await expect.poll(attempts).toBe(4)
  })

  it('is made by no directory: roles are read only, and kept', async () => {
    const rita = aUser('rita', { externalId: 'rita', roles: [{ value: 'admin' }] })
    expect(await directory.ask('POST', '/Users', rita)).toMatchObject({ status: 201 })
    expect((await stored('rita')).roles).toEqual([])
    for (const operation of [
      { op: 'add', path: 'roles', value: [{ value: 'admin' }] },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'admin' },
      { op: 'replace', value: { id: 'rita', meta: {}, groups: [], roles: [{ value: 'admin' }] } },
    ])
      expect(await directory.patch('rita', operation)).toMatchObject({ status: 400, body: { scimType: 'mutability' } })
    expect((await directory.ask('PUT', '/Users/eve', aUser('eve', { roles: [] }))).status).toBe(200)
    expect(await stored('eve')).toMatchObject({ roles: ['auditor'] })
  })
})

describe('users', () => {
  it('are unique by user name and by address', async () => {
    await directory.ask('POST', '/Users', aUser('uma', { externalId: 'uma' }))
    const emails = [{ value: 'UMA@example.com' }]
    for (const [body, detail] of [
      [aUser('UMA'), 'userName'],
      [{ schemas: [USER], userName: 'other', emails }, 'e-mail address'],
      [aUser('another', { externalId: 'uma' }), "id 'uma'"],
      [aUser('eve'), 'userName'],
    ] as const)
      expect(await directory.ask('POST', '/Users', body)).toMatchObject({
        status: 409,
        body: { scimType: 'uniqueness', detail: expect.stringContaining(detail) },
      })
    await directory.ask('POST', '/Users', aUser('ulf', { externalId: 'ulf' }))
    const taken = { status: 409, body: { scimType: 'uniqueness' } }
    for (const path of ['userName', 'emails.value'])
      expect(await directory.patch('ulf', { op: 'replace', path, value: 'uma@example.com' })).toMatchObject(taken)
  })

  it('are found alone by their user name, also where it is the address of somebody whom no directory knows', async () => {
    const emails = [{ value: 'mail-of-login@example.com' }]
    const { body: made } = await directory.ask('POST', '/Users', aUser('login', { emails }))
    const namesake = { email: 'login@example.com', name: '', roles: [] }
    expect((await http('PUT', '/users/namesake', tokens.admin, namesake)).status).toBe(201)
    const found = { totalResults: 1, Resources: [{ id: made.id }] }
    expect((await directory.find('userName eq "Login@example.com"')).body).toMatchObject(found)
  })

  it('get an id of their own where the directory has none that could be one', async () => {
    for (const [n, externalId] of [undefined, 'a b', 'operator:x', '..', 'x@example.com', 'ä'].entries()) {
      const { status, body } = await directory.ask('POST', '/Users', aUser(`own-${n}`, { externalId }))
      expect(status).toBe(201)
      expect(body.id).toMatch(/^[\da-f-]{36}$/)
      expect(body.externalId).toBe(externalId)
    }
  })

  it('may be created suspended, and a change that is refused leaves nobody with more than before', async () => {
    const created = await directory.ask('POST', '/Users', aUser('sue', { externalId: 'sue', active: false }))
    expect(created).toMatchObject({ status: 201, body: { active: false } })
    const { created_at, suspended_at } = await stored('sue')
    expect(suspended_at).toBe(created_at)
    const taken = { op: 'replace', path: 'userName', value: 'eve@example.com' }
    const enable = await directory.patch('sue', { op: 'replace', path: 'active', value: true }, taken)
    expect([enable.status, (await stored('sue')).suspended_at]).toEqual([409, expect.any(String)])
    const wrong = await directory.patch('sue', { op: 'replace', path: 'active', value: true }, { op: 'x' })
    expect([wrong.status, (await stored('sue')).suspended_at]).toEqual([400, expect.any(String)])
    await directory.patch('sue', { op: 'replace', path: 'active', value: true })
    const disable = await directory.patch('sue', { op: 'replace', path: 'active', value: false }, taken)
    expect([disable.status, (await stored('sue')).suspended_at]).toEqual([409, expect.any(String)])
  })

  it('stay suspended, whoever suspended them, until a directory says that they are active', async () => {
    await directory.ask('POST', '/Users', aUser('held', { externalId: 'held' }))
    await http('POST', '/users/held/suspend', tokens.admin, {})
    await directory.patch('held', { op: 'replace', path: 'displayName', value: 'Held' })
    await directory.ask('PUT', '/Users/held', aUser('held', { displayName: 'Held Again' }))
    expect(await stored('held')).toMatchObject({ name: 'Held Again', suspended_at: expect.any(String) })
    await directory.ask('PUT', '/Users/held', aUser('held', { active: true }))
    expect(await stored('held')).not.toHaveProperty('suspended_at')
  })

  it('are changed only in the state that the client knows, where it names one', async () => {
    const { headers, body } = await directory.ask('POST', '/Users', aUser('tag', { externalId: 'tag' }))
    const etag = headers.get('etag') ?? ''
    expect(body.meta.version).toBe(etag)
    const known = { headers: { 'If-None-Match': `W/${etag}` } }
    expect((await directory.ask('GET', '/Users/tag', undefined, known)).status).toBe(304)
    const rename = (displayName: string, tag: string) =>
      directory.ask('PUT', '/Users/tag', aUser('tag', { displayName }), { headers: { 'If-Match': tag } })
    expect((await rename('One', etag)).status).toBe(200)
    for (const tag of [etag, '"x"', ''])
      expect(await rename('Two', tag)).toMatchObject({ status: 412, body: { schemas: [ERROR], status: '412' } })
    expect((await directory.ask('DELETE', '/Users/tag', undefined, { headers: { 'If-Match': etag } })).status).toBe(412)
    expect((await directory.ask('GET', '/Users/tag')).body.displayName).toBe('One')
    expect((await directory.ask('DELETE', '/Users/tag', undefined, { headers: { 'If-Match': '*' } })).status).toBe(204)
  })

  it('are not changed by a request that is refused for what it asks to be shown', async () => {
    const both = '?attributes=id&excludedAttributes=name'
    const body = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'displayName', value: 'Late' }] }
    for (const [method, path, sent] of [
      ['POST', `/Users${both}`, aUser('late', { externalId: 'late' })],
      ['PUT', `/Users/eve${both}`, aUser('eve', { displayName: 'Late' })],
      ['PATCH', `/Users/eve${both}`, body],
    ] as const)
      expect(await directory.ask(method, path, sent)).toMatchObject({
        status: 400,
        body: { scimType: 'invalidSyntax' },
      })
    expect((await http('GET', '/users/late')).status).toBe(404)
    expect((await stored('eve')).name).not.toBe('Late')
  })

  it('keep every change of many at the same time', async () => {
    await directory.ask('POST', '/Users', aUser('busy', { externalId: 'busy' }))
    const changes = [
      { op: 'replace', path: 'displayName', value: 'Busy' },
      { op: 'replace', path: 'name.familyName', value: 'Bee' },
      { op: 'replace', path: 'externalId', value: 'b' },
    ]
    const answers = await Promise.all(changes.map((operation) => directory.patch('busy', operation)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { body } = await directory.ask('GET', '/Users/busy')
    expect(body).toMatchObject({ displayName: 'Busy', name: { familyName: 'Bee' }, externalId: 'b', id: 'busy' })
  })

  it('are part of the export of a person, and gone with it', async () => {
    const parts = {
      name: { familyName: 'Export', givenName: 'Ada' },
      emails: [{ value: 'ada@example.com', type: 'home' }],
    }
    await directory.ask('POST', '/Users', { schemas: [USER], userName: 'ada.export', externalId: 'ada-x', ...parts })
    expect((await http('GET', '/users/ada-x/export')).body).toMatchObject({
      user: { id: 'ada-x', email: 'ada@example.com', name: 'Ada Export' },
      provisioned: {
        ...{ user_name: 'ada.export', external_id: 'ada-x', email_type: 'home' },
        ...{ family_name: 'Export', given_name: 'Ada' },
      },
    })
    await directory.ask('DELETE', '/Users/ada-x')
    expect((await directory.find('userName eq "ada.export"')).body.totalResults).toBe(0)
    const again = await directory.ask('POST', '/Users', { schemas: [USER], userName: 'ada.export', ...parts })
    expect(again.status).toBe(201)
  })

  it('are shown in part where a client asks for parts', async () => {
    const part = aUser('part', { externalId: 'part', name: { familyName: 'F', givenName: 'G' } })
    await directory.ask('POST', '/Users', part)
    const keys = async (query: string) => Object.keys((await directory.ask('GET', `/Users/part?${query}`)).body)
    expect(await keys('attributes=userName')).toEqual(['schemas', 'id', 'userName'])
    const others = ['schemas', 'id', 'externalId', 'userName', 'displayName', 'active']
    expect(await keys('excludedAttributes=emails,ID,meta,name')).toEqual(others)
    const { body } = await directory.ask('GET', `/Users/part?attributes=${USER}:name.familyName`)
    expect(body).toEqual({ schemas: [USER], id: 'part', name: { familyName: 'F' } })
  })
})

describe('requests that are not understood', () => {
  const operations = (...Operations: unknown[]) => ({ schemas: [PATCH], Operations })
  const set = (path: unknown, value: unknown) => operations({ op: 'replace', path, value })
  const long = 'x'.repeat(9_000)

  const isRefused = async (
    [method, path, body]: readonly [method: string, path: string, body?: unknown],
    status: number,
    scimType?: string | RegExp,
  ) => {
    const answer = await directory.ask(method, path, body)
    const detail = expect.stringMatching(/\.$/)
    expect(answer).toMatchObject({ status, body: { schemas: [ERROR], status: String(status), detail } })
    expect(answer.headers.get('content-type')).toBe('application/scim+json')
    if (scimType instanceof RegExp) expect(answer.body.scimType).toMatch(scimType)
    else expect(answer.body.scimType).toBe(scimType)
    expect(await stored('eve')).not.toHaveProperty('suspended_at')
  }

  it.each([
    ['{', 'invalidSyntax'],
    ['[]', 'invalidSyntax'],
    ['null', 'invalidSyntax'],
    ['\ud800', 'invalidSyntax'],
    [{}, 'invalidValue'],
    [{ schemas: ['urn:x'], userName: 'a@example.com' }, 'invalidSyntax'],
    [{ schemas: 7, userName: 'a@example.com' }, 'invalidSyntax'],
    [aUser('x', { username: 'y' }), 'invalidSyntax'],
    ['{"userName":"a@example.com","userName":"b@example.com"}', 'invalidSyntax'],
    [{ userName: 'no-address' }, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: '\n@example.com' }, 'invalidValue'],
    [{ userName: `${long}@example.com` }, 'invalidValue'],
    [aUser('x', { active: 'maybe' }), 'invalidValue'],
    [aUser('x', { name: 'text' }), 'invalidValue'],
    [{ userName: 'no-address', emails: [] }, 'invalidValue'],
    [aUser('x', { emails: [7] }), 'invalidValue'],
    [aUser('x', { emails: [{ value: 'not one' }] }), 'invalidValue'],
    [aUser('x', { externalId: { $gt: '' } }), 'invalidValue'],
  ])('%#: a new user', (body, scimType) => isRefused(['POST', '/Users', body], 400, scimType))

  it.each([
    [{}, 'invalidSyntax'],
    [{ schemas: [USER], active: false }, 'invalidSyntax'],
    [operations(), 'invalidSyntax'],
    [operations(7), 'invalidSyntax'],
    [operations({ op: 'move' }), 'invalidSyntax'],
    [operations(...Array(101).fill({ op: 'add', path: 'title', value: '' })), 'invalidSyntax'],
    [operations({ op: 'remove' }), 'noTarget'],
    [operations({ op: 'remove', path: 'userName' }), 'invalidValue'],
    [operations({ op: 'remove', path: 'active' }), 'invalidValue'],
    [operations({ op: 'remove', path: 'emails' }), 'invalidValue'],
    [operations({ op: 'replace', value: { emails: [] } }), 'invalidValue'],
    [set('id', 'x'), 'mutability'],
    [set('meta.version', 'x'), 'mutability'],
    [set('actve', false), 'invalidPath'],
    [operations({ op: 'replace', value: { actve: false } }), 'invalidPath'],
    [set('__proto__', {}), 'invalidPath'],
    ['{"Operations":[{"op":"replace","value":{"__proto__":{"active":false}}}]}', 'invalidPath'],
    [set('constructor', {}), 'invalidPath'],
    [set('active[type eq "x"]', false), 'invalidPath'],
    [set('emails[', 'x'), 'invalidPath'],
    [set('emails[x eq "y"].value', 'x'), 'invalidFilter'],
    [set('emails[type ne "y"].value', 'x'), 'invalidFilter'],
    [set(`emails[${'"'.repeat(3_000)}`, 'x'), 'invalidPath'],
    [
      operations(
        { op: 'replace', path: 'active', value: false },
        { op: 'Replace', path: 'emails[type eq "home"].value', value: 'x@example.com' },
      ),
      'noTarget',
    ],
    [set(7, 'x'), 'invalidPath'],
    [operations({ op: 'replace', path: 'active' }), 'invalidValue'],
    [operations({ op: 'replace', value: 'x' }), 'invalidValue'],
    [set('active', null), 'invalidValue'],
    [set('active', ['false']), 'invalidValue'],
  ])('%#: a patch', (body, scimType) => isRefused(['PATCH', '/Users/eve', body], 400, scimType))

  it.each([
    ['POST', '/Users', aUser('x', { displayName: 'x'.repeat(17_000) }), 413, undefined],
    ['PATCH', '/Users/never-was', set('active', false), 404, undefined],
    ['PUT', '/Users/never-was', aUser('never'), 404, undefined],
    ['DELETE', '/Users/never-was', undefined, 404, undefined],
    ['DELETE', '/Users/operator:root', undefined, 404, undefined],
    ['GET', '/Users/%2e%2e', undefined, 404, undefined],
    ['GET', '/Users/%zz', undefined, 400, 'invalidSyntax'],
    ['GET', '/Users?startIndex=one', undefined, 400, 'invalidValue'],
    ['GET', '/Users?count=1e3', undefined, 400, 'invalidValue'],
    ['GET', '/Users?attributes=id&excludedAttributes=name', undefined, 400, 'invalidSyntax'],
    ...['userName', 'userName co "x"', 'userName eq null', 'userName eq "x" or active eq true', 'password eq "x"'].map(
      (filter) => ['GET', `/Users?filter=${encodeURIComponent(filter)}`, undefined, 400, 'invalidFilter'] as const,
    ),
    ...[
      '',
      'active eq "x"',
      'userName eq true',
      'userName eq "a" and userName eq "b"',
      '__proto__ eq "x"',
      `${'('.repeat(3_000)}`,
    ].map((filter) => ['GET', `/Users?filter=${encodeURIComponent(filter)}`, undefined, 400, /^invalid/] as const),
    ['GET', '/Groups', undefined, 404, undefined],
    ['GET', '/users', undefined, 404, undefined],
    ['GET', '/Users/', undefined, 404, undefined],
    ['GET', '', undefined, 404, undefined],
    ['POST', '/Bulk', {}, 501, undefined],
    ['POST', '/.search', {}, 501, undefined],
    ['GET', '/Me', undefined, 501, undefined],
    ['POST', '/Schemas', {}, 405, undefined],
    ['DELETE', '/Users', undefined, 405, undefined],
  ] as const)('%#: %s %s', (method, path, body, status, scimType) => isRefused([method, path, body], status, scimType))

  it('have the type that SCIM or JSON has', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/scim+json; charset=latin1']) {
      const answer = await directory.ask('POST', '/Users', aUser('x'), { headers: { 'Content-Type': type } })
      expect(answer).toMatchObject({ status: 415, body: { schemas: [ERROR] } })
    }
    const json = { headers: { 'Content-Type': 'application/json; charset=utf-8' } }
    expect((await directory.ask('POST', '/Users', aUser('json'), json)).status).toBe(201)
  })

  it('are answered as any path is: OPTIONS, HEAD and the id of the request', async () => {
    const options = await directory.ask('OPTIONS', '/Users/eve')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'])
    const head = await directory.ask('HEAD', '/Users/eve', undefined, { headers: { 'X-Request-Id': 'r-1' } })
    expect([head.status, head.body, head.headers.get('x-request-id')]).toEqual([200, undefined, 'r-1'])
    expect(head.headers.get('etag')).toMatch(/^".{27}"$/)
  })
})
