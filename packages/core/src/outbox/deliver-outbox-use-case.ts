import { type Instant, MINUTE } from '../instant.ts'
import { counted } from '../numbers/counted.ts'
import { planReminder } from '../reminders/plan-reminder.ts'
import type { Stores } from '../unit-of-work.ts'
import { type Needs, UseCase } from '../use-case.ts'
import { type DeliveryFailure, storeFailure } from './delivery-failure.ts'
import { type ClaimedMails, type DueMail, DueMails, LEASE } from './due-mails.ts'
import { MailsInFlight } from './mails-in-flight.ts'
import { Outcomes } from './outcomes.ts'

export interface DeliverOutboxCommand {
  /** How many mails at most. */
  readonly limit: number
  /** Once aborted, no further mail is begun. An `AbortSignal` will do. */
  readonly stop?: { readonly aborted: boolean } | undefined
  /** Awaited before each mail is begun: a host may have more urgent things to do. */
  readonly pace?: (() => Promise<void>) | undefined
  /** Awaited before the outcome of a mail is stored: those that wait at the same time may share a commit. */
  readonly gather?: (() => Promise<void>) | undefined
}

/** What one round did; `claimed` 0 means that nothing was due. */
export interface DeliveryRound {
  readonly claimed: number
  readonly sent: number
  /** Tried and failed: waiting for another try, or parked. */
  readonly failures: readonly DeliveryFailure[]
}

/** How long other mails to a domain wait while some of them are delayed. */
const DETOUR = 1 * MINUTE

type Ports =
  | 'bounceAddresses'
  | 'unitOfWork'
  | 'transport'
  | 'tokens'
  | 'clock'
  | 'digests'
  | 'jumpGuardedClock'
  | 'randomness'
  | 'publicUrl'

/**
 * Takes pending mails from the outbox and sends them: at least once each, within the caps of each address.
 *
 * An entry of the outbox:
 *
 *     waiting ──its time──▶ due ──claim──▶ leased ──its turn──▶ sending ──accepted──▶ gone
 *                                            │                     │
 *                   obsolete (1): gone ◀─────┤                     ├─────▶ failed: waiting, by the back-off
 *      cap (2) or detour (3): waiting ◀──────┤                     ├─────▶ unanswered (6): waiting, by the caps
 *                     stopped (4): due ◀─────┘                     └─────▶ refused or given up: parked
 *
 *     leased or sending ──lease runs out (5)──▶ due          parked or waiting ──retry by a person──▶ due
 *
 * (1) The mail has nothing to say any more. It is settled in the unit of work of the claim. (2) A cap of the address holds
 * it back, also in that unit. (3) Too many mails to its domain are held up: put off by a minute. (4) The round was stopped
 * before its turn, or the entry was not found: given back as it was. (2), (3) and (4) do not count as attempts. (5) Its
 * process died, or its claim was not answered: the entry is due for other workers. (6) The relay got the mail and did not
 * say whether it takes it. Of (5) and (6), the mail may have been delivered: it stays counted, and waits for the caps.
 *
 * A round:
 *
 *     outcomes that remained ──▶ claim ──▶ for each mail: room ──▶ pace ──▶ still there? ──▶ begin ──▶ give back the rest
 *
 *     begin:  send ──▶ leave the room ──▶ gather ──▶ unit of work ──▶ recorded
 *                                                        └─ failed ──▶ kept, lease renewed ──▶ next round records it
 *
 * `execute` waits for all that it began; `advance` does not, so rounds overlap. A claim that fails makes a new owner.
 */
export class DeliverOutboxUseCase extends UseCase<Ports, 'outbox'> {
  readonly #due: DueMails
  readonly #inFlight: MailsInFlight
  /** Unique to this worker of this process. */
  #owner: string
  #lastRound: Instant | undefined
  #sent = 0
  #failures: DeliveryFailure[] = []
  readonly #outcomes = new Outcomes()

  constructor(ports: Needs<Ports, 'outbox'>) {
    super(ports)
    this.#owner = ports.randomness.hex(16)
    this.#due = new DueMails(ports)
    this.#inFlight = new MailsInFlight(ports.clock, ports.transport.concurrency)
  }

  /**
   * When a round last came to its end; undefined before the first. Now, while one waits for mails in flight: how long a
   * relay takes says nothing about the worker.
   */
  get lastRound(): Instant | undefined {
    return this.#inFlight.isFull ? this.ports.clock.now() : this.#lastRound
  }

  /**
   * One round: claims what is due, sends it, and stores the outcome of each mail as soon as it is known. One
   * failing mail never delays another. Once asked to stop, it finishes the mails in flight and releases the others.
   */
  async execute(command: DeliverOutboxCommand): Promise<DeliveryRound> {
    const claimed = await this.#begin(command)
    await this.#inFlight.end()
    return this.#report(claimed)
  }

