import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'
import { ENTERPRISE, ScimClient, USER } from './scim-client.ts'

let home: Home
let directory: ScimClient

beforeAll(async () => {
  home = await Home.make()
  await home.serveInProcess()
  directory = new ScimClient(home, await home.token('directory', 'provisioner'))
})
afterAll(() => home[Symbol.asyncDispose]())

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const NOBODY = { schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] }
const OBJECT_ID = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'

describe('Entra ID, in the requests that its documentation shows', () => {
  const user = {
    schemas: [USER, ENTERPRISE],
    externalId: OBJECT_ID,
    userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  }

  it('tests the connection, looks for the user, and creates it under its object id', async () => {
    const nobody = await directory.find(`userName eq "${crypto.randomUUID()}"`, '&aadOptscim062020')
    expect(nobody).toMatchObject({ status: 200, body: NOBODY })
    const created = await directory.ask('POST', '/Users', user)
    expect(created).toMatchObject({ status: 201 })
    const { meta, ...shown } = created.body
    expect(shown).toEqual({
      schemas: [USER],
      id: OBJECT_ID,
      ...{ externalId: user.externalId, userName: user.userName, name: user.name, emails: user.emails, active: true },
      displayName: 'givenName familyName',
    })
    expect(meta).toEqual({
      resourceType: 'User',
      created: expect.stringMatching(/^\d{4}-.*Z$/),
      lastModified: meta.created,
      location: `${home.url}/scim/v2/Users/${OBJECT_ID}`,
      version: created.headers.get('etag'),
    })
    expect(created.headers.get('location')).toBe(meta.location)
    expect(created.headers.get('content-type')).toBe('application/scim+json')
    expect((await directory.ask('GET', `/Users/${OBJECT_ID}`)).body).toEqual(created.body)
    const found = { ...NOBODY, totalResults: 1, itemsPerPage: 1, Resources: [created.body] }
    const names = [user.userName, user.userName.toUpperCase()].map((name) => `userName eq "${name}"`)
    for (const filter of [...names, `externalId eq "${OBJECT_ID}"`, `externalId eq "${OBJECT_ID}" and active eq true`])
      expect((await directory.find(filter)).body).toEqual(found)
  })

  it('changes addresses, names and the user name', async () => {
    const changed = await directory.patch(
      OBJECT_ID,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    )
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      emails: [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }],
      name: { formatted: 'givenName familyName', familyName: 'updatedFamilyName', givenName: 'givenName' },
    })
    const userName = '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com'
    const renamed = await directory.patch(OBJECT_ID, { op: 'Replace', path: 'userName', value: userName })
    expect(renamed.body).toMatchObject({ id: OBJECT_ID, userName, emails: changed.body.emails })
    expect((await directory.find(`userName eq "${user.userName}"`)).body.totalResults).toBe(0)
  })

  it('sends what is not kept here together with what is, by paths, extensions and objects', async () => {
    const { status, body } = await directory.patch(
      OBJECT_ID,
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: [{ $ref: '../Users/2819', value: '2819' }] },
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'Main Street 1' },
      { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' },
      { op: 'Remove', path: 'title' },
      { op: 'Replace', path: 'manager', value: '' },
      { op: 'replace', value: { displayName: 'Bjfe', [`${ENTERPRISE}:employeeNumber`]: 'aa' } },
      { op: 'Add', path: `${USER}:name.givenName`, value: 'New' },
      { op: 'replace', value: { 'name.familyName': 'Dotted', 'emails[primary eq true].value': 'dotted@example.com' } },
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ displayName: 'Bjfe', name: { givenName: 'New', familyName: 'Dotted' } })
    expect(body.emails).toMatchObject([{ value: 'dotted@example.com', type: 'work' }])
    expect(Object.keys(body)).not.toContain('addresses')
  })

  it.each([
    ['a text, as it does by default', 'False', 'True'],
    ['a boolean, as it does with the flag aadOptscim062020', false, true],
  ])('disables and enables with %s', async (_, off, on) => {
    const disabled = await directory.patch(OBJECT_ID, { op: 'Replace', path: 'active', value: off })
    expect(disabled).toMatchObject({ status: 200, body: { active: false } })
    expect((await directory.find('active eq "False"')).body.Resources).toEqual([disabled.body])
    const enabled = await directory.patch(OBJECT_ID, { op: 'Replace', path: 'active', value: on })
    expect(enabled.body.active).toBe(true)
  })

  it('deletes for good: 204, then 404, a receipt as of any deletion, and the id never comes back', async () => {
    expect((await directory.ask('DELETE', `/Users/${OBJECT_ID}`)).status).toBe(204)
    for (const [method, body] of [['DELETE'], ['GET'], ['PUT', user]] as const)
      expect(await directory.ask(method, `/Users/${OBJECT_ID}`, body)).toMatchObject({
        status: 404,
        body: { status: '404', detail: expect.stringContaining('was deleted') },
      })
    const admin = await home.token('root', 'admin')
    const headers = { Authorization: `Bearer ${admin}` }
    const receipt = await fetch(`${home.url}/users/${OBJECT_ID}/erasure`, { headers })
    expect(await receipt.json()).toMatchObject({
      ...{ user_id: OBJECT_ID, deleted_by: 'directory', channel: 'scim', role_source: 'token' },
      erased: { users: 1, roles: 0, subscriptions: 0, mails: 0 },
    })
    const body = { scimType: 'uniqueness', detail: expect.stringContaining('deleted') }
    expect(await directory.ask('POST', '/Users', user)).toMatchObject({ status: 409, body })
  })
})

