import * as suites from './storage-suites.ts'
import type { OpenStorage } from './storage-under-test.ts'

export * from './access-tokens.ts'
export * from './audit-anchor.ts'
export * from './challenge-authority.ts'
export { libraryUsers } from './library-users.ts'
export * from './link-keys.ts'
export * from './mail-transport.ts'
export * from './platform.ts'
export * from './storage-suites.ts'
export type { OpenStorage, StorageUnderTest } from './storage-under-test.ts'
export * from './user-guards.ts'
export * from './webhook-transport.ts'

/** Every suite that a storage must pass. */
export const storageContract = (open: OpenStorage): void => {
  for (const suite of Object.values(suites)) suite(open)
}
