import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { asEmailAddress } from '../subscriptions/email-address.ts'
import { ListSuppressionsUseCase } from '../suppressions/list-suppressions-use-case.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { BlockCause } from '../suppressions/suppression-store.ts'
import { UseCase } from '../use-case.ts'
import { MOST_CHECKED } from './check-recipients-use-case.ts'
import { unmailable } from './unmailable.ts'

export interface CheckSuppressionsCommand {
  /** 1 to `MOST_CHECKED`; one that comes twice is answered once. */
  readonly addresses: readonly string[]
}

export type BlockReason = BlockCause | 'undeliverable'

export interface CheckedSuppressions {
  /** Those that are blocked or undeliverable, as they were written. */
  readonly blocked: readonly string[]
  /** Those that cannot be read as addresses, as they were written: nothing is known of them, so no mail may go to them either. */
  readonly unread: readonly string[]
  /** Why; only for callers that may read suppressions. */
  readonly reasons: readonly { readonly address: string; readonly because: BlockReason }[] | undefined
}

/**
 * Which of these addresses no mail can or may go to, whoever sends it: those that are blocked or undeliverable. An address
 * whose owner wants no mail of ours is not among them.
 */
export class CheckSuppressionsUseCase extends UseCase<
  'access' | 'reads' | 'digests' | 'domainNames',
  'suppressions' | 'deliverability'
> {
  static readonly permission = 'suppressions:check'
  static readonly action = 'suppression.check'

  /** @throws {InvalidInput} there are none or too many addresses, or something else among them */
  async execute(command: CheckSuppressionsCommand, caller: Caller): Promise<CheckedSuppressions> {
    const { access, digests, readers, reads } = this.ports
    const attempt = await access.require(caller, CheckSuppressionsUseCase)
    const addresses = parseAddresses(command.addresses)
    const keys = this.#keysOf(addresses)
    const unread = [...new Set(addresses)].filter((address) => !keys.has(address))
    const problemOf = await unmailable(readers, digests, [...keys.values()])
    const found = [...keys].flatMap(([address, key]) => {
      const because = problemOf(key)
      return because === undefined ? [] : [{ address, key, because }]
    })
    reads.note(caller, attempt)
    const blocked = found.map(({ address }) => address)
    if (!(await access.allows(caller, ListSuppressionsUseCase.permission)))
      return { blocked, unread, reasons: undefined }
    const reasons: { address: string; because: BlockReason }[] = []
    for (const { address, key, because } of found)
      reasons.push({ address, because: because === 'undeliverable' ? because : await this.#causeOf(key) })
    return { blocked, unread, reasons }
  }

  async #causeOf(key: string): Promise<BlockCause> {
    const known = await findSuppression(this.ports.readers.suppressions, mailboxHashes(this.ports.digests, key))
    // It may have been lifted this moment.
    return known?.block?.cause ?? 'blocked'
  }

  #keysOf(addresses: readonly string[]): ReadonlyMap<string, string> {
    const keys = new Map<string, string>()
    for (const address of addresses) {
      const key = asEmailAddress(address, this.ports.domainNames)?.key
      if (key !== undefined) keys.set(address, key)
    }
    return keys
  }
}

const parseAddresses = (addresses: readonly unknown[]): readonly string[] => {
  if (addresses.length < 1 || addresses.length > MOST_CHECKED)
    throw new InvalidInput([{ field: 'addresses', message: `Give 1 to ${MOST_CHECKED} addresses.` }])
  if (!addresses.every((address) => typeof address === 'string'))
    throw new InvalidInput([{ field: 'addresses', message: 'Give texts: e-mail addresses.' }])
  return addresses as readonly string[]
}
