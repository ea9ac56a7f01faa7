import { type Instant, MINUTE } from '../instant.ts'
import { type Needs, UseCase } from '../use-case.ts'
import { type ClaimedMails, claimMails, DELIVERY_LEASE, type DueMail } from './claim-mails.ts'
import { forgetMails } from './forget-mails.ts'
import { MailWithdrawn } from './mail-transport.ts'
import { MailsInFlight } from './mails-in-flight.ts'
import type { OutboxId } from './outbox-store.ts'
import { Outcomes, type Report } from './outcomes.ts'
import { type DeliveryFailure, type MailOutcome, settleMails } from './settle-mails.ts'

export interface DeliverOutboxCommand {
  /** How many mails at most. */
  readonly limit: number
  /** Once aborted, no further mail is begun. An `AbortSignal` will do. */
  readonly stop?: { readonly aborted: boolean } | undefined
  /**
   * Awaited before outcomes are stored: those that come until it resolves, or the next round begins, or no other mail can
   * begin, are stored together. It must not reject.
   */
  readonly gather?: (() => Promise<void>) | undefined
}

/** What one round did; `claimed` 0 means that nothing was due. */
export interface DeliveryRound extends Report<DeliveryFailure> {
  readonly claimed: number
}

/** How long other mails to a domain wait while some of them are delayed. */
const DETOUR = 1 * MINUTE
const NONE: ReadonlySet<OutboxId> = new Set()

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
 * before it was begun, or the entry was not found: given back as it was. (2), (3) and (4) do not count as attempts. (5) Its
 * process died, or its claim was not answered: the entry is due for other workers. (6) The relay got the mail and did not
 * say whether it takes it. Of (5) and (6), the mail may have been delivered: it stays counted, and waits for the caps; `decideMail` has
 * the kinds that do not.
 *
 * A round:
 *
 *     outcomes that remained ──▶ claim ──▶ for each that there is room for: hand over, or give back
 *
 *     hand over:  ready ──▶ still there? ──▶ send ──▶ leave the room ──▶ gather
 *     gather:     unit of work for all that are gathered ──▶ recorded
 *                              └─ failed ──▶ kept ──▶ next round records it
 *
 * `execute` waits for all that it began; `advance` does not, so rounds overlap. A claim that fails makes a new owner: the
 * leases of the one before are renewed no more.
 */
export class DeliverOutboxUseCase extends UseCase<Ports, 'outbox'> {
  readonly #inFlight: MailsInFlight
  /** Unique to this worker of this process. */
  #owner: string
  #lastRound: Instant | undefined
  readonly #outcomes = new Outcomes<DeliveryFailure>()
  /** The mails that are looked up together. */
  #asking: { readonly ids: OutboxId[]; readonly found: Promise<ReadonlySet<OutboxId>> } | undefined
  /** Those that are stored together, as soon as they are said to be complete. */
  #gathered: { readonly outcomes: MailOutcome[]; complete(): void; readonly stored: Promise<void> } | undefined

  constructor(ports: Needs<Ports, 'outbox'>) {
    super(ports)
    this.#owner = ports.randomness.hex(16)
    this.#inFlight = new MailsInFlight(ports.clock, ports.transport.concurrency)
  }

  /**
   * When a round last came to its end without trouble; undefined before the first. Now, while one waits for mails in flight: how long a
   * relay takes says nothing about the worker.
   */
  get lastRound(): Instant | undefined {
    return this.#inFlight.isFull ? this.ports.clock.now() : this.#lastRound
  }