describe('Okta, in the requests that its documentation shows', () => {
  const user = {
    schemas: [USER],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }

  it('looks for the user, creates it, reads it, replaces it, deactivates and reactivates it', async () => {
    expect((await directory.ask('GET', '/Users?startIndex=1&count=2')).status).toBe(200)
    expect((await directory.find('userName eq "test.user@okta.local"', '&startIndex=1&count=100')).body).toEqual(NOBODY)
    const { status, body } = await directory.ask('POST', '/Users', user)
    expect(status).toBe(201)
    const { locale: _1, groups: _2, password: _3, ...kept } = user
    expect(body).toMatchObject({ ...kept, id: user.externalId })
    expect(JSON.stringify(body)).not.toContain('1mz050nq')
    expect((await directory.ask('GET', `/Users/${body.id}`)).body).toEqual(body)

    const replaced = await directory.ask('PUT', `/Users/${body.id}`, {
      ...{ ...user, id: body.id, meta: body.meta },
      name: { givenName: 'Another', middleName: '', familyName: 'User' },
      addresses: null,
      emails: [{ primary: true, value: '', type: 'work' }],
      externalId: null,
      displayName: 'Another User',
    })
    expect(replaced).toMatchObject({
      status: 200,
      body: { displayName: 'Another User', name: { givenName: 'Another', familyName: 'User' }, active: true },
    })
    expect(replaced.body).not.toHaveProperty('externalId')
    const off = await directory.patch(body.id, { op: 'replace', value: { id: body.id, active: false } })
    expect(off).toMatchObject({ status: 200, body: { active: false, displayName: 'Another User' } })
    expect((await directory.patch(body.id, { op: 'replace', value: { password: 'x' } })).body.active).toBe(false)
    const on = await directory.ask('PUT', `/Users/${body.id}`, { ...user, id: body.id })
    expect(on).toMatchObject({ status: 200, body: { active: true, displayName: 'Test User' } })
  })

  it('takes over a user who was here before, found by address and id', async () => {
    await home.run('user', 'put', '00uold', '--email', 'Old.User@example.com', '--name', 'Old User')
    for (const filter of ['userName eq "old.user@example.com"', 'externalId eq "00uold"'])
      expect((await directory.find(filter)).body).toMatchObject({
        totalResults: 1,
        Resources: [{ id: '00uold', userName: 'Old.User@example.com', displayName: 'Old User', active: true }],
      })
    const mine = { ...user, userName: 'old.user@example.com', externalId: '00uold', displayName: 'Older User' }
    const emails = [{ primary: true, value: 'old.user@example.com', type: 'work' }]
    const created = await directory.ask('POST', '/Users', { ...mine, emails })
    expect(created).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    const linked = await directory.ask('PUT', '/Users/00uold', { ...mine, emails })
    expect(linked).toMatchObject({ status: 200, body: { externalId: '00uold', displayName: 'Older User' } })
    await home.run('user', 'put', '00uidn', '--email', 'idn@bücher.example', '--name', 'Idn User')
    for (const userName of ['Idn@Bücher.example', 'idn@xn--bcher-kva.example']) {
      expect((await directory.find(`userName eq "${userName}"`)).body).toMatchObject({ Resources: [{ id: '00uidn' }] })
      const twin = { schemas: [USER], userName, emails: [{ value: 'twin@okta.local' }] }
      expect((await directory.ask('POST', '/Users', twin)).status).toBe(409)
    }
    await directory.ask('DELETE', '/Users/00uidn')
  })

  it('renames users, whose address follows a userName that is one', async () => {
    const { body } = await directory.ask('POST', '/Users', { schemas: [USER], userName: 'rename@Contoso.com' })
    expect(body.emails).toEqual([{ value: 'rename@contoso.com' }])
    const rename = async (id: string, value: string) =>
      (await directory.patch(id, { op: 'replace', path: 'userName', value })).body
    expect((await rename(body.id, 'renamed@Contoso.com')).emails).toEqual([{ value: 'renamed@contoso.com' }])
    const word = { userName: 'renamed', emails: [{ value: 'renamed@contoso.com' }] }
    expect(await rename(body.id, 'renamed')).toMatchObject(word)
    await home.run('user', 'put', '00uword', '--email', 'word@example.com', '--name', 'Word')
    expect(await rename('00uword', 'word')).toMatchObject({ userName: 'word', emails: [{ value: 'word@example.com' }] })
    for (const id of [body.id, '00uword']) await directory.ask('DELETE', `/Users/${id}`)
  })

  it('pages through all users', async () => {
    const page = async (query: string, startIndex: number, itemsPerPage: number) => {
      const { body } = await directory.ask('GET', `/Users?${query}`)
      expect(body).toMatchObject({ totalResults: 2, startIndex, itemsPerPage })
      return body.Resources
    }
    await page('startIndex=1&count=1', 1, 1)
    const second = await page('startIndex=2&count=1', 2, 1)
    await page('startIndex=3&count=1', 3, 0)
    await page('count=0', 1, 0)
    expect(second).toEqual((await page('startIndex=-5&count=1000', 1, 2)).slice(1))
  })
})
