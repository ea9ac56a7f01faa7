import type { Deed } from '../../ledger/life.ts'

/** Something that was asked of the service. Nobody has more than one at a time. */
export interface Demand {
  readonly requestId: string
  readonly person: PersonInQuestion
  readonly deed: Deed
}

export interface PersonInQuestion {
  readonly email: string
  readonly userId: string
  /** Of its subscription, once an answer has told it. */
  subscriptionId?: number
}
