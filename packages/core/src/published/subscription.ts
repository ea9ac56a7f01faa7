import type { Deliverability } from '../feedback/deliverability-store.ts'
import type { WaitingFeedback } from '../feedback/feedback-store.ts'
import { type Feed, takesSignUps } from '../feeds/feed.ts'
import { asFieldValues, declaredFields, type FeedField } from '../feeds/feed-fields.ts'
import { publishedSettings } from '../feeds/feed-settings.ts'
import type { ListedFeed } from '../feeds/read-feeds-use-cases.ts'
import { visible } from '../feeds/visible-fields.ts'
import type { AddressMove } from '../moves/move-store.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import type { StoredAboutAddress, StoredSubscription } from '../preferences/export-preferences-use-case.ts'
import type { Preferences } from '../preferences/preferences.ts'
import type { WaitingRequest } from '../sign-up/waiting-request.ts'
import { type ConsentRecord, textOfWording } from '../subscriptions/consent.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { StoredSuppression, SuppressionRecord } from '../suppressions/suppression-store.ts'
import { timestamp } from './timestamp.ts'

/** A subscription as everybody outside sees it: HTTP, command line, exports and events. */
export const publishedSubscription = (subscription: Subscription) => ({
  name: subscription.name,
  email: subscription.email,
  id: subscription.id,
  feed: subscription.feed,
  status: subscription.status,
  locale: subscription.locale ?? null,
  created_at: timestamp(subscription.createdAt),
  confirmed_at: timestamp(subscription.confirmedAt),
  ended_at: timestamp(subscription.endedAt),
  // Few have any, and the record of others is what it was.
  ...(subscription.fields !== undefined && { fields: subscription.fields }),
  ...(subscription.movedTo !== undefined && { ended_because: 'moved' as const, moved_to: subscription.movedTo }),
})

/** An entry of the consent ledger as everybody outside sees it. */
export const consentEntry = (consent: ConsentRecord) => ({
  at: timestamp(consent.at),
  deed: consent.deed,
  via: consent.via,
  wording: consent.wording,
  language: consent.language ?? null,
  client_address: consent.clientAddress ?? null,
  user_agent: consent.userAgent ?? null,
  count: consent.count,
})

export const publishedFeed = (feed: Feed) => ({
  name: feed.name,
  ...publishedSettings(feed),
  wordings: feed.wordings.map(({ version, text, since }) => ({ version, text, since: timestamp(since) })),
  fields: declaredFields(feed).map(fieldRecord),
  logo: feed.face.logo ?? null,
  accent: feed.face.accent ?? null,
  footer: feed.face.footer ?? {},
  words: feed.face.words ?? {},
  welcome: feed.face.welcome ?? false,
  deleting_since: timestamp(feed.deletingSince),
  created_at: timestamp(feed.createdAt),
  updated_at: timestamp(feed.updatedAt),
})

/** The same in a list, with how many subscriptions it has. */
export const publishedListedFeed = ({ total, ...feed }: ListedFeed) => ({ ...publishedFeed(feed), total })

/** A field of a feed as everybody outside sees it, and as it is declared. */
const fieldRecord = (field: FeedField) => ({
  name: field.name,
  type: field.type,
  label: field.label,
  required: field.required,
  max: field.max ?? null,
  choices: field.choices,
  public: field.public,
})

/** A suppression in its public form: it does not reveal the address. */
export const publishedSuppression = ({ address, ...suppression }: SuppressionRecord) => ({
  address,
  ...causesOf(suppression),
})

const causesOf = ({ cause, since, block }: StoredSuppression) => ({
  cause,
  since: timestamp(since),
  block: block === undefined ? null : { cause: block.cause, since: timestamp(block.since) },
})

/** What the owner of an address may see and change, as programs see it. */
export const publishedPreferences = ({ own, subscriptions, suppression }: Preferences) => ({
  email: own.subscription.email,
  suppression: suppressionOrNull(suppression),
  subscriptions: subscriptions.map(({ subscription, feed }) => ({
    ...publishedSubscription({ ...subscription, fields: publicFields(subscription, feed) }),
    title: feed.title,
    open: takesSignUps(feed),
  })),
})

