import type { AuditRecord } from '../audit/audit-store.ts'
import type { ErasureReceipt } from '../users/read-users-use-cases.ts'
import type { HeldUser, User } from '../users/user.ts'
import { timestamp } from './timestamp.ts'

export const publishedUser = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  roles: user.roles,
  created_at: timestamp(user.createdAt),
  updated_at: timestamp(user.updatedAt),
  /** There only while it is suspended. */
  ...(user.suspendedAt !== undefined && { suspended_at: timestamp(user.suspendedAt) }),
  /** There only once it was seen. */
  ...(user.lastSeenAt !== undefined && { last_seen_at: timestamp(user.lastSeenAt) }),
})

/** What somebody has changed when it differs. */
export const userState = (user: User) => publishedUser({ ...user, lastSeenAt: undefined })

/** A deleted user that can be restored. */
export const publishedHeldUser = ({ user, deletedAt, erasesAt, subscriptions }: HeldUser) => ({
  user: publishedUser(user),
  deleted_at: timestamp(deletedAt),
  erases_at: timestamp(erasesAt),
  subscriptions,
})

/** A receipt of a deletion as everybody outside sees it: of the audit record, who did it, by which way, and why. */
export const publishedReceipt = ({ userId, tombstone, record }: ErasureReceipt) => ({
  user_id: userId,
  deleted_at: timestamp(tombstone.deletedAt),
  deleted_by: record?.actor ?? null,
  role_source: record?.roleSource ?? null,
  channel: record?.channel ?? null,
  request_id: record?.requestId ?? null,
  reason: record?.reason ?? null,
  audit_id: tombstone.audit,
  /** Null until it is sealed. */
  audit_sequence: record?.sequence ?? null,
  /** Until then it can be restored, and nothing is erased. */
  erases_at: timestamp(tombstone.erasesAt),
  erased: tombstone.erased,
  kept: [
    ...(tombstone.erasesAt === undefined ? [] : [{ what: 'user', count: 1, why: KEPT_USER }]),
    { what: 'id', count: 1, why: 'It is opaque, and needed to refuse its tokens and to never use it again.' },
    { what: 'audit records', count: null, why: 'They hold ids and reasons, and no other personal data.' },
    ...(tombstone.subscriptionsKept === 0
      ? []
      : [{ what: 'subscriptions', count: tombstone.subscriptionsKept, why: KEPT_SUBSCRIPTIONS }]),
  ],
})

const KEPT_USER = "It can be restored until the time in 'erases_at', and is erased then. It is hidden meanwhile."
const KEPT_SUBSCRIPTIONS =
  "They are of the same address, but belong to no account: 'subscriptions=erase' would have erased them, too."

/** A record of the audit trail as everybody outside sees it. */
export const publishedAuditRecord = (record: AuditRecord) => ({
  id: record.id,
  /** Null until it is sealed. */
  sequence: record.sequence ?? null,
  at: timestamp(record.at),
  actor: record.actor,
  role_source: record.roleSource,
  token_id: record.tokenId ?? null,
  channel: record.channel,
  request_id: record.requestId ?? null,
  action: record.action,
  target: record.target ?? null,
  outcome: record.outcome,
  reason: record.reason ?? null,
  count: record.count,
  roles_hash: record.rolesHash ?? null,
})
