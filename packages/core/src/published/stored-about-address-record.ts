import type { OutboxEntry } from '../outbox/outbox-store.ts'
import type { StoredAboutAddress, StoredSubscription } from '../subscriptions/export-preferences-use-case.ts'
import { suppressionOrNull } from './preferences-record.ts'
import { consentEntry, subscriptionRecord } from './subscription-record.ts'
import { timestamp } from './timestamp.ts'

/** Everything that is stored about an address, as its owner downloads it. */
export const storedAboutAddressRecord = (stored: StoredAboutAddress) => ({
  email: stored.email,
  exported_at: timestamp(stored.at),
  suppression: suppressionOrNull(stored.suppression),
  subscriptions: stored.subscriptions.map(storedSubscription),
  mails_sent: stored.mailSlots.map(({ at, messageId }) => ({ at: timestamp(at), message_id: messageId })),
})

const storedSubscription = ({ subscription, feed, consents, pendingMail, keptMails }: StoredSubscription) => ({
  ...subscriptionRecord(subscription),
  title: feed?.title ?? null,
  expires_at: timestamp(subscription.expiresAt),
  consents: consents.map((consent) => {
    const wording = feed?.wordings.find(({ version }) => `${feed.name}/${version}` === consent.wording)
    // The service's own wording is in its pages and mails; its name says which.
    return { ...consentEntry(consent), wording_text: wording?.text ?? null }
  }),
  owed_mail: pendingMail === undefined ? null : mailRecord(pendingMail),
  kept_mails: keptMails,
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
