import type { Caller } from '../access/caller.ts'
import { InvalidInput, SuppressionNotFound } from '../errors.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { type AddressHash, asAddressHash, asEmailAddress } from '../subscriptions/email-address.ts'
import { parseOneOf } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { appendToAddress } from './block.ts'
import { allowMailbox, findSuppression, mailboxHashes } from './mailbox-hashes.ts'
import {
  kindOf,
  kindsIn,
  type StoredSuppression,
  SUPPRESSION_CAUSES,
  type SuppressionKind,
} from './suppression-store.ts'

export const LIFTED_CAUSES = [...SUPPRESSION_CAUSES, 'all'] as const

export type LiftedCause = (typeof LIFTED_CAUSES)[number]

export interface LiftSuppressionCommand {
  /** An e-mail address, or its hash as the list of suppressions has it. */
  readonly address: string
  /** Lifts this one alone, or 'all'. To be said if the address is suppressed and blocked as well. */
  readonly cause?: string | undefined
  readonly precondition?: Precondition<unknown> | undefined
}

/** Lets mails go to an address again, and to its mailbox; a hash is lifted alone. */
export class LiftSuppressionUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail' | 'digests' | 'domainNames' | 'clock'
> {
  static readonly permission = 'suppressions:lift'
  static readonly action = 'suppression.lift'

  /** An address in the trail would stay for ever. */
  static targetOf(address: string): string {
    return asAddressHash(address) ?? '<address>'
  }

  /**
   * The hash that was lifted: that of the mailbox for an address. The trail names hashes, never the address. If a block
   * of an address is lifted, its subscriptions say so in events; a hash does not say whose they are.
   * @throws {InsufficientPermissions} the caller may not, whether or not it is suppressed
   * @throws {SuppressionNotFound} it is not suppressed, or not for this cause, or is neither an address nor a hash
   * @throws {InvalidInput} there is no such cause, or there are two and the caller does not say which
   */
  async execute({ address, cause, precondition }: LiftSuppressionCommand, caller: Caller): Promise<AddressHash> {
    const { action, targetOf } = LiftSuppressionUseCase
    await this.ports.access.require(caller, LiftSuppressionUseCase, targetOf(address))
    const hash = asAddressHash(address)
    const addressKey = hash === undefined ? asEmailAddress(address, this.ports.domainNames)?.key : undefined
    const hashes = hash
      ? { address: hash, mailbox: hash }
      : addressKey !== undefined && mailboxHashes(this.ports.digests, addressKey)
    if (!hashes) throw new SuppressionNotFound()
    return await this.ports.unitOfWork.run(async (stores) => {
      const { suppressions, audit } = stores
      await this.ports.requests.first(stores, [hashes.address])
      const known = await findSuppression(suppressions, hashes)
      if (known === undefined) throw new SuppressionNotFound()
      requireCondition(precondition, known)
      const kind = kindToLift(known, cause ? parseOneOf('cause', cause, LIFTED_CAUSES) : undefined)
      await allowMailbox(suppressions, hashes, kind.lifted)
      await this.ports.trail.done(audit, caller, { action, target: hashes.mailbox })
      if (kind.unblocks && addressKey !== undefined)
        await appendToAddress(stores, this.ports, addressKey, 'subscription.unblocked')
      return hashes.mailbox
    })
  }
}

interface LiftedKind {
  readonly lifted: SuppressionKind | 'both'
  readonly unblocks: boolean
}

const kindToLift = (known: StoredSuppression, wanted: LiftedCause | undefined): LiftedKind => {
  const { owner, block } = kindsIn(known)
  if (wanted === 'all') return { lifted: 'both', unblocks: block !== undefined }
  if (wanted === undefined && owner && block) {
    const message = `This address is suppressed twice: '${owner.cause}' and '${block.cause}'. Say which to lift, or 'all'.`
    throw new InvalidInput([{ field: 'cause', message }])
  }
  const lifted = wanted === undefined ? kindOf(known.cause) : kindOf(wanted)
  const found = lifted === 'owner' ? owner : block
  if (found === undefined || (wanted !== undefined && found.cause !== wanted)) throw new SuppressionNotFound()
  return { lifted, unblocks: lifted === 'block' }
}
