import { type BatchReport, sealText, type UseCases } from '@rollcall/core'
import type { Storage } from '../database.ts'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import type { JumpGuardedClock } from '../platform/jump-guarded-clock.ts'

/** Something to be done again and again, never twice at once. */
interface Chore {
  readonly name: string
  readonly every: number
  readonly work: () => Promise<unknown>
}

/** What a chore gives that did nothing because it has just failed: that is no success. */
const RESTS = Symbol('rests')

type Metrics = Pick<ServiceMetrics, 'anchorCompared' | 'choreDone' | 'reportsRead'>

/** Keeps the promises that have a time in them: refusals written in a second, the log cut in ten, expired data gone. */
export class Housekeeper {
  readonly #chores: Chore[]
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #writeRefusals: Chore
  readonly #sealAudit: Chore
  readonly #writeAllReads: Chore
  readonly #writeUses: Chore
  readonly #running = new Set<Promise<void>>()
  #timers: NodeJS.Timeout[] = []
  #setBacksMet: number | undefined
  #rescheduleAgainAt = Number.POSITIVE_INFINITY

  constructor(options: {
    useCases: Pick<
      UseCases,
      | 'anchorAudit'
      | 'eraseHeldUsers'
      | 'expireSubscriptions'
      | 'finishMoves'
      | 'pruneTokens'
      | 'queueReminders'
      | 'reads'
      | 'rescheduleOutbox'
      | 'refusals'
      | 'readReports'
      | 'sealAudit'
      | 'sealer'
      | 'tidyConsole'
      | 'uses'
    >
    storage: Pick<Storage, 'completeErasure'>
    sweepMails: () => Promise<void>
    metrics: Metrics
    jumpGuardedClock: Pick<JumpGuardedClock, 'now' | 'setBacks'>
    log: Log
  }) {
    const { useCases, storage, sweepMails, jumpGuardedClock } = options
    this.#log = options.log
    this.#metrics = options.metrics
    this.#writeRefusals = { name: 'writing down refusals', every: 500, work: () => useCases.refusals.flush() }
    const writeReads = { name: 'writing down who reads lists', every: 500, work: () => useCases.reads.flush() }
    this.#writeAllReads = { ...writeReads, work: () => useCases.reads.flush({ all: true }) }
    this.#writeUses = {
      name: 'writing down when tokens were used and users seen',
      every: 60_000,
      work: () => useCases.uses.flush(),
    }
    this.#sealAudit = {
      name: 'keeping the newest seal of the audit trail',
      every: 60_000,
      work: () => this.#seal(useCases),
    }
    const eraseHeld = this.#batches(useCases.eraseHeldUsers, (erased) =>
      this.#log.info({ erased }, 'deleted users were erased: their grace is over'),
    )
    const finishMoves = this.#batches(useCases.finishMoves, (erased) =>
      this.#log.info({ erased }, 'subscriptions of old addresses were erased: they have moved'),
    )
    const expire = this.#batches(useCases.expireSubscriptions, (expired) =>
      this.#log.info({ expired }, 'pending subscriptions expired and were removed'),
    )
    this.#chores = [
      this.#writeRefusals,
      writeReads,
      // Whatever a reader does not ask for sooner.
      { name: 'numbering, sealing and folding', every: 100, work: async () => (await useCases.sealer.beat()) || RESTS },
      this.#sealAudit,
      { name: 'looking at the clock', every: 1_000, work: () => this.#lookAtClock(useCases, jumpGuardedClock) },
      { name: 'sweeping the mail folder', every: 3_000, work: sweepMails },
      { name: 'completing erasures', every: 5_000, work: async () => storage.completeErasure?.() },
      { name: 'erasing users whose grace is over', every: 5_000, work: eraseHeld },
      this.#writeUses,
      { name: 'removing tokens that expired', every: 600_000, work: this.#batches(useCases.pruneTokens) },
      { name: 'removing expired subscriptions', every: 60_000, work: expire },
      { name: 'tidying up after the console', every: 60_000, work: this.#batches(useCases.tidyConsole) },
      { name: 'finishing changes of address', every: 60_000, work: finishMoves },
      { name: 'reading the mailbox of reports', every: 60_000, work: () => this.#readReports(useCases) },
      { name: 'queueing reminders', every: 60_000, work: this.#batches(useCases.queueReminders) },
    ]
  }

  start(): void {
    this.#timers = this.#chores.map((chore) => {
      this.#metrics.choreDone(chore.name, false)
      let busy = false
      const begin = () => {
        if (busy) return
        busy = true
        const run = this.#do(chore).finally(() => {
          busy = false
          this.#running.delete(run)
        })
        this.#running.add(run)
      }
      // Whether the trail goes with the seal outside is known at once.
      if (chore === this.#sealAudit) begin()
      return setInterval(begin, chore.every)
    })
  }

  get #isStarted(): boolean {
    return this.#timers.length > 0
  }

  /** Begins nothing more, finishes what is in hand, and flushes what was gathered; if called again, what was since. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
    await Promise.all(this.#running)
    await this.#do(this.#writeRefusals)
    await this.#do(this.#writeAllReads)
    await this.#do(this.#writeUses)
    await this.#do(this.#sealAudit)
  }

  async #do({ name, work }: Chore): Promise<void> {
    try {
      if ((await work()) !== RESTS) this.#metrics.choreDone(name, false)
    } catch (error) {
      this.#metrics.choreDone(name, true)
      this.#log.error({ err: error }, `${name} failed; trying again`)
    }
  }

  // Named in the log, so that a log kept elsewhere shows whether the trail was cut.
  async #seal({ sealAudit, anchorAudit }: Pick<UseCases, 'anchorAudit' | 'sealAudit'>): Promise<void> {
    const seal = await sealAudit.execute()
    if (seal) this.#log.info({ seal: sealText(seal) }, 'the audit trail was sealed')
    const agrees = (await anchorAudit.execute()) === 'kept'
    this.#metrics.anchorCompared(agrees)
    if (!agrees)
      this.#log.error(
        {},
        'the audit trail is not the one whose seal was kept outside the database: run `rollcall audit verify`',
      )
  }

  async #lookAtClock(
    { rescheduleOutbox }: Pick<UseCases, 'rescheduleOutbox'>,
    clock: Pick<JumpGuardedClock, 'now' | 'setBacks'>,
  ): Promise<void> {
    clock.now()
    const { setBacks } = clock
    const isAgain = performance.now() >= this.#rescheduleAgainAt
    if (setBacks === this.#setBacksMet && !isAgain) return
    const rescheduled = await rescheduleOutbox.execute({ setBack: setBacks > 0 })
    this.#setBacksMet = setBacks
    // Mails that were in hand may have been put off by what the clock was before.
    this.#rescheduleAgainAt = setBacks > 0 && !isAgain ? performance.now() + 60_000 : Number.POSITIVE_INFINITY
    if (rescheduled > 0) this.#log.warn({ rescheduled }, 'mails that waited for a time that is over were made due')
  }

  async #readReports({ readReports }: Pick<UseCases, 'readReports'>): Promise<void> {
    for (let more = true; more && this.#isStarted; ) {
      const round = await readReports.execute()
      this.#metrics.reportsRead(round)
      more = round.more
      const { taken, left } = round
      if (left > 0) this.#log.warn({ taken, left }, 'messages in the mailbox of reports are no reports on our mails')
    }
  }

  /** Does batch after batch, until it is told to stop, and tells how many there were, if any. */
  #batches(useCase: { execute(): Promise<BatchReport> }, tell: (count: number) => void = () => {}) {
    return async (): Promise<void> => {
      let count = 0
      for (let more = true; more && this.#isStarted; ) {
        const report = await useCase.execute()
        count += report.count
        more = report.more
      }
      if (count > 0) tell(count)
    }
  }
}
