import type { AddressHash, Stores, SubscriptionId } from '@rollcall/core'
import { perform, usedOutsideUnit, type Work } from '../unit.ts'
import type { SharedReads } from './shared-reads.ts'
import { SharedWrites } from './shared-writes.ts'

/** What became of a unit. One that was aborted has changed nothing, and is to be run in an exclusive transaction. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'aborted' }

export const ABORTED: Outcome = { kind: 'aborted' }

/** Unwinds the work of an aborted unit. It is one object, so that an abort costs no stack trace. */
const ABORT = new Error('This unit of work runs again in a transaction of its own.')
const REJECTION: Promise<never> = Promise.reject(ABORT)
// Work that awaits another store first must not end the process.
REJECTION.catch(() => undefined)

/** A unit that shares its transaction with others, for as long as it does nothing but what new sign-ups do. */
export class SharedUnit {
  readonly writes = new SharedWrites()
  /** Keys of what it has looked at and others may write. */
  readonly looked = new Set<string>()
  /** Resolves when the work has ended or was aborted, which is before it has unwound. */
  readonly worked = Promise.withResolvers<Outcome>()
  /** Resolves when the work has ended, its `finally` blocks included. */
  readonly unwound: Promise<void>
  /** To be resolved when its transaction has ended. */
  readonly answered = Promise.withResolvers<Outcome>()
  /** To be resolved when its batch has begun. */
  readonly joined = Promise.withResolvers<SharedReads>()
  readonly #enqueue: (unit: SharedUnit) => void
  #enqueued = false
  #aborted = false
  #ended = false

  /** `enqueue` is called with the unit when it first needs a transaction. */
  constructor(work: Work, enqueue: (unit: SharedUnit) => void) {
    this.joined.promise.catch(() => undefined)
    this.#enqueue = enqueue
    this.unwound = this.#run(work)
    // A unit that never needs a transaction is answered without one.
    this.worked.promise.then((outcome) => {
      if (!this.#enqueued) this.answered.resolve(outcome)
    })
  }

  /** What the batch reads, as soon as it has begun. */
  async reads(): Promise<SharedReads> {
    if (this.#ended) throw usedOutsideUnit()
    if (this.#aborted) throw ABORT
    if (!this.#enqueued) {
      this.#enqueued = true
      this.#enqueue(this)
    }
    return await this.joined.promise
  }

  /** Rejects, so that the work unwinds; the unit is then run again in an exclusive transaction. */
  abort(): Promise<never> {
    if (this.#ended) return Promise.reject(usedOutsideUnit())
    this.#aborted = true
    this.worked.resolve(ABORTED)
    return REJECTION
  }

  /** Answers with the error; what the work waits for fails with it. */
  fail(error: unknown): void {
    this.answered.resolve({ kind: 'error', error })
    this.joined.reject(error)
  }

  async #run(work: Work): Promise<void> {
    const outcome = await this.#outcomeOf(work)
    this.#ended = true
    // The work may have caught the abort. It is aborted all the same.
    this.worked.resolve(this.#aborted ? ABORTED : outcome)
  }

  async #outcomeOf(work: Work): Promise<Outcome> {
    try {
      return { kind: 'value', value: await perform(work, sharedStores(this)) }
    } catch (error) {
      return { kind: 'error', error }
    }
  }
}

/**
 * The stores as far as new sign-ups need them, and mails that were sent: what they find is absent, or changes seldom, or
 * belongs to them alone; what they write is new. Everything else aborts the unit.
 */
const sharedStores = (unit: SharedUnit): Stores => {
  const abort = () => unit.abort()
  const { writes, looked } = unit
  const free = new Set<SubscriptionId>()
  const asked = new Set<AddressHash>()
  // Each method of it aborts.
  const other = new Proxy({}, { get: () => abort }) as never

  return {
    feeds: {
      find: async (name) => await (await unit.reads()).feeds.find(name),
      list: abort,
      put: abort,
      remove: abort,
    },
    suppressions: {
      find: async (address, mailbox = address) => {
        // A unit that asks for a second one takes in a file, and will write more than one sign-up does.
        if (asked.size > 0 && !asked.has(address)) return await abort()
        asked.add(address)
        const { suppressions } = await unit.reads()
        const general = mailbox === address ? undefined : suppressions.find(mailbox)
        const [own, ofMailbox] = await Promise.all([suppressions.find(address), general])
        return own ?? ofMailbox
      },
      list: abort,
      add: abort,
      remove: abort,
    },
    subscriptions: {
      find: abort,
      findEvidence: abort,
      list: abort,
      listEvidence: abort,
      locate: async (identity) => {
        const id = identity.candidate(0)
        const reads = await unit.reads()
        looked.add(`subscription ${id}`)
        if (!(await reads.free.find({ id, fingerprint: identity.fingerprint }))) return await abort()
        if (writes.subscriptions.has(id)) return await abort()
        free.add(id)
        return { id, subscription: undefined }
      },
      put: async (subscription) => {
        const { id } = subscription
        const begun = writes.subscriptions.get(id)
        if (begun !== undefined) begun.subscription = subscription
        else if (!free.has(id) || writes.subscriptions.size > 0) await abort()
        else writes.subscriptions.set(id, { subscription, consents: [] })
      },
      erase: abort,
      expired: abort,
    },
    consents: {
      append: async (id, record) => {
        const begun = writes.subscriptions.get(id) ?? (await abort())
        begun.consents.push(record)
      },
      last: abort,
      countRepetition: abort,
      list: abort,
    },
    outbox: {
      find: abort,
      list: abort,
      health: abort,
      depth: abort,
      add: async (mail) => {
        if (writes.mails.length > 0) await abort()
        const reads = await unit.reads()
        const id = await reads.mailIds.find()
        writes.mails.push({ id, mail })
        return id
      },
      remove: abort,
      claim: abort,
      renew: abort,
      settle: async (id, owner) => {
        const reads = await unit.reads()
        looked.add(`outbox ${id}`)
        if (!(await reads.held.find({ id, owner }))) return await abort()
        writes.settled.push(id)
        return true
      },
      postpone: abort,
      park: abort,
      retry: abort,
      reschedule: abort,
    },
    events: {
      list: abort,
      append: async (event) => {
        await unit.reads()
        writes.events.push(event)
      },
      prune: abort,
    },
    signUpCounts: {
      count: abort,
      add: async (outcome, count = 1) => {
        await unit.reads()
        writes.counts.push({ outcome, count })
      },
    },
    spentChallenges: {
      spend: async (id, expiresAt) => {
        const reads = await unit.reads()
        looked.add(`challenge ${id}`)
        if (writes.challenges.some((spent) => spent.id === id) || (await reads.spent.find(id))) return false
        writes.challenges.push({ id, expiresAt })
        return true
      },
      prune: abort,
    },
    audit: other,
    heldUsers: other,
    keptMails: other,
    mailCaps: other,
    tombstones: other,
    users: other,
    webhooks: other,
    webhookDeliveries: other,
  }
}
