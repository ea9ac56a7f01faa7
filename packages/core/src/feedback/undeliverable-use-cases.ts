import type { Caller } from '../access/caller.ts'
import { UndeliverableNotFound } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { type AddressHash, addressHash, asAddressHash, asEmailAddress } from '../subscriptions/email-address.ts'
import { parseOneOf } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { forgetDeliverability } from './deliverability.ts'
import { DELIVERABILITY_STATES, type DeliverabilityRecord } from './deliverability-store.ts'

export interface ListUndeliverableRequest extends PageRequest {
  readonly state?: string | undefined
}

/** Shows the addresses at which mails come back, by hash, in the order in which they first failed. */
export class ListUndeliverableUseCase extends UseCase<'access' | 'reads', 'deliverability'> {
  static readonly permission = 'deliverability:read'
  static readonly action = 'deliverability.read'

  /** @throws {InvalidInput} there is no such state */
  async execute(request: ListUndeliverableRequest, caller: Caller): Promise<Page<DeliverabilityRecord>> {
    const attempt = await this.ports.access.require(caller, ListUndeliverableUseCase)
    const state = request.state === undefined ? undefined : parseOneOf('state', request.state, DELIVERABILITY_STATES)
    const page = await this.ports.readers.deliverability.list({ ...stretchOf(request), state })
    this.ports.reads.note(caller, attempt)
    return page
  }
}

export interface LiftUndeliverableCommand {
  /** An e-mail address, or its hash as the list of undeliverable addresses has it. */
  readonly address: string
  readonly precondition?: Precondition<unknown> | undefined
}

/** Forgets what is known against an address, so that mails go to it again. */
export class LiftUndeliverableUseCase extends UseCase<
  'access' | 'clock' | 'digests' | 'domainNames' | 'trail' | 'unitOfWork'
> {
  static readonly permission = 'deliverability:lift'
  static readonly action = 'deliverability.lift'

  /** An address in the trail would stay for ever. */
  static targetOf(address: string): string {
    return asAddressHash(address) ?? '<address>'
  }

  /**
   * The hash that was lifted. The trail names it, never the address.
   * @throws {InsufficientPermissions} the caller may not, whether or not anything is known against it
   * @throws {UndeliverableNotFound} nothing is known against it, or it is neither an address nor a hash
   */
  async execute(command: LiftUndeliverableCommand, caller: Caller): Promise<AddressHash> {
    const { action, targetOf } = LiftUndeliverableUseCase
    await this.ports.access.require(caller, LiftUndeliverableUseCase, targetOf(command.address))
    const address = this.#addressOf(command.address)
    await this.ports.unitOfWork.run(async (stores) => {
      const known = await stores.deliverability.find(address)
      if (known === undefined) throw new UndeliverableNotFound()
      requireCondition(command.precondition, known)
      await forgetDeliverability(stores, address, known.state, this.ports.clock.now())
      await this.ports.trail.done(stores.audit, caller, { action, target: address })
    })
    return address
  }

  #addressOf(text: string): AddressHash {
    const address = asAddressHash(text)
    if (address !== undefined) return address
    const addressKey = asEmailAddress(text, this.ports.domainNames)?.key
    if (addressKey === undefined) throw new UndeliverableNotFound()
    return addressHash(this.ports.digests, addressKey)
  }
}
