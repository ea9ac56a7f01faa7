import { type Instant, SECOND } from '../instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import { MailRefusedForGood, type MailTransport } from '../ports/mail-transport.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { Stores, UnitOfWork } from '../ports/unit-of-work.ts'
import { envelopeAddress } from '../subscriptions/email-address.ts'
import type { LinkPurpose, LinkTokens } from '../subscriptions/link-token.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { GIVE_UP_AFTER, nextAttemptAt } from './backoff.ts'
import { describeFailure } from './delivery-failure.ts'
import type { Mail } from './mail.ts'
import { mailCapAllowsAt, notAfter, withoutSlot, withSlot } from './mail-cap.ts'
import type { MailKind, OutboxEntry } from './outbox-entry.ts'

export interface DeliverOutboxCommand {
  /** How many mails at most. */
  readonly limit: number
  /** Once aborted, no further mail is begun. An `AbortSignal` will do. */
  readonly stop?: { readonly aborted: boolean } | undefined
}

/** What one round did; `claimed` 0 means that nothing was due. */
export interface DeliveryRound {
  readonly claimed: number
  readonly sent: number
  /** Tried and failed: waiting for another try, or parked for good. */
  readonly failures: readonly DeliveryFailure[]
}

export interface DeliveryFailure {
  readonly entry: OutboxEntry
  readonly error: unknown
  readonly parked: boolean
}

interface Sending {
  readonly entry: OutboxEntry
  readonly mail: Mail
}

/** Long enough for a slow relay; an orphan is taken over this soon. */
export const LEASE = 45 * SECOND

/** Takes owed mails from the outbox and sends them: at least once each, within the caps of each address. */
export class DeliverOutboxUseCase {
  readonly #unitOfWork: UnitOfWork
  readonly #transport: MailTransport
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #randomness: Randomness
  readonly #metrics: FunnelMetrics
  readonly #publicUrl: string
  /** Unique to this worker of this process. */
  readonly #owner: string
  #lastRound: Instant | undefined

  constructor(ports: {
    unitOfWork: UnitOfWork
    transport: MailTransport
    tokens: LinkTokens
    clock: Clock
    randomness: Randomness
    metrics: FunnelMetrics
    /** What links in mails begin with; no slash at the end. */
    publicUrl: string
  }) {
    this.#unitOfWork = ports.unitOfWork
    this.#transport = ports.transport
    this.#tokens = ports.tokens
    this.#clock = ports.clock
    this.#randomness = ports.randomness
    this.#metrics = ports.metrics
    this.#publicUrl = ports.publicUrl
    this.#owner = ports.randomness.hex(16)
  }

  /** When a round last came to its end; undefined before the first. */
  get lastRound(): Instant | undefined {
    return this.#lastRound
  }

