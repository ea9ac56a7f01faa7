import type { Caller } from '../access/caller.ts'
import { InvalidInput, SuppressionNotFound } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { type AddressHash, addressHash, asAddressHash, parseEmailAddress } from './email-address.ts'

export interface LiftSuppressionCommand {
  /** An e-mail address, or its hash as the list of suppressions has it. */
  readonly address: string
}

/** Lets sign-up mails go to an address again. */
export class LiftSuppressionUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'digests' | 'domainNames'> {
  static readonly permission = 'suppressions:lift'
  static readonly action = 'suppression.lift'

  /** An address in the trail would stay for ever. */
  static targetOf(address: string): string {
    return asAddressHash(address) ?? '<address>'
  }

  /**
   * The hash of the address. The trail names the hash, never the address.
   * @throws {InsufficientPermissions} the caller may not, whether or not it is suppressed
   * @throws {SuppressionNotFound} it is not suppressed, or is neither an address nor a hash
   */
  async execute({ address }: LiftSuppressionCommand, caller: Caller): Promise<AddressHash> {
    const { action, targetOf } = LiftSuppressionUseCase
    this.ports.access.require(caller, LiftSuppressionUseCase, targetOf(address))
    const hash = asAddressHash(address) ?? this.#hashOf(address)
    await this.ports.unitOfWork.run(async ({ suppressions, audit }) => {
      if (!(await suppressions.remove(hash))) throw new SuppressionNotFound()
      await this.ports.trail.done(audit, caller, { action, target: hash })
    })
    return hash
  }

  #hashOf(address: string): AddressHash {
    try {
      return addressHash(this.ports.digests, parseEmailAddress(address, this.ports.domainNames).key)
    } catch (error) {
      if (error instanceof InvalidInput) throw new SuppressionNotFound()
      throw error
    }
  }
}
