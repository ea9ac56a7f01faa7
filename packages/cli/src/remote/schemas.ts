import {
  type AddressHash,
  type AuditRecord,
  asAddressHash,
  type BlockCause,
  type Channel,
  type ConsentRecord,
  type DescribedWebhook,
  type DisabledBecause,
  type EventType,
  type ListedToken,
  type PublishedDeliverability,
  type PublishedEvent,
  type PublishedExplanation,
  type PublishedReceipt,
  type PublishedSession,
  type PublishedSubscription,
  type PublishedUser,
  type PublishedWaiting,
  parseFeedName,
  parseUserId,
  parseWebhookName,
  type RoleSource,
  type StoredSuppression,
  type SuppressionCause,
  type SuppressionRecord,
  type TimelineEntry,
} from '@rollcall/core'
import * as v from 'valibot'
import { decode } from './decode.ts'
import { feed, listedFeed } from './feed-schema.ts'
import {
  emailAddress,
  instant,
  optional,
  parsed,
  position,
  record,
  text,
  timestamps,
  wholeNumber,
} from './schema-parts.ts'

const userRow = record<PublishedUser>({
  ...{ id: parsed(parseUserId), email: emailAddress, name: text(), roles: v.array(text()), ...timestamps },
  suspended_at: optional(instant),
  last_seen_at: optional(instant),
})

const user = v.pipe(
  userRow,
  v.transform(
    ({ suspendedAt, lastSeenAt, ...user }): PublishedUser => ({
      ...user,
      ...(suspendedAt !== undefined && { suspendedAt }),
      ...(lastSeenAt !== undefined && { lastSeenAt }),
    }),
  ),
)

const subscription = record<PublishedSubscription>({
  ...{ id: wholeNumber, feed: parsed(parseFeedName), email: emailAddress, name: text(), locale: optional(text()) },
  ...{ status: text(), created_at: instant, confirmed_at: optional(instant), ended_at: optional(instant) },
  fields: optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  moved_to: optional(wholeNumber),
})

const consent = record<ConsentRecord>({
  ...{ at: instant, deed: text(), via: text(), wording: text(), language: optional(text()) },
  ...{ client_address: optional(text()), user_agent: optional(text()), count: wholeNumber },
})

const stored = {
  ...{ cause: text<SuppressionCause>(), since: instant },
  block: optional(v.object({ cause: text<BlockCause>(), since: instant })),
}

const explanation = record<PublishedExplanation>({
  ...{ email: text(), deliverability: text(), conclusion: text(), subscriptions: v.array(subscription) },
  suppression: optional(record<StoredSuppression>(stored)),
  timeline: v.array(
    record<TimelineEntry>({
      ...{ at: instant, what: text(), feed: optional(text()), message_id: optional(text()), until: optional(instant) },
    }),
  ),
})

const webhookMembers = {
  ...{ name: parsed(parseWebhookName), url: text(), types: v.array(text<EventType>()) },
  ...{ previous_secret_until: optional(instant), ...timestamps },
}
const webhook = v.pipe(
  v.variant('enabled', [
    v.object({ enabled: v.literal(true), ...webhookMembers }),
    v.object({
      enabled: v.literal(false),
      ...webhookMembers,
      disabled_because: text<DisabledBecause>(),
      disabled_since: instant,
    }),
  ]),
  v.transform((wire): DescribedWebhook => {
    const { name, url, types, previous_secret_until: until, created_at, updated_at } = wire
    const previousSecret = until === undefined ? undefined : { until }
    const disabled = wire.enabled ? undefined : { because: wire.disabled_because, since: wire.disabled_since }
    return { name, url, types, previousSecret, disabled, createdAt: created_at, updatedAt: updated_at }
  }),
)

const auditRecord = record<AuditRecord>({
  ...{
    id: wholeNumber,
    sequence: optional(wholeNumber),
    at: instant,
    actor: text(),
    role_source: text(),
    token_id: optional(text()),
  },
  ...{ channel: text(), request_id: optional(text()), action: text(), target: optional(text()), outcome: text() },
  ...{ reason: optional(text()), count: wholeNumber, roles_hash: optional(text()) },
})

