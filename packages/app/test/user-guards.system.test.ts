import { describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

const ROUNDS = 6

describe('a server and commands on the same file', () => {
  it('leave exactly one of two administrators who delete each other at once', async () => {
    await using home = await Home.make()
    await home.serve()
    const root = await home.token('root', 'admin')
    const ask = async (method: string, id: string, token: string, user?: object): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const body = user === undefined ? {} : { body: JSON.stringify(user) }
      return (await fetch(`${home.url}/users/${id}`, { method, headers, ...body })).status
    }
    const putAdministrator = (id: string) =>
      ask('PUT', id, root, { email: `${id}.mail@example.com`, name: '', roles: ['admin'] })

    let survivor = 'admin-0'
    await putAdministrator(survivor)
    for (let round = 1; round <= ROUNDS; round++) {
      const rival = `admin-${round}`
      expect(await putAdministrator(rival)).toBe(201)
      const token = await home.token(survivor)
      const command = home.run('user', 'delete', survivor, '--yes')
      // The command takes a while to start: who comes first is another one from round to round.
      await new Promise((resolve) => setTimeout(resolve, (round - 1) * 150))
      const status = await ask('DELETE', rival, token)
      const { code } = await command
      expect([
        [204, 3],
        [409, 0],
        [401, 0],
      ]).toContainEqual([status, code])
      if (code === 0) survivor = rival
    }
    const { code, stderr } = await home.run('user', 'delete', survivor, '--yes', '--json')
    expect([code, JSON.parse(stderr).error]).toEqual([3, 'LastAdministrator'])
    expect(await ask('DELETE', survivor, root)).toBe(409)
  })
})
