import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { askForPreferences } from './ask-for-preferences.ts'
import { parseEmailAddress } from './email-address.ts'

/** A form that asks for a link, as it came. */
export interface RequestPreferencesCommand {
  readonly email: string
  /** Picks the language of the answer alone: the mail speaks the one that its owner chose. */
  readonly locale?: string | undefined
  /** The honeypot: people do not see it, so only a machine fills it in. */
  readonly website?: string | undefined
  /** The solution of a challenge, if challenges are on. */
  readonly altcha?: string | undefined
}

/** Mails an address the link to its own preferences, if it has any: as soon as the caps of its mailbox allow. */
export class RequestPreferencesUseCase extends UseCase<
  'unitOfWork' | 'clock' | 'randomness' | 'transport' | 'digests' | 'domainNames' | 'challenge' | 'metrics'
> {
  /**
   * When this resolves, the mail, if there is one, is on durable storage; the result never reveals whether there is one.
   * @throws {InvalidInput} a field is not valid
   */
  async execute(command: RequestPreferencesCommand): Promise<void> {
    const solved = await this.ports.challenge.verify(command.altcha)
    const address = parseEmailAddress(command.email, this.ports.domainNames)
    const turnedAwayBy = await this.ports.unitOfWork.run(async (stores) => {
      await this.ports.challenge.spend(stores.spentChallenges, solved)
      return command.website ? await trapped(stores) : await askForPreferences(stores, this.ports, address.key)
    })
    if (turnedAwayBy !== undefined) this.ports.metrics.turnedAway(turnedAwayBy)
  }
}

const trapped = async (stores: Stores) => {
  await stores.signUpCounts.add('honeypot')
  return 'honeypot' as const
}