  /**
   * One round: claims what is due, sends it, and writes down of each what became of it, as soon as that is known. One
   * failing mail never holds up another. Once told to stop it finishes the mails in hand and gives the others back.
   */
  async execute({ limit, stop }: DeliverOutboxCommand): Promise<DeliveryRound> {
    const { claimed, sendings } = await this.#unitOfWork.run((stores) => this.#claim(stores, limit))
    const failures: DeliveryFailure[] = []
    let sent = 0
    const queue = sendings.values()
    const work = async (): Promise<void> => {
      for (const sending of queue) {
        if (stop?.aborted) {
          await this.#giveBack(sending)
          continue
        }
        const failure = await this.#deliver(sending)
        if (failure) failures.push(failure)
        else sent++
      }
    }
    await Promise.all(Array.from({ length: Math.min(this.#transport.concurrency, sendings.length) }, work))
    if (sent > 0) this.#metrics.reached('mailed', sent)
    this.#lastRound = this.#clock.now()
    return { claimed, sent, failures }
  }

  /** To be called well within the lease while `execute` runs, so that nobody else sends the same. */
  async renewLeases(): Promise<void> {
    await this.#unitOfWork.run(({ outbox }) => outbox.renew(this.#owner, LEASE))
  }

  async #claim(stores: Stores, limit: number): Promise<{ claimed: number; sendings: Sending[] }> {
    const entries = await stores.outbox.claim({ owner: this.#owner, limit, leaseFor: LEASE })
    const sendings: Sending[] = []
    for (const entry of entries) {
      const mail = await this.#mailOf(stores, entry)
      if (mail === undefined) await stores.outbox.settle(entry.id, this.#owner)
      else if (await this.#takeSlot(stores, entry)) sendings.push({ entry, mail })
    }
    return { claimed: entries.length, sendings }
  }

  /** Undefined where the mail has nothing to say any more. */
  async #mailOf({ subscriptions, feeds, suppressions }: Stores, entry: OutboxEntry): Promise<Mail | undefined> {
    if (await suppressions.find(entry.address)) return undefined
    const subscription = await subscriptions.find(entry.subscriptionId)
    const { kind } = entry
    const over = entry.expiresAt !== undefined && entry.expiresAt <= this.#clock.now()
    if (subscription === undefined || over || !isApt(kind, subscription)) return undefined
    const feed = await feeds.find(subscription.feed)
    if (!feed) return undefined
    return {
      kind,
      messageId: entry.messageId,
      to: envelopeAddress(subscription.email, subscription.addressKey),
      feed,
      locale: subscription.locale,
      links: {
        confirm: kind === 'confirmation' ? this.#link('confirm', subscription) : undefined,
        refuse: kind === 'confirmation' ? this.#link('refuse', subscription) : undefined,
        preferences: kind === 'preferences' ? this.#preferences(subscription, entry) : undefined,
        unsubscribe: this.#link('unsubscribe', subscription),
      },
    }
  }

  #preferences({ id }: Subscription, { expiresAt, createdAt }: OutboxEntry): string {
    return `${this.#publicUrl}/preferences/${this.#tokens.signPreferences(id, expiresAt ?? createdAt)}`
  }

  #link(purpose: LinkPurpose, subscription: Subscription): string {
    return `${this.#publicUrl}/${purpose}/${this.#tokens.sign(purpose, subscription)}`
  }

  /** Counts the mail against its address before it is sent; or, where a cap holds it back, has it wait. */
  async #takeSlot({ mailCaps, outbox }: Stores, entry: OutboxEntry): Promise<boolean> {
    const now = this.#clock.now()
    const slots = notAfter(await mailCaps.slots(entry.address), now)
    const allowedAt = mailCapAllowsAt(withoutSlot(slots, entry.messageId), now)
    if (allowedAt > now) {
      await mailCaps.put(entry.address, slots)
      await outbox.postpone(entry.id, this.#owner, { notBefore: allowedAt, attempted: false })
      return false
    }
    await mailCaps.put(entry.address, withSlot(slots, { at: now, messageId: entry.messageId }))
    return true
  }

  /** Undefined once it is sent and that is written down. */
  async #deliver({ entry, mail }: Sending): Promise<DeliveryFailure | undefined> {
    try {
      await this.#transport.send(mail)
    } catch (error) {
      return await this.#unitOfWork.run((stores) => this.#fail(stores, entry, error))
    }
    const kept = await this.#unitOfWork.run((stores) => this.#succeed(stores, entry))
    if (!kept) await this.#transport.forget([entry.messageId])
    return undefined
  }

  /** As if it had never been claimed. */
  async #giveBack({ entry }: Sending): Promise<void> {
    await this.#unitOfWork.run(async ({ outbox, mailCaps }) => {
      await outbox.postpone(entry.id, this.#owner, { notBefore: entry.notBefore, attempted: false })
      await mailCaps.put(entry.address, withoutSlot(await mailCaps.slots(entry.address), entry.messageId))
    })
  }

  /** False where the subscription was erased while its mail was on the way: nothing of it may be kept. */
  async #succeed({ outbox, keptMails, subscriptions }: Stores, entry: OutboxEntry): Promise<boolean> {
    await outbox.settle(entry.id, this.#owner)
    if (!this.#transport.keepsMails) return true
    if (!(await subscriptions.find(entry.subscriptionId))) return false
    await keptMails.add(entry.subscriptionId, entry.messageId)
    return true
  }

  async #fail({ outbox, mailCaps }: Stores, entry: OutboxEntry, error: unknown): Promise<DeliveryFailure> {
    const now = this.#clock.now()
    const parked = error instanceof MailRefusedForGood || now - entry.createdAt >= GIVE_UP_AFTER
    const message = describeFailure(error)
    if (parked) {
      await outbox.park(entry.id, this.#owner, message)
      // It did not arrive, so it does not count. Of one that is tried again nobody knows whether it did.
      await mailCaps.put(entry.address, withoutSlot(await mailCaps.slots(entry.address), entry.messageId))
    } else {
      const notBefore = nextAttemptAt(entry.attempts, now, this.#randomness.fraction())
      await outbox.postpone(entry.id, this.#owner, { notBefore, attempted: true, error: message })
    }
    return { entry, error, parked }
  }
}

/** Whether the mail still has something to say about the subscription as it is now. */
const isApt = (kind: MailKind, { status }: Subscription): boolean => {
  if (kind === 'preferences') return true
  return status === (kind === 'confirmation' ? 'pending' : 'confirmed')
}
