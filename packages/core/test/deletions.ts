import { openMemoryService } from '../memory/index.ts'
import { ADMIN, putUser, type Service } from './cast.ts'

export const EMAIL = 'ada.mail@example.com'

/** A service that knows one user. */
export const withAda = async (roles: readonly string[] = []): Promise<Service> => {
  const at = openMemoryService()
  await putUser(at, 'ada', roles, 'Ada Lovelace')
  return at
}

export const remove = (at: Service, userId = 'ada', who = ADMIN, more = {}) =>
  at.useCases.deleteUser.execute({ userId, ...more }, who)

/** What it was rejected with; undefined if it was not. */
export const refusalOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => undefined,
    (refusal: unknown) => refusal,
  ) as Promise<Error>
