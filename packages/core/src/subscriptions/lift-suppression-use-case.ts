import type { Caller } from '../access/caller.ts'
import { InvalidInput, SuppressionNotFound } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { type AddressHash, asAddressHash, parseEmailAddress } from './email-address.ts'
import { allowMailbox, type MailboxHashes, mailboxHashes } from './mailbox-hashes.ts'

export interface LiftSuppressionCommand {
  /** An e-mail address, or its hash as the list of suppressions has it. */
  readonly address: string
}

/** Lets sign-up mails go to an address again, and to its mailbox; a hash is lifted alone. */
export class LiftSuppressionUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'digests' | 'domainNames'> {
  static readonly permission = 'suppressions:lift'
  static readonly action = 'suppression.lift'

  /** An address in the trail would stay for ever. */
  static targetOf(address: string): string {
    return asAddressHash(address) ?? '<address>'
  }

  /**
   * The hash that was lifted: of the mailbox where there was one. The trail names hashes, never the address.
   * @throws {InsufficientPermissions} the caller may not, whether or not it is suppressed
   * @throws {SuppressionNotFound} it is not suppressed, or is neither an address nor a hash
   */
  async execute({ address }: LiftSuppressionCommand, caller: Caller): Promise<AddressHash> {
    const { action, targetOf } = LiftSuppressionUseCase
    this.ports.access.require(caller, LiftSuppressionUseCase, targetOf(address))
    const hash = asAddressHash(address)
    const hashes = hash === undefined ? this.#hashesOf(address) : { address: hash, untagged: hash, mailbox: hash }
    return await this.ports.unitOfWork.run(async ({ suppressions, audit }) => {
      const lifted = await allowMailbox(suppressions, hashes)
      const [first] = lifted
      if (first === undefined) throw new SuppressionNotFound()
      for (const target of lifted) await this.ports.trail.done(audit, caller, { action, target })
      return first
    })
  }

  #hashesOf(address: string): MailboxHashes {
    try {
      return mailboxHashes(this.ports.digests, parseEmailAddress(address, this.ports.domainNames).key)
    } catch (error) {
      if (error instanceof InvalidInput) throw new SuppressionNotFound()
      throw error
    }
  }
}
