import { beforeEach, describe, expect, it } from 'vitest'
import { type OpenServer, openServer } from './support/open-server.ts'

const NDJSON = 'application/x-ndjson'

describe('POST /users/import', () => {
  let server: OpenServer
  let admin: string
  beforeEach(async () => {
    server = await openServer()
    admin = await server.token('root', 'admin')
  })

  const send = async (body: string, type = NDJSON, query = '', token: string | undefined = admin) => {
    const headers = { 'Content-Type': type }
    const answer = await server.request('POST', `/users/import${query}`, { token, headers, body })
    const lines = answer.body.trim().split('\n')
    return { ...answer, lines: lines.map((line) => JSON.parse(line)) }
  }
  const listed = async () => {
    const { body } = await server.request('GET', '/users', { token: admin })
    return JSON.parse(body).items
  }

  it('adds users from NDJSON, with a line for each refused row and the summary', async () => {
    const rows = [
      { id: 'ada', email: 'Ada@example.com', name: 'Ada', roles: ['auditor', 'admin'], unknown: 1 },
      { id: 'bob', email: 'not an address', name: 1, roles: ['king'] },
      'no object',
      { id: 'ada', email: 'other@example.com' },
      { id: 'eve', email: 'ada@EXAMPLE.com' },
      { id: 'x@example.com', email: 'x@example.com' },
      { id: 'gil', email: 'gil.mail@example.com', roles: null },
    ]
    const { status, headers, lines } = await send(rows.map((row) => JSON.stringify(row)).join('\n'))
    expect([status, headers['content-type']]).toEqual([200, NDJSON])
    expect(lines).toMatchObject([
      { line: 2, error: 'InvalidInput', details: [{ field: 'email' }, { field: 'name' }, { field: 'roles' }] },
      { line: 3, error: 'MalformedRow' },
      { line: 4, error: 'UserExists' },
      { line: 5, error: 'EmailTaken' },
      { line: 6, error: 'InvalidInput', details: [{ field: 'id' }] },
      { rows: 7, imported: 2, refused: 5, interrupted: false },
    ])
    expect(await listed()).toMatchObject([
      { id: 'ada', email: 'Ada@example.com', name: 'Ada', roles: ['admin', 'auditor'] },
      { id: 'gil', email: 'gil.mail@example.com', name: '', roles: [] },
    ])
  })

  it('adds users from CSV, with columns of other names', async () => {
    const csv =
      'login;E-Mail;name;roles\r\nada;ada.mail@example.com;"Ada; L.";admin auditor\r\n\r\n\'=x;y@example.com;;\r\ny;\'-y@example.com;;\r\n'
    const { lines } = await send(csv, 'text/csv', '?map=id:login,email:E-Mail')
    expect(lines).toMatchObject([
      { line: 4, error: 'InvalidInput', details: [{ field: 'id' }] },
      { line: 5, error: 'InvalidInput', details: [{ field: 'email' }] },
      { rows: 3, imported: 1, refused: 2 },
    ])
    expect(await listed()).toMatchObject([{ id: 'ada', name: 'Ada; L.', roles: ['admin', 'auditor'] }])
  })

  it('takes rows of CSV without empty last cells, but for those that may decide', async () => {
    const csv = (column: string) =>
      `id,email,${column},name\nada,a@example.com,,\nbob,b@example.com,\neve,e@example.com\n`
    for (const column of ['roles', 'suspended_at'])
      expect((await send(csv(column), 'text/csv', '?dry_run=true')).lines).toMatchObject([
        { line: 4, error: 'MalformedRow' },
        { imported: 2 },
      ])
    const { lines } = await send(csv('phone'), 'text/csv')
    expect(lines).toMatchObject([{ rows: 3, imported: 3 }])
  })

  it.each([
    ['text/plain', '', 415, 'UnsupportedMediaType'],
    [NDJSON, '?map=king:x', 422, 'InvalidInput'],
    [NDJSON, '?dry_run=perhaps', 422, 'InvalidInput'],
    ['text/csv', '', 422, 'InvalidInput'],
  ])('refuses %s with %s', async (type, query, status, error) => {
    const answer = await send('name\nx\n', type, query)
    expect([answer.status, answer.lines[0].error]).toEqual([status, error])
  })

  it('leaves a user whose id is `import` in reach', async () => {
    const json = { email: 'i@example.com', name: '', roles: [] }
    expect((await server.request('PUT', '/users/import', { token: admin, json })).status).toBe(201)
    const got = await server.request('GET', '/users/import', { token: admin })
    const head = await server.request('HEAD', '/users/import', { token: admin })
    expect([got.status, JSON.parse(got.body).id, head.status]).toEqual([200, 'import', 200])
    expect((await server.request('PATCH', '/users/import', { token: admin, json: { name: 'I' } })).status).toBe(200)
    expect((await server.request('DELETE', '/users/import', { token: admin })).status).toBe(204)
    const { status, headers } = await server.request('PROPFIND', '/users/import', { token: admin })
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS, TRACE'])
  })
})
