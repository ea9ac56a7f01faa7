import { describe, expect, it } from 'vitest'
import { type Documented, document, type Linked, paths, routes } from './support/documented.ts'
import { openServer } from './support/open-server.ts'

const schemaOf = (path: string, method: string, name: string) =>
  paths[path]![method]!.parameters.find((it) => it.name === name)?.schema

describe('/openapi.json', () => {
  it('documents TRACE on every path, and on none where it is off', async () => {
    for (const methods of Object.values(paths)) expect(Object.keys(methods.trace!.responses)).toContain('200')
    const server = await openServer({ trace: false })
    const served = JSON.parse((await server.request('GET', '/openapi.json')).body).paths
    for (const methods of Object.values<object>(served)) expect(methods).not.toHaveProperty('trace')
  })

  it('says of every parameter which values it takes', () => {
    const limits = routes.flatMap(({ operation }) => operation.parameters.filter(({ name }) => name === 'limit'))
    expect(limits.length).toBeGreaterThan(6)
    for (const { schema } of limits) expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 200 })
    for (const [path, name] of [
      ['/users', 'cursor'],
      ['/audit', 'after'],
      ['/events', 'after'],
    ] as const)
      expect(schemaOf(path, 'get', name)).toMatchObject({ pattern: expect.any(String) })
    const status = { type: 'string', enum: ['pending', 'confirmed', 'ended'] }
    expect(schemaOf('/subscriptions', 'get', 'status')).toEqual(status)
    expect(schemaOf('/subscriptions/export', 'get', 'format')).toMatchObject({ enum: ['ndjson', 'csv'] })
    expect(schemaOf('/users/{userId}', 'delete', 'subscriptions')).toMatchObject({ enum: ['keep', 'erase'] })
    expect(schemaOf('/users/{userId}', 'delete', 'subscriptions_expected')).toMatchObject({ type: 'integer' })
    expect(schemaOf('/users', 'get', 'role')).toEqual({ $ref: '#/components/schemas/Role' })
    expect(document.components.schemas.Role).toEqual({
      type: 'string',
      enum: ['admin', 'auditor', 'form', 'provisioner', 'sender'],
    })
  })

  it('has a cursor for every place in a list that the service takes', async () => {
    const cursor = new RegExp((schemaOf('/users', 'get', 'cursor') as { pattern: string }).pattern)
    const server = await openServer()
    const token = await server.token('root', 'admin')
    for (const [text, status] of [
      ['1', 200],
      ['0000000000000012', 200],
      ['', 400],
      ['-1', 200],
      ['--1', 400],
      ['12a', 400],
      ['99999999999999999', 400],
    ] as const) {
      expect([text, cursor.test(text)]).toEqual([text, status === 200])
      expect([text, (await server.request('GET', `/users?cursor=${text}`, { token })).status]).toEqual([text, status])
    }
  })

  it('links answers to operations that there are, and to parameters that they have', () => {
    const byId = new Map(routes.map(({ operation }) => [operation.operationId, operation]))
    const links = routes.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap((response) =>
        Object.values((response as { links?: Record<string, Linked> }).links ?? {}),
      ),
    )
    expect(links.length).toBeGreaterThan(30)
    for (const { operationId, parameters } of links)
      expect(byId.get(operationId)?.parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(Object.keys(parameters)),
      )
  })

  it('has an example of every form, which the service takes in both syntaxes', async () => {
    const server = await openServer()
    const token = await server.token('root', 'admin')
    const exampleOf = (operation: Documented, type: string) => operation.requestBody?.content[type]?.example
    const withForm = routes.filter(({ operation }) => exampleOf(operation, 'application/json') !== undefined)
    expect(withForm.length).toBeGreaterThan(10)
    for (const { path, method, operation } of withForm) {
      const example = exampleOf(operation, 'application/json')!
      const isPatch = method === 'PATCH'
      const other = isPatch ? 'application/merge-patch+json' : 'application/x-www-form-urlencoded'
      const isJsonOnly = operation.requestBody?.content[other] === undefined
      if (!isJsonOnly) expect(exampleOf(operation, other)).toEqual(example)
      const encoded = (value: unknown) =>
        [value].flat().some((one) => typeof one === 'object') ? JSON.stringify(value) : undefined
      const form = Object.fromEntries(
        Object.entries(example).map(([name, value]) => [
          name,
          encoded(value) ?? (Array.isArray(value) ? value.join(' ') : String(value)),
        ]),
      )
      for (const body of [{ json: example }, ...(isPatch || isJsonOnly ? [] : [{ form }])]) {
        const { status } = await server.request(method, path.replace(/\{\w+\}/g, 'x'), { token, ...body })
        // There is no such user, feed or link, but nothing is wrong with the form.
        expect([200, 201, 204, 404]).toContain(status)
      }
    }
  })
})
