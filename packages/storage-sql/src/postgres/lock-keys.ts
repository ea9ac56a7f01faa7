import type { AddressHash, FeedName, SubscriptionId, WebhookName } from '@rollcall/core'

/**
 * What units lock beside rows: that something is there, or is not. Who carries requests out takes the turn first, then
 * feeds, subscriptions, addresses; a unit that takes another order may be undone and run again.
 */
export const keyOf = {
  /** The turn to carry out what the public has asked for. */
  requests: 'requests',
  /** The turn among units that run again. */
  contended: 'contended',
  /** The list of feeds. */
  feeds: 'feeds',
  feed: (name: FeedName) => `feed ${name}`,
  subscription: (id: SubscriptionId) => `subscription ${id}`,
  address: (hash: AddressHash) => `address ${hash}`,
  accessToken: (id: string) => `access token ${id}`,
  /** A user, its tombstone, its access tokens and logins, and what is held of it: whatever changes one takes it first. */
  user: (id: string) => `user ${id}`,
  /** The turn of those who may take a role from its last holder: whoever counts them has it. */
  roles: 'roles',
  outboxEntry: (id: number) => `outbox ${id}`,
  /** A target of events, and its cursor. */
  webhook: (name: WebhookName) => `webhook ${name}`,
  move: (id: SubscriptionId) => `move ${id}`,
  challenge: (id: string) => `challenge ${id}`,
  feedbackOf: (caller: string) => `feedback of ${caller}`,
  waitingFeedback: (id: number) => `waiting feedback ${id}`,
  loginLink: (hash: string) => `login link ${hash}`,
  deletionRun: (id: string) => `deletion run ${id}`,
  /** The turn to give numbers to records and events, and to fold what changes have added to the kept numbers. */
  sealing: 'sealing',
} as const

/** What is looked at of who asks for a change: it stays so until that is done. */
export const keysOfCaller = (subject: string, tokenId: string | undefined): string[] => [
  keyOf.user(subject),
  ...(tokenId === undefined ? [] : [keyOf.accessToken(tokenId)]),
]
