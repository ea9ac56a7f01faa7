import { endFailing } from '../feedback/deliverability.ts'
import { askForPreferences } from '../subscriptions/ask-for-preferences.ts'
import { UseCase } from '../use-case.ts'

/**
 * Mails the link to its preferences to the address of a subscription, for who has the link to manage it. That one is in every
 * mail of a sender, and mails are forwarded: so it opens nothing by itself, and reveals nothing.
 */
export class MailPreferencesUseCase extends UseCase<
  'signedLinks' | 'unitOfWork' | 'clock' | 'randomness' | 'transport' | 'digests' | 'metrics'
> {
  /**
   * When this resolves, the mail, if there is one, is on durable storage: it is sent as soon as the caps of the mailbox
   * allow. The result never reveals whether there is one.
   * @throws {LinkNotValid} it has no valid signature
   */
  async execute({ token }: { readonly token: string }): Promise<void> {
    const { id } = this.ports.signedLinks.require('manage', token)
    const turnedAwayBy = await this.ports.unitOfWork.run(async (stores) => {
      const known = await stores.subscriptions.find(id)
      // Where it is gone, an address that cannot be anybody's is asked for.
      const addressKey = known?.addressKey ?? `${id}@invalid`
      await endFailing(stores, this.ports, addressKey, this.ports.clock.now())
      return await askForPreferences(stores, this.ports, addressKey)
    })
    if (turnedAwayBy !== undefined) this.ports.metrics.turnedAway(turnedAwayBy)
  }
}
