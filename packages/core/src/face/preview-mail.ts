import type { Feed } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { Mail } from '../outbox/mail-transport.ts'
import { asksToConfirm } from '../outbox/outbox-store.ts'
import type { FeedLogo } from './feed-logo.ts'

/** What a feed sends of its own accord. */
export const PREVIEWED_MAILS = ['confirmation', 'reminder', 'already-subscribed', 'welcome'] as const

export type PreviewedMail = (typeof PREVIEWED_MAILS)[number]

/** Of the pages of a feed, in the order of a visit. */
export const PREVIEWED_PAGES = ['sign-up', 'pending', 'confirm', 'confirmed', 'unsubscribe', 'unsubscribed'] as const

export type PreviewedPage = (typeof PREVIEWED_PAGES)[number]

export interface PreviewOf {
  readonly feed: Feed
  readonly logo: FeedLogo | undefined
  readonly kind: PreviewedMail
  readonly language: string | undefined
  readonly publicUrl: string
  /** Until when the links of a real one would be good. */
  readonly expiresAt: Instant
}

/** A mail as a reader of this language would get it, with links that lead nowhere. */
export const previewMail = ({
  feed,
  logo,
  kind,
  language,
  publicUrl,
  expiresAt,
}: PreviewOf): Omit<Mail, 'messageId' | 'to'> => {
  const link = (name: string) => `${publicUrl}/${name}/preview`
  const asks = asksToConfirm(kind)
  return {
    kind,
    feed,
    logo,
    locale: language,
    expiresAt: asks ? expiresAt : undefined,
    links: {
      confirm: asks ? link('confirm') : undefined,
      refuse: asks ? link('refuse') : undefined,
      preferences: undefined,
      unsubscribe: link('unsubscribe'),
    },
  }
}
