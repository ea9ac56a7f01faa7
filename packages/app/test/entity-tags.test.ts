import path from 'node:path'
import { createClient } from '@rollcall/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChangeTag, EntityTagProxy, weakIfCompressed } from './entity-tag-proxy.ts'
import { OPERATOR, RemoteService, runAway } from './remote-service.ts'

// Those that compress whatever is asked for, those that name what they did, and those that drop what they cannot keep.
const STUBBORN: readonly (readonly [name: string, change: ChangeTag])[] = [
  ['makes it weak', (tag) => `W/${tag}`],
  ['adds what it did', (tag) => tag.replace(/"$/, '-gzip"')],
  ['removes it', () => undefined],
]

describe('behind a proxy that changes entity tags', () => {
  let service: RemoteService
  let token: string
  beforeAll(async () => {
    service = await RemoteService.open()
    token = await service.token('root', 'admin')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const store = async (userId: string) => {
    const user = { userId, email: `${userId}@example.com`, name: userId, roles: [] }
    await service.composition.useCases.putUser.execute(user, OPERATOR)
  }
  /** Makes a plan for a user, and applies it through the proxy. */
  const applied = async (userId: string, { url }: EntityTagProxy) => {
    await store(userId)
    const plan = path.join(service.folder, userId)
    const run = async (...argv: readonly string[]) =>
      await runAway(['user', 'delete', ...argv, '--server', url, '--token', token])
    expect((await run(userId, '--plan', plan)).exitCode).toBe(0)
    return await run('--apply', plan, '--yes')
  }

  it('applies a plan where the proxy compresses what asks for it', async () => {
    await using proxy = await EntityTagProxy.start(service.url, weakIfCompressed)
    const { exitCode, stderr } = await applied('compressed', proxy)
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('refused')])
  })

  it.each(STUBBORN)('applies a plan all the same, where it %s in any case', async (name, change) => {
    await using proxy = await EntityTagProxy.start(service.url, change)
    expect((await applied(name.replaceAll(' ', '-'), proxy)).exitCode).toBe(0)
  })

  it('still says of a user who was changed that this is why', async () => {
    await using proxy = await EntityTagProxy.start(service.url, (tag) => `W/${tag}`)
    await store('changed')
    const plan = path.join(service.folder, 'changed')
    const run = async (...argv: readonly string[]) =>
      await runAway(['user', 'delete', ...argv, '--server', proxy.url, '--token', token])
    await run('changed', '--plan', plan)
    const later = { userId: 'changed', email: 'later@example.com', name: 'Later', roles: [] }
    await service.composition.useCases.putUser.execute(later, OPERATOR)
    const { exitCode, stdout, stderr } = await run('--apply', plan, '--yes')
    expect([exitCode, `${stdout}${stderr}`]).toEqual([3, expect.not.stringContaining('proxy')])
  })

  it.each(STUBBORN)('lets the client say so, too, where it %s', async (_name, change) => {
    await using proxy = await EntityTagProxy.start(service.url, change)
    await store('ada')
    const client = createClient({ url: proxy.url, token })
    const { headers } = await client.try.getUser({ userId: 'ada' })
    const ifMatch = headers.get('ETag') ?? ''
    await expect(client.deleteUser({ userId: 'ada', ifMatch })).rejects.toMatchObject({
      error: 'PreconditionFailed',
      message: expect.stringMatching(/^A proxy changed or removed the entity tag/),
    })
    // To read, it is enough that the tag is of the same state (RFC 9110 section 13.1.2).
    const ifNoneMatch = ifMatch
    const again = await client.try.getUser({ userId: 'ada', ifNoneMatch })
    expect(again.status).toBe(ifMatch === '' ? 200 : 304)
  })

  it('lets the client write where the proxy compresses what asks for it', async () => {
    await using proxy = await EntityTagProxy.start(service.url, weakIfCompressed)
    await store('bob')
    const client = createClient({ url: proxy.url, token })
    const ifMatch = (await client.try.getUser({ userId: 'bob' })).headers.get('ETag') ?? ''
    await client.deleteUser({ userId: 'bob', ifMatch })
    // Of a record that has changed, nothing else is said than before.
    await store('eve')
    await expect(client.deleteUser({ userId: 'eve', ifMatch })).rejects.toMatchObject({
      message: expect.not.stringContaining('proxy'),
    })
  })
})