/** Why and since when an address gets no mail; null if it does. */
export const suppressionOrNull = (suppression: StoredSuppression | undefined) =>
  suppression === undefined ? null : causesOf(suppression)

/** What came back of mails to an address; null if nothing did. */
export const deliverabilityOrNull = (known: Pick<Deliverability, 'since' | 'state' | 'status'> | undefined) =>
  known === undefined ? null : { state: known.state, since: timestamp(known.since), status: known.status ?? null }

/** What of a report that waits for a decision the owner of its address sees: not who made it. */
export const publishedWaiting = ({ kind, permanent, status, at, since }: WaitingFeedback) => ({
  kind,
  permanent,
  status: status ?? null,
  at: timestamp(at),
  since: timestamp(since),
})

/** What was asked about an address and is not carried out yet; of a form, all that it said. */
export const waitingRequest = ({ at, asked, parkedAt }: WaitingRequest) => ({
  at: timestamp(at),
  kind: asked.kind,
  parked_at: timestamp(parkedAt),
  ...(asked.kind === 'sign-up' && {
    email: asked.email,
    name: asked.name,
    locale: asked.locale ?? null,
    feeds: asked.feeds.map(({ feed, wording, fields }) => ({ feed, wording, ...(fields !== undefined && { fields }) })),
    via: asked.source.via,
    client_address: asked.source.clientAddress ?? null,
    user_agent: asked.source.userAgent ?? null,
  }),
})

/** Everything that is stored about an address, as its owner downloads it. */
export const publishedAboutAddress = (stored: StoredAboutAddress) => ({
  email: stored.email,
  exported_at: timestamp(stored.at),
  suppression: suppressionOrNull(stored.suppression),
  deliverability: deliverabilityOrNull(stored.deliverability),
  waiting_feedback: stored.waitingFeedback.map(publishedWaiting),
  waiting_requests: stored.waitingRequests.map(waitingRequest),
  subscriptions: stored.subscriptions.map(storedSubscription),
  mails_sent: stored.mailSlots.map(({ at, messageId }) => ({ at: timestamp(at), message_id: messageId })),
  move: stored.move === undefined ? null : moveRecord(stored.move),
  reminded_at: timestamp(stored.remindedAt),
  link_mailed_at: timestamp(stored.linkMailedAt),
})

/** What of its values the owner of an address changes without help. */
const publicFields = ({ fields = {} }: Subscription, feed: Feed) =>
  asFieldValues(
    Object.fromEntries(
      declaredFields(feed).flatMap((one) =>
        one.public && Object.hasOwn(fields, one.name) ? [[one.name, fields[one.name] ?? '']] : [],
      ),
    ),
  )

const moveRecord = ({ email, requestedAt, movedAt, undoneAt, expiresAt }: AddressMove) => ({
  email: email ?? null,
  requested_at: timestamp(requestedAt),
  moved_at: timestamp(movedAt),
  undone_at: timestamp(undoneAt),
  expires_at: timestamp(expiresAt),
})

const storedSubscription = ({
  subscription,
  feed,
  consents,
  pendingMail,
  keptMails,
  movedFrom,
  remindAt,
}: StoredSubscription) => ({
  ...publishedSubscription(visible(subscription, feed)),
  title: feed?.title ?? null,
  expires_at: timestamp(subscription.expiresAt),
  consents: consents.map((consent) => ({
    ...consentEntry(consent),
    // The service's own wording is in its pages and mails; its name says which.
    wording_text: (feed && textOfWording(feed, consent.wording)) ?? null,
  })),
  owed_mail: pendingMail === undefined ? null : mailRecord(pendingMail),
  kept_mails: keptMails,
  moved_from: movedFrom,
  remind_at: timestamp(remindAt),
})

const mailRecord = (mail: OutboxEntry) => ({
  kind: mail.kind,
  message_id: mail.messageId,
  created_at: timestamp(mail.createdAt),
  not_before: timestamp(mail.notBefore),
  expires_at: timestamp(mail.expiresAt),
  attempts: mail.attempts,
  last_error: mail.lastError ?? null,
  parked_at: timestamp(mail.parkedAt),
})
