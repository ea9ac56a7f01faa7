import { isFilledByMachine, type Trapped } from '../sign-up/honeypot.ts'
import type { NewRequest } from '../sign-up/waiting-request.ts'
import { addressHash, parseEmailAddress } from '../subscriptions/email-address.ts'
import { UseCase } from '../use-case.ts'

/** A form that asks for a link, as it came. */
export interface RequestPreferencesCommand extends Trapped {
  readonly email: string
  /** Picks the language of the answer alone: the mail speaks the one that its owner chose. */
  readonly locale?: string | undefined
  /** The solution of a challenge, if challenges are on. */
  readonly altcha?: string | undefined
}

/** Mails an address the link to its own preferences, if it has any: as soon as the caps of its mailbox allow. */
export class RequestPreferencesUseCase extends UseCase<'requests' | 'clock' | 'digests' | 'domainNames' | 'challenge'> {
  /**
   * When this resolves, the request is on durable storage. Nothing that is stored about the address is read.
   * @throws {InvalidInput} a field is not valid
   * @throws {Unavailable} storage is down, or too many requests wait
   */
  async execute(command: RequestPreferencesCommand): Promise<void> {
    const { requests, digests, clock, challenge } = this.ports
    const solved = await challenge.verify(command.altcha)
    const { key: addressKey } = parseEmailAddress(command.email, this.ports.domainNames)
    // Also for a machine, so that the answer takes as long.
    const address = addressHash(digests, addressKey)
    const request: NewRequest = isFilledByMachine(command)
      ? { at: clock.now(), address: undefined, asked: { kind: 'trap', feed: undefined } }
      : { at: clock.now(), address, asked: { kind: 'preferences', addressKey } }
    if (!(await requests.append(request, solved))) throw challenge.spentBefore()
  }
}
