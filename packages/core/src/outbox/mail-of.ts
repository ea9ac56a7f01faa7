import type { FeedLogo } from '../face/feed-logo.ts'
import type { Instant } from '../instant.ts'
import type { GroupPurpose, LinkPurpose, MovePurpose } from '../links/link-purpose.ts'
import { PREFERENCES_LIFE } from '../links/link-token.ts'
import type { Needs } from '../use-case.ts'
import type { AptMail } from './decide-mail.ts'
import type { Mail, MailLinks } from './mail-transport.ts'
import { asksToConfirm, type MailKind } from './outbox-store.ts'

type Ports = Needs<'bounceAddresses' | 'tokens' | 'publicUrl'>

/** The mail with its links. The time of a link to the preferences runs from now: the mail may have waited for long. */
export const mailOf = (about: AptMail, logo: FeedLogo | undefined, ports: Ports, now: Instant): Mail => {
  const { entry, to, subscription, feed, feeds } = about
  return {
    kind: entry.kind,
    messageId: entry.messageId,
    // What comes back of a mail to a new address says nothing about the old one.
    returnTo: entry.kind === 'move' ? undefined : ports.bounceAddresses?.of(subscription.id, now),
    to: to.email,
    feed,
    logo,
    ...(feeds && { feeds }),
    expiresAt: asksToConfirm(entry.kind) || isAboutMove(entry.kind) ? entry.expiresAt : undefined,
    locale: subscription.locale,
    links: linksOf(about, ports, now),
    traceContext: entry.traceContext,
  }
}

const isAboutMove = (kind: MailKind): boolean => kind === 'move' || kind === 'moved'

const linksOf = (
  { entry: { kind, subscriptionId, signUpGroup = '', expiresAt = 0 }, subscription, feeds, move }: AptMail,
  { tokens, publicUrl }: Ports,
  now: Instant,
): MailLinks => {
  const link = (purpose: LinkPurpose) => `${publicUrl}/${purpose}/${tokens.sign(purpose, subscription)}`
  // Of a mail about several feeds of one form, the link is good for all of them.
  const confirming = (purpose: GroupPurpose) => {
    if (!asksToConfirm(kind)) return undefined
    if (feeds === undefined) return link(purpose)
    return `${publicUrl}/${purpose}/${tokens.signGroup(purpose, { id: subscriptionId }, signUpGroup, expiresAt)}`
  }
  const moving = (purpose: MovePurpose) =>
    move && { [purpose]: `${publicUrl}/${purpose}/${tokens.sign(purpose, move)}` }
  const preferences =
    kind === 'preferences'
      ? `${publicUrl}/preferences/${tokens.signPreferences(subscription.id, now + PREFERENCES_LIFE)}`
      : undefined
  return {
    confirm: confirming('confirm'),
    refuse: confirming('refuse'),
    preferences: feeds !== undefined && kind === 'already-subscribed' ? `${publicUrl}/preferences` : preferences,
    ...(kind === 'moved' && moving('undo')),
    ...(kind === 'move' && moving('move')),
    unsubscribe: kind === 'move' ? undefined : link('unsubscribe'),
  }
}
