import { waitUntil } from './wait-until.ts'

export interface AcceptedMail {
  readonly messageId: string
  readonly to: string
  /** Milliseconds of this process: when its dialogue began, and when all of it was there. */
  readonly begunAt: number
  readonly acceptedAt: number
  /** Of the process of the service that sent it, counted from 0. */
  readonly processNumber: number
  /** The relay itself ended the dialogue before it said that it had accepted the mail. */
  readonly cutOff: boolean
  readonly text: string
}

export type Link = 'confirm' | 'refuse' | 'unsubscribe' | 'move' | 'undo'

interface Duplicate {
  readonly first: AcceptedMail
  readonly again: AcceptedMail
}

/** Everything that the relay has accepted. */
export class Mailbox {
  readonly duplicates: Duplicate[] = []
  #count = 0
  readonly #last = new Map<string, AcceptedMail>()
  readonly #byAddress = new Map<string, AcceptedMail[]>()

  /** How many were accepted, duplicates included. */
  get count(): number {
    return this.#count
  }

  /** The duplicate, if the mail was accepted before. */
  add(mail: AcceptedMail): Duplicate | undefined {
    this.#count++
    const first = this.#last.get(mail.messageId)
    this.#last.set(mail.messageId, mail)
    if (first !== undefined) {
      const duplicate = { first, again: mail }
      this.duplicates.push(duplicate)
      return duplicate
    }
    const others = this.#byAddress.get(mail.to)
    if (others) others.push(mail)
    else this.#byAddress.set(mail.to, [mail])
    return undefined
  }

  /** Each mail once, oldest first. */
  of(address: string): readonly AcceptedMail[] {
    return this.#byAddress.get(address) ?? []
  }

  /** The token of a link in the newest mail that has one. */
  token(address: string, link: Link): string | undefined {
    return tokenIn(this.of(address).findLast(({ text }) => tokenIn(text, link) !== undefined)?.text ?? '', link)
  }

  /** The same, once its mail has come. @throws {Error} it does not come */
  async comingToken(address: string, link: Link): Promise<string> {
    await waitUntil(() => this.token(address, link) !== undefined, `a mail for ${address}`)
    return this.token(address, link) ?? ''
  }
}

/** Whether it tells the old address that its subscriptions have moved. */
export const isAboutDoneMove = ({ text }: AcceptedMail): boolean => tokenIn(text, 'undo') !== undefined

// As mails are encoded: long lines are broken by a `=` at their end, and a `=` is `=3D`.
/** The token of a link in the text of a mail. A `g` stands before the name of a group. */
export const tokenIn = (text: string, link: Link): string | undefined =>
  new RegExp(`/${link}/([0-9a-g.]+)`).exec(text.replaceAll('=\r\n', ''))?.[1]
