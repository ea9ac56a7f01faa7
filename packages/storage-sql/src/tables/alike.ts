import type { Readers, Stores } from '@rollcall/core'
import { SPENT_CHALLENGE_STORE } from './abuse.ts'
import { ACCESS_TOKEN_READER, ACCESS_TOKEN_STORE } from './access-tokens.ts'
import { AUDIT_READER } from './audit.ts'
import {
  CONSOLE_SESSION_READER,
  CONSOLE_SESSION_STORE,
  DELETION_RUN_READER,
  DELETION_RUN_STORE,
  LOGIN_LINK_STORE,
} from './console.ts'
import { EVENT_READER, WEBHOOK_READER, WEBHOOK_STORE } from './events.ts'
import { DELIVERABILITY_READER, DELIVERABILITY_STORE, FEEDBACK_READER, FEEDBACK_STORE } from './feedback.ts'
import { FEED_READER, FEED_STORE } from './feeds.ts'
import { HELD_USER_READER, HELD_USER_STORE, TOMBSTONE_READER, TOMBSTONE_STORE } from './identities.ts'
import type { Methods } from './methods.ts'
import { MOVE_READER, MOVE_STORE } from './moves.ts'
import { NUMBER_READER } from './numbers.ts'
import { REQUEST_READER } from './requests.ts'
import { SIGN_UP_GROUP_READER } from './sign-up-groups.ts'
import { SUPPRESSION_READER, SUPPRESSION_STORE } from './suppressions.ts'

/** The readers that are described as a whole, and so alike in both databases. */
const READERS = {
  accessTokens: ACCESS_TOKEN_READER,
  audit: AUDIT_READER,
  consoleSessions: CONSOLE_SESSION_READER,
  deletionRuns: DELETION_RUN_READER,
  deliverability: DELIVERABILITY_READER,
  events: EVENT_READER,
  feedback: FEEDBACK_READER,
  feeds: FEED_READER,
  heldUsers: HELD_USER_READER,
  moves: MOVE_READER,
  numbers: NUMBER_READER,
  requests: REQUEST_READER,
  signUpGroups: SIGN_UP_GROUP_READER,
  suppressions: SUPPRESSION_READER,
  tombstones: TOMBSTONE_READER,
  webhooks: WEBHOOK_READER,
}

/** The same of the stores of a unit. */
const STORES = {
  accessTokens: ACCESS_TOKEN_STORE,
  consoleSessions: CONSOLE_SESSION_STORE,
  deletionRuns: DELETION_RUN_STORE,
  deliverability: DELIVERABILITY_STORE,
  feedback: FEEDBACK_STORE,
  feeds: FEED_STORE,
  heldUsers: HELD_USER_STORE,
  loginLinks: LOGIN_LINK_STORE,
  moves: MOVE_STORE,
  spentChallenges: SPENT_CHALLENGE_STORE,
  suppressions: SUPPRESSION_STORE,
  tombstones: TOMBSTONE_STORE,
  webhooks: WEBHOOK_STORE,
}

type AlikeReaders = Pick<Readers, keyof typeof READERS>
export type AlikeStores = Pick<Stores, keyof typeof STORES>

/** `portOf` is asked once for each; what it gives is asked for each owner, such as a unit. */
const portsOf = <Ports, Owner>(
  described: object,
  portOf: <Port extends object>(methods: Methods<Port>, name: keyof Ports) => (owner: Owner) => Port,
): ((owner: Owner) => Ports) => {
  const ports = Object.entries(described).map(
    ([name, methods]) => [name, portOf(methods, name as keyof Ports)] as const,
  )
  return (owner) => Object.fromEntries(ports.map(([name, port]) => [name, port(owner)])) as Ports
}

export const alikeReaders = <Owner>(
  readerOf: <Port extends object>(methods: Methods<Port>) => (owner: Owner) => Port,
): ((owner: Owner) => AlikeReaders) => portsOf(READERS, readerOf)

export const alikeStores = <Unit>(
  storeOf: <Port extends object>(methods: Methods<Port>, name: keyof AlikeStores) => (unit: Unit) => Port,
): ((unit: Unit) => AlikeStores) => portsOf(STORES, storeOf)
