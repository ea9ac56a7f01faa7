import type { NewSigningKey } from '@rollcall/core'
import type { Storage } from './database.ts'
import { StartupError } from './startup-error.ts'

/** What a database remembers keys by: enough to tell them apart, and nothing that signs. */
export interface KnownKeys {
  readonly name: 'link-keys' | 'signing-keys'
  /** What to do if none of them is known. */
  readonly others: string
}

const IN_TWO_STEPS =
  'Keys that a setting holds are replaced in two steps: restart every instance with the new key behind the old ones; only then put it first, or take the old ones out, and restart every instance again.'

type Memory = Pick<Storage, 'recall' | 'settle' | 'resettle'>

const joined = (ids: readonly string[]): string => [...new Set(ids)].sort().join(' ')

/**
 * Sees that a database is used with the same keys, or with those that came of them by rotation. Keys that share none with
 * those before are refused.
 * @throws {StartupError} they are others
 */
export const requireKnownKeys = async (
  { recall, settle, resettle }: Memory,
  { name, others }: KnownKeys,
  ids: readonly string[],
): Promise<void> => {
  const own = joined(ids)
  const known = (await recall(name)) ?? (await settle(name, own))
  if (known === own) return
  const before = new Set(known.split(' '))
  if (!ids.some((id) => before.has(id))) throw new StartupError(`${others} ${IN_TWO_STEPS}`)
  await resettle(name, own)
}

/** Has a database know these keys, too. */
export const knowAlso = async (
  { recall, resettle }: Pick<Storage, 'recall' | 'resettle'>,
  name: KnownKeys['name'],
  ids: readonly string[],
): Promise<void> => await resettle(name, joined([...((await recall(name))?.split(' ') ?? []), ...ids]))

interface RotatedKeys extends Pick<KnownKeys, 'name'> {
  /** Of the new key. */
  readonly id: string
  /** Those that are kept now, whoever has changed them. */
  readonly kept: () => Promise<readonly string[]>
}

/**
 * A key that the database knows before it takes over, so that a crash in between leaves keys that are known; and those
 * that were revoked come back on no instance. Several processes may rotate at once: who is last to write what the database
 * knows looks at the keys after that.
 */
export const knownKey = (
  key: NewSigningKey,
  memory: Pick<Storage, 'recall' | 'resettle'>,
  { name, id, kept }: RotatedKeys,
): NewSigningKey => ({
  keyId: key.keyId,
  takeOver: async (succession) => {
    await knowAlso(memory, name, [...(await kept()), id])
    try {
      await key.takeOver(succession)
    } finally {
      let told: string
      do {
        told = joined(await kept())
        await memory.resettle(name, told)
      } while (told !== joined(await kept()))
    }
  },
})
