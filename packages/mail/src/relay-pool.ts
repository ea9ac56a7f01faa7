import type { Mail } from '@rollcall/core'
import type { NodemailerError } from 'nodemailer'
import { composeMail } from './compose-mail.ts'
import type { MailOrigin } from './mail-origin.ts'
import type { MailTemplates } from './mail-templates.ts'
import type { Relay } from './relay-address.ts'
import { relayError } from './relay-error.ts'
import { RelayLane } from './relay-lane.ts'
import { partsOf, secretsOf } from './secrets-of.ts'
import type { SmtpTimeouts } from './smtp-timeouts.ts'

/**
 * Connections to one relay. Not nodemailer's own pool: that streams every message through a dozen stages, which takes
 * twice the time and half as much memory again.
 */
export class RelayPool {
  readonly #relay: Relay
  readonly #lanes: readonly RelayLane[]
  /** The one that was used last comes first: a few connections for few mails. */
  readonly #free: RelayLane[]
  readonly #waiting: ((lane: RelayLane) => void)[] = []
  readonly #underway = new Set<Promise<unknown>>()

  constructor(relay: Relay, timeouts: SmtpTimeouts, connections: number) {
    this.#relay = relay
    this.#lanes = Array.from({ length: connections }, () => new RelayLane(relay, timeouts))
    this.#free = [...this.#lanes]
  }

  /**
   * Resolves once the relay has taken the mail.
   * @throws {MailRefusedForGood}
   * @throws {RelayTrouble}
   */
  async send(mail: Mail, origin: MailOrigin, templates: MailTemplates): Promise<void> {
    const message = composeMail(mail, origin, templates)
    const sending = this.#over((lane) => lane.send(message))
    this.#underway.add(sending)
    try {
      await sending
    } catch (error) {
      // Not as its cause: nodemailer's error holds the address and the relay's words.
      throw relayError(error as NodemailerError, [...partsOf(mail.to), ...secretsOf(this.#relay)])
    } finally {
      this.#underway.delete(sending)
    }
  }

  /** Finishes what is under way, which takes as long as one mail may take, then hangs up. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underway)
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  async #over(send: (lane: RelayLane) => Promise<void>): Promise<void> {
    const lane = this.#free.pop() ?? (await new Promise<RelayLane>((resolve) => this.#waiting.push(resolve)))
    try {
      await send(lane)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(lane)
      else this.#free.push(lane)
    }
  }
}
