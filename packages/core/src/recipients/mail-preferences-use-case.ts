import { UseCase } from '../use-case.ts'

/**
 * Mails the link to its preferences to the address of a subscription, for who has the link to manage it. That one is in every
 * mail of a sender, and mails are forwarded: so it opens nothing by itself, and reveals nothing.
 */
export class MailPreferencesUseCase extends UseCase<'signedLinks' | 'requests' | 'clock'> {
  /**
   * When this resolves, the request is on durable storage: the mail, if there is one, is sent as soon as the caps of the
   * mailbox allow. Nothing that is stored about the subscription is read.
   * @throws {LinkNotValid} it has no valid signature
   * @throws {Unavailable} storage is down, or too many requests wait
   */
  async execute({ token }: { readonly token: string }): Promise<void> {
    const { id: subscription } = this.ports.signedLinks.require('manage', token)
    const asked = { kind: 'manage', subscription } as const
    await this.ports.requests.append({ at: this.ports.clock.now(), address: undefined, asked }, undefined)
  }
}