  /**
   * As `execute`, but resolves when each mail is begun, for the next round to follow without a gap: what takes long
   * holds up nothing else, and is reported by a later round. At the end, `finish`.
   */
  async advance(command: DeliverOutboxCommand): Promise<DeliveryRound> {
    const claimed = await this.#begin(command)
    return this.#report(claimed)
  }

  /** Waits for all that was begun, and reports what no round has reported. */
  async finish(): Promise<DeliveryRound> {
    await this.#inFlight.end()
    await this.#outcomes.writeDown()
    return this.#report(0)
  }

  /** To be called well within the lease while mails are in flight, so that no other worker sends the same. */
  async renewLeases(): Promise<void> {
    await this.ports.unitOfWork.run(({ outbox }) => outbox.renew(this.#owner, LEASE))
  }

  async #begin({ limit, stop, pace, gather }: DeliverOutboxCommand): Promise<number> {
    await this.#outcomes.writeDown()
    const { claimed, mails } = await this.#claim(limit)
    const unsent: DueMail[] = []
    const detoured: DueMail[] = []
    for (const due of mails) {
      if (!stop?.aborted) await this.#inFlight.room()
      if (!stop?.aborted) await pace?.()
      if (!stop?.aborted) await this.ports.transport.prepare?.()
      if (stop?.aborted || !(await this.#isStillPending(due))) unsent.push(due)
      else if (this.#inFlight.isHeldUp(due.mail.to)) detoured.push(due)
      else this.#inFlight.begin(due.mail.to, (left) => this.#deliver(due, left, gather))
    }
    if (unsent.length + detoured.length > 0)
      await this.#outcomes.write(() =>
        this.ports.unitOfWork.run(async (stores) => {
          for (const due of unsent) await this.#due.giveBack(stores, due)
          for (const due of detoured) await this.#due.giveBack(stores, due, this.ports.clock.now() + DETOUR)
        }),
      )
    return claimed
  }

  async #claim(limit: number): Promise<ClaimedMails> {
    try {
      return await this.ports.unitOfWork.run((stores) => this.#due.claim(stores, limit, this.#owner))
    } catch (trouble) {
      // The claim may have been stored, but this worker does not have its entries: those leases must not be renewed.
      this.#owner = this.ports.randomness.hex(16)
      this.#outcomes.note(trouble)
      return { claimed: 0, mails: [] }
    }
  }

  // Between the claim and its turn it may have been withdrawn, with all that was known of its address.
  async #isStillPending({ entry }: DueMail): Promise<boolean> {
    try {
      return (await this.ports.readers.outbox.find(entry.id)) !== undefined
    } catch (trouble) {
      this.#outcomes.note(trouble)
      return false
    }
  }

  /** Never rejects: the next round reports what went wrong. */
  async #deliver(due: DueMail, left: () => void, gather?: () => Promise<void>): Promise<void> {
    const refusal = await this.ports.transport.send(due.mail).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    left()
    const at = this.ports.clock.now()
    await this.#outcomes.write(async () => {
      await gather?.()
      if (refusal) await this.#fail({ due, error: refusal.error, at })
      else await this.#succeed(due)
    })
  }

  async #fail(failed: Parameters<typeof storeFailure>[2]): Promise<void> {
    this.#failures.push(await this.ports.unitOfWork.run((stores) => storeFailure(stores, this.ports, failed)))
  }

  async #succeed(due: DueMail): Promise<void> {
    const kept = await this.ports.unitOfWork.run((stores) => this.#settle(stores, due))
    if (!kept) await this.ports.transport.forget([due.entry.messageId])
    this.#sent++
  }

  /** False where the subscription was erased while its mail was on the way: nothing of it may be kept. */
  async #settle(stores: Stores, { entry, owner, mail }: DueMail): Promise<boolean> {
    const { outbox, keptMails, subscriptions } = stores
    // It has arrived, also where another worker has taken it over meanwhile.
    if (!(await outbox.settle(entry.id, owner))) await outbox.remove(entry.id)
    // The reader of a reminder, or of a welcome, was counted with the first mail.
    if (entry.kind !== 'reminder' && entry.kind !== 'welcome')
      await stores.numbers.add([counted('mailed', mail.feed.name, this.ports.clock.now())])
    if (mail.feed.remindAfter !== undefined) await planReminder(stores, entry, mail, this.ports.jumpGuardedClock.now())
    if (!this.ports.transport.keepsMails) return true
    if (!(await subscriptions.find(entry.subscriptionId))) return false
    await keptMails.add(entry.subscriptionId, entry.messageId)
    return true
  }

  /** @throws the error that kept an outcome from being stored: the next round begins with that */
  #report(claimed: number): DeliveryRound {
    this.#outcomes.report()
    const round = { claimed, sent: this.#sent, failures: this.#failures }
    this.#lastRound = this.ports.clock.now()
    this.#sent = 0
    this.#failures = []
    return round
  }
}
