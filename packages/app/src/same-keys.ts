import type { SigningKeyRing } from '@rollcall/core'
import { StartupError } from './startup-error.ts'
import type { Storage } from './storage.ts'

const NAME = 'signing-keys'

/** A JWK set, as others see it. */
export interface PublishedKeys {
  readonly keys: readonly { readonly kid?: string | undefined }[]
}

/**
 * Sees that all instances on one database have the same signing keys, or those that came of them by rotation: tokens of
 * one would be refused by the others. One that shares no key with those before is refused. Nothing is kept where the
 * database has one instance only, or where an identity provider signs.
 * @throws {StartupError} they are others
 */
export const requireSameKeys = async (
  { recall, settle, resettle }: Pick<Storage, 'recall' | 'settle' | 'resettle'>,
  keys: PublishedKeys,
): Promise<void> => {
  const own = idsOf(keys)
  if (resettle === undefined || own === '') return
  const known = (await recall(NAME)) ?? (await settle(NAME, own))
  if (known === own) return
  const before = new Set(known.split(' '))
  if (!own.split(' ').some((id) => before.has(id))) throw new StartupError(OTHERS)
  await resettle(NAME, own)
}

/** A key ring that has every rotation known to the database, so that keys revoked come back on no instance. */
export const knownKeyRing = (
  ring: SigningKeyRing,
  { resettle }: Pick<Storage, 'resettle'>,
  current: () => PublishedKeys,
): SigningKeyRing =>
  resettle === undefined
    ? ring
    : {
        makeKey: async () => {
          const { keyId, takeOver } = await ring.makeKey()
          return {
            keyId,
            takeOver: async (succession) => {
              await takeOver(succession)
              await resettle(NAME, idsOf(current()))
            },
          }
        },
      }

const idsOf = ({ keys }: PublishedKeys): string =>
  keys
    .flatMap(({ kid }) => kid ?? [])
    .sort()
    .join(' ')

const OTHERS =
  'The signing keys are not those that this database is used with. Give every instance the same ROLLCALL_SIGNING_KEYS, or share ROLLCALL_DATA_DIR; to change them by hand, keep the old public key beside the new one for one start.'
