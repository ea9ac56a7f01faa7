/** A row of the store, read without any code of the service. */
export interface StoredSubscription {
  readonly seq: number
  readonly id: number
  readonly feed: string
  readonly email: string
  readonly name: string
  readonly status: string
}

export interface StoredUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly suspended_at: unknown
}

/** A mail that is still in the outbox. */
export interface StoredMail {
  readonly subscriptionId: number
  readonly messageId: string
  readonly parked: boolean
  readonly error: string | undefined
}

/** What the store holds about some persons at one moment. */
export interface Look {
  readonly subscriptions: readonly StoredSubscription[]
  readonly users: readonly StoredUser[]
  /** Of users that were deleted. */
  readonly tombstones: ReadonlySet<string>
  /** Ids of access tokens that are refused. */
  readonly revoked: ReadonlySet<string>
  /** Ids of subscriptions whose ledger says that they were moved. */
  readonly moved: ReadonlySet<number>
  /** What is known of mails, by the id of the subscription that it was reported of. */
  readonly delivery: ReadonlyMap<number, string>
}

/** The store of the service, read by another process. */
export interface Store extends AsyncDisposable {
  /** The URL of the database. */
  readonly url: string
  /** Resolves when no transaction of a dead process is open any more. */
  settled(): Promise<void>
  /** Resolves when no transaction is open; the service may begin the next one. */
  idle(): Promise<void>
  /** Subscriptions with these ids and all with a greater `seq`; users with these ids, and their access tokens. */
  look(order: { subscriptions: readonly number[]; after: number; users: readonly string[] }): Promise<Look>
  all(): Promise<readonly StoredSubscription[]>
  pending(): Promise<readonly StoredMail[]>
  /** Accepted requests that wait to be carried out, parked ones among them. */
  waitingRequests(): Promise<number>
  /** What the database engine finds wrong with its files. */
  damage(): Promise<readonly string[]>
  /** Starts a checkpoint. */
  checkpoint(): Promise<void>
}

export const MOVED = `SELECT subscription.id FROM consent JOIN subscription ON subscription.seq = consent.subscription
  WHERE consent.deed = 'moved'`
export const DELIVERY = 'SELECT subscription AS id, state FROM deliverability WHERE subscription IS NOT NULL'

export const STATUS: Readonly<Record<string, string>> = { p: 'pending', c: 'confirmed', e: 'ended' }
