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
