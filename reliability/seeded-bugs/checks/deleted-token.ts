import type { Check } from './check.ts'
import { Stage } from './stage.ts'

const USER = { email: 'person@example.com', name: 'Person', roles: ['auditor'] }
const REFUSED = 401

/** A user is deleted: its token must be refused at once, and after a crash. */
export const deletedToken: Check = async ({ plantings }) => {
  await using stage = await Stage.set({ plantings })
  const service = await stage.start()
  const token = await stage.token('root', 'admin')
  const usersToken = await stage.token('user-1', 'auditor')
  await stage.ask('PUT', '/users/user-1', { token, body: USER })
  if ((await stage.ask('DELETE', '/users/user-1', { token })) !== 204) return 'the user could not be deleted'
  const before = await stage.ask('GET', '/users', { token: usersToken })
  if (before !== REFUSED) return `the token of a deleted user is answered ${before}`
  await service.kill()
  await stage.start()
  const after = await stage.ask('GET', '/users', { token: usersToken })
  return after === REFUSED ? undefined : `after a restart the token of a deleted user is answered ${after}`
}