  /**
   * One round: claims what is due, sends it, and stores the outcome of each mail as soon as it is known. One
   * failing mail never delays another. Once asked to stop, it finishes the mails in flight and releases the others.
   * @throws the trouble, if there was any: what was stored is reported by the next round
   */
  async execute(command: DeliverOutboxCommand): Promise<DeliveryRound> {
    const claimed = await this.#begin(command)
    await this.#inFlight.end()
    this.#outcomes.throwTrouble()
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
    await this.ports.unitOfWork.run(({ outbox }) => outbox.renew(this.#owner, DELIVERY_LEASE))
  }

  async #begin({ limit, stop, gather }: DeliverOutboxCommand): Promise<number> {
    await this.#outcomes.writeDown()
    // Its claim and what is gathered by now may share a commit.
    this.#gathered?.complete()
    const { claimed, mails } = await this.#claim(limit)
    const given: Promise<void>[] = []
    const giveBack = (due: DueMail, notBefore = due.entry.notBefore) =>
      given.push(this.#record({ is: 'unbegun', due, notBefore }, gather))
    for (const due of mails) {
      if (!stop?.aborted) await this.#inFlight.room()
      if (stop?.aborted) giveBack(due)
      else if (this.#inFlight.isHeldUp(due.mail.to)) giveBack(due, this.ports.clock.now() + DETOUR)
      else this.#inFlight.begin(due.mail.to, (left) => this.#deliver(due, left, { stop, gather }))
      if (this.#inFlight.isUnwritten) this.#gathered?.complete()
    }
    await Promise.all(given)
    return claimed
  }

  async #claim(limit: number): Promise<ClaimedMails> {
    try {
      return await this.ports.unitOfWork.run((stores) => claimMails(stores, this.ports, { limit, owner: this.#owner }))
    } catch (trouble) {
      // The claim may have been stored, but this worker does not have its entries: those leases must not be renewed.
      this.#owner = this.ports.randomness.hex(16)
      this.#outcomes.note(trouble)
      return { claimed: 0, mails: [] }
    }
  }

  // Between the claim and its beginning a mail may have been withdrawn, with all that was known of its address. Those that
  // ask at once are looked up together.
  async #isPending(id: OutboxId): Promise<boolean> {
    this.#asking ??= this.#ask()
    const { ids, found } = this.#asking
    ids.push(id)
    return (await found).has(id)
  }

  #ask() {
    const ids: OutboxId[] = []
    const found = Promise.resolve().then(async (): Promise<ReadonlySet<OutboxId>> => {
      this.#asking = undefined
      try {
        return new Set((await this.ports.readers.outbox.findMany(ids)).map(({ id }) => id))
      } catch (trouble) {
        this.#outcomes.note(trouble)
        return NONE
      }
    })
    return { ids, found }
  }

  /** Never rejects: the next round reports what went wrong. */
  async #deliver(
    due: DueMail,
    left: () => void,
    { stop, gather }: Pick<DeliverOutboxCommand, 'stop' | 'gather'>,
  ): Promise<void> {
    const isDue = async () => !stop?.aborted && (await this.#isPending(due.entry.id))
    const { transport } = this.ports
    // A host's own may throw at once.
    const send = async () => await transport.send(due.mail, isDue)
    const outcome = await send().then(
      (): MailOutcome => ({ is: 'sent', due }),
      (error: unknown): MailOutcome =>
        error instanceof MailWithdrawn
          ? { is: 'unbegun', due, notBefore: due.entry.notBefore }
          : { is: 'failed', due, error, at: this.ports.clock.now() },
    )
    left()
    await this.#record(outcome, gather)
  }

  /** Resolves when it is stored, with all that are gathered meanwhile, or kept for the next round. */
  async #record(outcome: MailOutcome, gather?: () => Promise<void>): Promise<void> {
    this.#gathered ??= this.#gather(gather)
    const { outcomes, complete, stored } = this.#gathered
    outcomes.push(outcome)
    if (this.#inFlight.isUnwritten) complete()
    await stored
  }

  #gather(gather?: () => Promise<void>) {
    const outcomes: MailOutcome[] = []
    const complete = Promise.withResolvers<void>()
    const stored = complete.promise.then(async () => {
      this.#gathered = undefined
      await this.#outcomes.write(outcomes, (some) => this.#settle(some))
    })
    void Promise.resolve(gather?.()).then(complete.resolve)
    return { outcomes, complete: complete.resolve, stored }
  }

  async #settle(outcomes: readonly MailOutcome[]): Promise<readonly DeliveryFailure[]> {
    const { unitOfWork, transport } = this.ports
    const { failures, orphans } = await unitOfWork.run((stores) => settleMails(stores, this.ports, outcomes))
    await forgetMails(transport, orphans)
    return failures
  }

  #report(claimed: number): DeliveryRound {
    const report = this.#outcomes.report()
    if (report.trouble === undefined) this.#lastRound = this.ports.clock.now()
    return { claimed, ...report }
  }
}
