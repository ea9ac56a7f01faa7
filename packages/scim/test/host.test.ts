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
  const body = JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  })
  const headers = { authorization: token, 'content-type': 'application/scim+json' }
  const request = { method: 'PATCH', path: '/Users/eve', query: '', headers, requestId: 'r-1' }
  expect((await scim.answer({ ...request, body: async () => Buffer.from(body) })).status).toBe(200)
  expect(await useCases.getUser.execute({ userId: 'eve' }, caller)).toMatchObject({
    name: 'Eve Adams',
    suspendedAt: expect.any(Number),
  })
})
