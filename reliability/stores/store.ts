/** A row as it is in the store, read with nothing of the service's own. */
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
}

/** A mail that is owed still. */
export interface StoredMail {
  readonly subscriptionId: number
  readonly messageId: string
  readonly parked: boolean
  readonly error: string | undefined
}

/** What was found of some persons at one moment. */
export interface Look {
  readonly subscriptions: readonly StoredSubscription[]
  readonly users: readonly StoredUser[]
  /** Of users that were deleted. */
  readonly tombstones: ReadonlySet<string>
}

/** The store, seen from outside while the service uses it. */
export interface Store extends AsyncDisposable {
  /** What the service is to be given as its database. */
  readonly url: string
  /** Resolves when nothing is under way any more that a process began which is dead now. */
  settled(): Promise<void>
  /** Resolves when no transaction is under way at this moment, though a process may begin the next. */
  idle(): Promise<void>
  /** Subscriptions of these ids and all that came after the place; users of these ids. */
  look(order: { subscriptions: readonly number[]; after: number; users: readonly string[] }): Promise<Look>
  all(): Promise<readonly StoredSubscription[]>
  owed(): Promise<readonly StoredMail[]>
  /** What is wrong with its files, as its own engine has it. */
  damage(): Promise<readonly string[]>
  /** Starts writing down into its files what is only in its log. */
  checkpoint(): Promise<void>
}

export const STATUS: Readonly<Record<string, string>> = { p: 'pending', c: 'confirmed', e: 'ended' }
