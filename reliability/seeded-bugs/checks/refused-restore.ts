import type { Check } from './check.ts'
import { Stage } from './stage.ts'

const USER = { email: 'person@example.com', name: 'Person', roles: ['auditor'] }

/** Restoring a user fails half-way, as another has its address: nothing of it must have been done. */
export const refusedRestore: Check = async ({ plantings }) => {
  await using stage = await Stage.set({ plantings }, { DELETE_GRACE: '1h' })
  await stage.start()
  const token = await stage.token('root', 'admin')
  await stage.ask('PUT', '/users/first', { token, body: USER })
  await stage.ask('DELETE', '/users/first', { token })
  await stage.ask('PUT', '/users/second', { token, body: USER })
  const refused = await stage.ask('POST', '/users/first/restore', { token })
  if (refused !== 409) return `restoring a user whose address another has is answered ${refused}`
  const status = await stage.ask('GET', '/users/first', { token })
  return status === 410 ? undefined : `after its restoration was refused, a deleted user is answered ${status}`
}
