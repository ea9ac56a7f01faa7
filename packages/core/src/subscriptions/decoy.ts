import type { Randomness } from '../platform/randomness.ts'
import type { FieldValues } from './feed-fields.ts'
import type { Subscription } from './subscription.ts'

/**
 * Writes what nothing will ever read, where there is nothing to write: so an outcome that changes less takes no less time,
 * and comes to the disk as any other does.
 */
export interface DecoyStore {
  /** As much work as adding a mail of this many characters. Whatever is written, the storage grows by nothing. */
  write(content: string): Promise<void>
}

/** In hexadecimal they are as long as a row of a sign-up is on average. */
const BYTES = 64

/** `like`: values that a form gives, for which as much is written beside. */
export const writeDecoy = async (
  { decoys }: { readonly decoys: DecoyStore },
  randomness: Randomness,
  like?: FieldValues,
): Promise<void> =>
  await decoys.write(`${randomness.hex(BYTES)}${like === undefined ? '' : 'x'.repeat(JSON.stringify(like).length)}`)

const ID_BYTES = 6

/** Looks like a subscription to what is asked about its mails, where an address has none. */
export const noSubscription = (randomness: Randomness): Pick<Subscription, 'id' | 'lastMail'> => ({
  id: Number.parseInt(randomness.hex(ID_BYTES), 16),
  lastMail: undefined,
})