const receipt = v.pipe(
  v.object({
    ...{ user_id: parsed(parseUserId), deleted_at: instant, deleted_by: optional(text()) },
    ...{ role_source: optional(text<RoleSource>()), channel: optional(text<Channel>()) },
    ...{ request_id: optional(text()), reason: optional(text()) },
    ...{ audit_id: wholeNumber, audit_sequence: optional(wholeNumber), erases_at: optional(instant) },
    erased: v.object({
      ...{ users: wholeNumber, roles: wholeNumber, subscriptions: wholeNumber, mails: wholeNumber },
      tokens: wholeNumber,
    }),
    kept: v.array(v.object({ what: text(), count: optional(wholeNumber) })),
  }),
  v.transform((wire): PublishedReceipt => {
    const { deleted_by: actor, audit_sequence: sequence, role_source, channel, request_id, reason, erased } = wire
    const subscriptionsKept = wire.kept.find(({ what }) => what === 'subscriptions')?.count ?? 0
    const when = { deletedAt: wire.deleted_at, audit: wire.audit_id, erasesAt: wire.erases_at }
    return {
      userId: wire.user_id,
      tombstone: { ...when, erased, subscriptionsKept },
      record:
        actor === undefined
          ? undefined
          : { actor, sequence, roleSource: role_source, channel, requestId: request_id, reason },
    }
  }),
)

const event = v.pipe(
  v.object({
    ...{ source: text(), type: text<EventType>(), subject: text(), time: instant, sequence: position },
    data: v.looseObject({ email: optional(v.unknown()) }),
  }),
  v.transform(({ source, data, time, sequence, type, subject }): PublishedEvent => {
    return { event: { type, subject, at: time, position: sequence }, source, subject: subjectIn(data, type) }
  }),
)

/** If the subject was erased or created again since, the event has only its id. */
const subjectIn = (data: { readonly email: unknown }, type: EventType): PublishedEvent['subject'] => {
  if (data.email === undefined) return undefined
  return type.startsWith('user.')
    ? { kind: 'user', user: decode(user, data) }
    : { kind: 'subscription', subscription: decode(subscription, data) }
}

const suppression = record<SuppressionRecord>({
  address: v.custom<AddressHash>((value) => typeof value === 'string' && asAddressHash(value) !== undefined),
  ...stored,
})

const token = v.pipe(
  v.object({
    ...{ jti: text(), subject: text(), roles: v.array(text()), label: text(), issued_by: text() },
    feeds: optional(v.array(parsed(parseFeedName))),
    ...{ issued_at: instant, expires_at: instant, last_used_at: optional(instant), revoked_at: optional(instant) },
  }),
  v.transform(
    ({ jti, subject, roles, feeds, label, ...wire }): ListedToken => ({
      ...{ tokenId: jti, subject, roles, feeds, label, issuedBy: wire.issued_by },
      ...{ issuedAt: wire.issued_at, expiresAt: wire.expires_at },
      ...{ lastUsedAt: wire.last_used_at, revokedAt: wire.revoked_at },
    }),
  ),
)

const secret = v.object({ secret: text() })

const redelivery = v.object({ webhook: parsed(parseWebhookName), after: optional(position), retried: wholeNumber })

const listOf = <const Schema extends v.GenericSchema>(item: Schema) => v.object({ items: v.array(item) })

const pageOf = <const Schema extends v.GenericSchema>(item: Schema) =>
  v.object({ items: v.array(item), next: optional(position) })

const refusal = v.object({
  ...{ error: text(), message: text(), request_id: optional(text()) },
  details: optional(v.array(v.object({ field: text(), message: text() }))),
})

/** What the HTTP API answers, as the commands take it. */
const deliverability = record<Pick<PublishedDeliverability, 'since' | 'state' | 'status'>>({
  ...{ state: text(), since: instant, status: optional(text()) },
})

const waiting = record<PublishedWaiting>({
  ...{ kind: text(), permanent: v.boolean(), status: optional(text()), at: instant, since: instant },
})

const session = record<PublishedSession>({
  ...{ id: text(), subject: text(), role_source: text(), created_at: instant, seen_at: instant, expires_at: instant },
})

export const schemas = {
  ...{
    auditRecord,
    consent,
    deliverability,
    event,
    explanation,
    feed,
    listedFeed,
    receipt,
    redelivery,
    refusal,
    secret,
    session,
    subscription,
    suppression,
    token,
    waiting,
  },
  ...{ user, webhook, listOf, pageOf, any: v.looseObject({}) },
}
