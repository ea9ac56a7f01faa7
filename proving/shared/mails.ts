import { Mailbox } from './mailbox.ts'
import { Relay } from './relay.ts'

/** A relay without faults, and the mailboxes that it fills. */
export class Mails extends Mailbox implements AsyncDisposable {
  readonly #relay = Relay.open((mail) => void this.add(mail))
  url = ''

  static async open(): Promise<Mails> {
    const mails = new Mails()
    mails.url = (await mails.#relay).url
    return mails
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#relay)[Symbol.asyncDispose]()
  }
}
