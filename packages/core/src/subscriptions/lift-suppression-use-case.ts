import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { InvalidInput, SuppressionNotFound } from '../errors.ts'
import type { Digests } from '../ports/digests.ts'
import type { DomainNames } from '../ports/domain-names.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { type AddressHash, addressHash, asAddressHash } from './address-hash.ts'
import { parseEmailAddress } from './email-address.ts'

export interface LiftSuppressionCommand {
  /** An e-mail address, or its hash as the list of suppressions has it. */
  readonly address: string
}

/** Lets sign-up mails go to an address again. */
export class LiftSuppressionUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #digests: Digests
  readonly #domainNames: DomainNames

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    digests: Digests
    domainNames: DomainNames
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#digests = ports.digests
    this.#domainNames = ports.domainNames
  }

  /**
   * The hash of the address. The trail names the hash, never the address.
   * @throws {InsufficientPermissions} the caller may not, whether or not it is suppressed
   * @throws {SuppressionNotFound} it is not suppressed, or is neither an address nor a hash
   */
  async execute({ address }: LiftSuppressionCommand, caller: Caller): Promise<AddressHash> {
    const action = 'suppression.lift'
    this.#access.require(caller, 'suppressions:lift', { action, target: asAddressHash(address) ?? '<address>' })
    const hash = asAddressHash(address) ?? this.#hashOf(address)
    await this.#unitOfWork.run(async ({ suppressions, audit }) => {
      if (!(await suppressions.remove(hash))) throw new SuppressionNotFound()
      await this.#trail.done(audit, caller, { action, target: hash })
    })
    return hash
  }

  #hashOf(address: string): AddressHash {
    try {
      return addressHash(this.#digests, parseEmailAddress(address, this.#domainNames).key)
    } catch (error) {
      if (error instanceof InvalidInput) throw new SuppressionNotFound()
      throw error
    }
  }
}
