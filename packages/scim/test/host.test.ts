import { openMemoryService } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import { createScim } from '../src/index.ts'

it('leaves the users of a host alone that keeps them itself, for those who may know', async () => {
  const { useCases, tokens } = openMemoryService()
  const ofHost = { ...useCases, readers: { users: { keptByHost: true } } }
  const scim = createScim({ useCases: ofHost, publicUrl: 'https://rollcall.example', tokenIn: (token) => token })
  const ask = async (role: string) => {
    const { token: authorization } = await tokens.issue({ subject: 'directory', roles: [role], lifetime: 60 })
    const request = { method: 'GET', path: '/Users', query: '', headers: { authorization }, requestId: 'r-1' }
    return await scim.answer({ ...request, body: () => Promise.reject(new Error('There is no body.')) })
  }
  expect(await ask('provisioner')).toMatchObject({ status: 501, body: expect.stringContaining('provisioned itself') })
  await expect(ask('admin')).rejects.toMatchObject({ name: 'InsufficientPermissions' })
})

const patchOfEve = (authorization: string, operation: object) => {
  const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] }
  const headers = { authorization, 'content-type': 'application/scim+json' }
  const request = { method: 'PATCH', path: '/Users/eve', query: '', headers, requestId: 'r-1' }
  return { ...request, body: async () => Buffer.from(JSON.stringify(body)) }
}

it('does not undo what an administrator changes while a directory takes access', async () => {
  const { useCases, tokens } = openMemoryService()
  const { token: admin } = await tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 60 })
  const caller = await useCases.authenticate.execute({ token: admin, channel: 'http' })
  await useCases.putUser.execute({ userId: 'eve', email: 'eve@example.com', name: 'Eve', roles: [] }, caller)
  const suspendUser: typeof useCases.suspendUser = Object.create(useCases.suspendUser)
  suspendUser.execute = async (...asked) => {
    const suspended = await useCases.suspendUser.execute(...asked)
    await useCases.patchUser.execute({ userId: 'eve', name: 'Eve Adams' }, caller)
    return suspended
  }
  const { token } = await tokens.issue({ subject: 'directory', roles: ['provisioner'], lifetime: 60 })
  const scim = createScim({
    useCases: { ...useCases, suspendUser },
    publicUrl: 'https://rollcall.example',
    tokenIn: (given) => given,
  })
  expect((await scim.answer(patchOfEve(token, { op: 'replace', path: 'active', value: false }))).status).toBe(200)
  expect(await useCases.getUser.execute({ userId: 'eve' }, caller)).toMatchObject({
    name: 'Eve Adams',
    suspendedAt: expect.any(Number),
  })
})

it('asks a directory to try again later, and speaks of no condition, if a user changes all the time', async () => {
  const { useCases, tokens } = openMemoryService()
  const { token: admin } = await tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 60 })
  const caller = await useCases.authenticate.execute({ token: admin, channel: 'http' })
  await useCases.putUser.execute({ userId: 'eve', email: 'eve@example.com', name: '', roles: [] }, caller)
  let changes = 0
  const patchUser: typeof useCases.patchUser = Object.create(useCases.patchUser)
  patchUser.execute = async (...asked) => {
    await useCases.patchUser.execute({ userId: 'eve', name: `Eve ${changes++}` }, caller)
    return await useCases.patchUser.execute(...asked)
  }
  const { token } = await tokens.issue({ subject: 'directory', roles: ['provisioner'], lifetime: 60 })
  const options = { publicUrl: 'https://rollcall.example', tokenIn: (given: string | undefined) => given }
  const scim = createScim({ useCases: { ...useCases, patchUser }, ...options })
  await expect(
    scim.answer(patchOfEve(token, { op: 'replace', path: 'displayName', value: 'E' })),
  ).rejects.toMatchObject({
    name: 'Unavailable',
    retryAfter: 1_000,
  })
})
