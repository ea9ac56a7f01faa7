import type { ListedToken } from '../access-tokens/access-token-store.ts'
import type { AuditRecord } from '../audit/audit-store.ts'
import type { Deliverability } from '../feedback/deliverability-store.ts'
import type { Provisioned } from '../users/provisioned.ts'
import { type PublishedSession, sessionRecord } from './session-record.ts'
import {
  deliverabilityOrNull,
  type PublishedSubscription,
  type PublishedWaiting,
  subscriptionRecord,
  waitingRecord,
} from './subscription-record.ts'
import { tokenRecord } from './token-record.ts'
import { auditEntryRecord, type PublishedUser, userRecord } from './user-record.ts'

/** What of the export of a user comes before its lists, which may be long. */
export interface PublishedUserExport {
  readonly user: PublishedUser
  readonly subscriptions: readonly PublishedSubscription[]
  readonly deliverability: Pick<Deliverability, 'since' | 'state' | 'status'> | undefined
  readonly waitingFeedback: readonly PublishedWaiting[]
}

/** What a directory says of a user, as SCIM names it. */
const provisionedRecord = ({ userName, externalId, ...given }: Provisioned) => ({
  user_name: userName,
  ...(externalId !== undefined && { external_id: externalId }),
  ...(given.formatted !== undefined && { name_formatted: given.formatted }),
  ...(given.familyName !== undefined && { family_name: given.familyName }),
  ...(given.givenName !== undefined && { given_name: given.givenName }),
  ...(given.emailType !== undefined && { email_type: given.emailType }),
  ...(given.emailPrimary !== undefined && { email_primary: given.emailPrimary }),
})

export const userExportRecord = (head: PublishedUserExport) => ({
  user: userRecord(head.user),
  ...(head.user.provisioned && { provisioned: provisionedRecord(head.user.provisioned) }),
  subscriptions: head.subscriptions.map(subscriptionRecord),
  deliverability: deliverabilityOrNull(head.deliverability),
  waiting_feedback: head.waitingFeedback.map(waitingRecord),
})

/** What may be long, and is read while it is sent. */
export interface PublishedUserLists {
  readonly tokens: AsyncIterable<ListedToken>
  readonly sessions: AsyncIterable<PublishedSession>
  readonly audit: AsyncIterable<AuditRecord>
}

/** The lists by their names, in the order in which they come. */
export const userExportLists = (lists: PublishedUserLists) => ({
  tokens: recordsOf(lists.tokens, tokenRecord),
  sessions: recordsOf(lists.sessions, sessionRecord),
  audit: recordsOf(lists.audit, auditEntryRecord),
})

async function* recordsOf<Item, Published extends object>(
  items: AsyncIterable<Item>,
  record: (item: Item) => Published,
): AsyncGenerator<Published> {
  for await (const item of items) yield record(item)
}
