import { type Instant, SECOND } from '../instant.ts'
import type { AddressMove } from '../moves/move-store.ts'
import { LINK_LEFT } from '../reminders/remind-after.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import { type Feed, type FeedName, logoOf, remindsNow, welcomesNow } from '../subscriptions/feed.ts'
import type { GroupPurpose, LinkPurpose, MovePurpose } from '../subscriptions/link-purpose.ts'
import { PREFERENCES_LIFE } from '../subscriptions/link-token.ts'
import { findSuppression, mailboxHashes } from '../subscriptions/mailbox-hashes.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { type CountedMail, takeBackSlot, takeSlot } from './counted-mails.ts'
import type { Mail } from './mail-transport.ts'
import { asksToConfirm, type MailKind, type OutboxEntry } from './outbox-store.ts'

/** An entry that is leased, and the mail that it stands for. */
export interface DueMail extends CountedMail {
  readonly mail: Mail
  /** When it was counted against the caps of its address. */
  readonly since: Instant
}

export interface ClaimedMails {
  /** How many entries were leased. */
  readonly claimed: number
  /** Those of them that are to be sent. */
  readonly mails: readonly DueMail[]
}

const NOTHING: ReadonlySet<AddressHash> = new Set()

/** An orphan is taken over this soon. It is renewed while its mail is sent, for however long that takes. */
export const LEASE = 45 * SECOND

type Ports = Needs<'bounceAddresses' | 'tokens' | 'clock' | 'digests' | 'jumpGuardedClock' | 'publicUrl' | 'transport'>

/** Takes mails that are due from the outbox, within the caps of each address. */
export class DueMails {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Leases up to `limit` entries. Obsolete entries are settled; those over a cap are postponed. */
  async claim(stores: Stores, limit: number, owner: string): Promise<ClaimedMails> {
    const claimed = await stores.outbox.claim({ owner, limit, leaseFor: LEASE })
    const entries = await Promise.all(claimed.map((entry) => asAsked(stores, entry)))
    // Side by side: where each question is a way to a server and back, they go together.
    const found = await Promise.all(entries.map((entry) => this.#mailOf(stores, entry)))
    const addresses = found.flatMap((apt) => (apt === undefined ? [] : [apt.hashes.address]))
    const undeliverable = addresses.length > 0 ? await stores.deliverability.undeliverable(addresses) : NOTHING
    const mails: DueMail[] = []
    const { clock, transport } = this.#ports
    const now = clock.now()
    for (const [index, entry] of entries.entries()) {
      const apt = found[index]
      if (apt === undefined) {
        await stores.outbox.settle(entry.id, owner)
        continue
      }
      const due = { entry, owner, ...apt, since: now }
      const isUndeliverable = undeliverable.has(apt.hashes.address)
      if (await takeSlot(stores, due, { now, undeliverable: isUndeliverable, replaces: transport.keepsMails }))
        mails.push(due)
    }
    return { claimed: entries.length, mails }
  }

  /** As if it had never been claimed, but for when it is due. */
  async giveBack(stores: Stores, due: DueMail, notBefore = due.entry.notBefore): Promise<void> {
    await stores.outbox.postpone(due.entry.id, due.owner, { notBefore, attempted: false })
    await takeBackSlot(stores, due, due.since)
  }

  /** Undefined where the mail has nothing to say any more. */
  async #mailOf(stores: Stores, entry: OutboxEntry): Promise<Pick<DueMail, 'mail' | 'hashes'> | undefined> {
    const { subscriptions, feeds, moves, suppressions } = stores
    const subscription = await subscriptions.find(entry.subscriptionId)
    const { kind } = entry
    if (subscription === undefined || isOver(entry, this.#ports.jumpGuardedClock.now())) return undefined
    const members = await membersOf(stores, entry)
    const move = isAboutMove(kind) ? await moves.find(entry.subscriptionId) : undefined
    const to = isAboutMove(kind) ? readerOf(entry, subscription, move) : subscription
    if (to === undefined) return undefined
    if (members === undefined ? !isApt(entry, subscription) : !members.some(({ apt }) => apt)) return undefined
    const hashes = mailboxHashes(this.#ports.digests, to.addressKey, entry.address)
    if (await findSuppression(suppressions, hashes)) return undefined
    const feed = await feeds.find(subscription.feed)
    if (feed === undefined || (kind === 'reminder' && !remindsNow(feed))) return undefined
    if (kind === 'welcome' && !welcomesNow(feed)) return undefined
    const mail = { ...this.#mail(entry, subscription, feed), logo: await logoOf(feeds, feed) }
    if (move !== undefined) return { hashes, mail: this.#moveMail(mail, to, move) }
    if (members === undefined) return { hashes, mail }
    const about = kind === 'reminder' ? members.filter(({ apt }) => apt) : members
    const all = await Promise.all(about.map(({ feed }) => feeds.find(feed)))
    return {
      hashes,
      mail: this.#groupMail(
        mail,
        entry,
        all.filter((one) => one !== undefined),
      ),
    }
  }

  #mail(entry: OutboxEntry, subscription: Subscription, feed: Feed): Mail {
    const { kind } = entry
    return {
      kind,
      messageId: entry.messageId,
      returnTo: this.#ports.bounceAddresses?.of(subscription.id, this.#ports.clock.now()),
      to: subscription.email,
      feed,
      expiresAt: asksToConfirm(kind) || isAboutMove(kind) ? entry.expiresAt : undefined,
      locale: subscription.locale,
      links: {
        confirm: asksToConfirm(kind) ? this.#link('confirm', subscription) : undefined,
        refuse: asksToConfirm(kind) ? this.#link('refuse', subscription) : undefined,
        preferences: kind === 'preferences' ? this.#preferences(subscription) : undefined,
        unsubscribe: this.#link('unsubscribe', subscription),
      },
      traceContext: entry.traceContext,
    }
  }

  /** To a new address, or to the old one about it. */
  #moveMail(mail: Mail, { email: to }: Reader, move: AddressMove): Mail {
    const link = (purpose: MovePurpose) =>
      `${this.#ports.publicUrl}/${purpose}/${this.#ports.tokens.sign(purpose, move)}`
    if (mail.kind === 'moved') return { ...mail, to, links: { ...mail.links, undo: link('undo') } }
    // What comes back of it says nothing about the old address.
    return { ...mail, to, returnTo: undefined, links: { ...mail.links, move: link('move'), unsubscribe: undefined } }
  }

  /** About several feeds of one form: its links are good for all of them. */
  #groupMail(
    mail: Mail,
    { kind, subscriptionId: id, signUpGroup = '', expiresAt = 0 }: OutboxEntry,
    feeds: Feed[],
  ): Mail {
    const { publicUrl, tokens } = this.#ports
    const link = (purpose: GroupPurpose) =>
      asksToConfirm(kind)
        ? `${publicUrl}/${purpose}/${tokens.signGroup(purpose, { id }, signUpGroup, expiresAt)}`
        : undefined
    const preferences = kind === 'already-subscribed' ? `${publicUrl}/preferences` : undefined
    return { ...mail, feeds, links: { ...mail.links, confirm: link('confirm'), refuse: link('refuse'), preferences } }
  }

  /** Its time runs from now: a cap, or the relay, may have held the mail back for longer than the link lives. */
  #preferences({ id }: Subscription): string {
    const { publicUrl, tokens, clock } = this.#ports
    return `${publicUrl}/preferences/${tokens.signPreferences(id, clock.now() + PREFERENCES_LIFE)}`
  }

  #link(purpose: LinkPurpose, subscription: Subscription): string {
    return `${this.#ports.publicUrl}/${purpose}/${this.#ports.tokens.sign(purpose, subscription)}`
  }
}

/**
 * A reminder whose reader has signed up again since is the copy that was asked for, and so it is owed. The sign-up itself
 * does not take it back: that would show in its time.
 */
const asAsked = async ({ consents, signUpGroups }: Stores, entry: OutboxEntry): Promise<OutboxEntry> => {
  const { kind, subscriptionId, signUpGroup, createdAt } = entry
  if (kind !== 'reminder') return entry
  const ids =
    signUpGroup === undefined ? [subscriptionId] : (await signUpGroups.members(signUpGroup)).map(({ id }) => id)
  const last = await Promise.all(ids.map((id) => consents.last(id)))
  const isAskedAgain = last.some((record) => record?.deed === 'requested' && record.at > createdAt)
  return isAskedAgain ? { ...entry, kind: 'confirmation' } : entry
}

/** What a mail about several feeds is about, and whether it has something to say about each; undefined for others. */
const membersOf = async (
  { signUpGroups, subscriptions }: Stores,
  entry: OutboxEntry,
): Promise<{ readonly feed: FeedName; readonly apt: boolean }[] | undefined> => {
  const { signUpGroup, kind } = entry
  if (signUpGroup === undefined) return undefined
  const members = await signUpGroups.members(signUpGroup)
  const found = await Promise.all(
    members.map(async ({ id, episode }) => {
      const subscription = await subscriptions.find(id)
      if (subscription === undefined) return undefined
      // Of another life, its link would be good for nothing.
      const ofThisLife = !asksToConfirm(kind) || subscription.episode === episode
      return { feed: subscription.feed, apt: ofThisLife && isApt(entry, subscription) }
    }),
  )
  return found.filter((one) => one !== undefined)
}

type Reader = Pick<Subscription, 'email' | 'addressKey'>

const isAboutMove = (kind: MailKind): boolean => kind === 'move' || kind === 'moved'

/** To what address a mail about a move goes; undefined where the move is not as it was when the mail was queued. */
const readerOf = (
  { id, kind }: OutboxEntry,
  subscription: Subscription,
  move: AddressMove | undefined,
): Reader | undefined => {
  if (move?.mail !== id || move.undoneAt !== undefined) return undefined
  if (kind === 'moved') return move.movedAt === undefined ? undefined : subscription
  const { email, addressKey } = move
  return email === undefined || addressKey === undefined ? undefined : { email, addressKey }
}

/** Whether the mail still has something to say about the subscription as it is now. */
const isApt = ({ id, kind }: OutboxEntry, { status, lastMail }: Subscription): boolean => {
  if (kind === 'preferences' || isAboutMove(kind)) return true
  // Another mail has asked the same since.
  if (kind === 'reminder' && lastMail !== id) return false
  return status === (asksToConfirm(kind) ? 'pending' : 'confirmed')
}

/** Whether it would come too late. */
const isOver = ({ kind, expiresAt }: OutboxEntry, now: Instant): boolean =>
  expiresAt !== undefined && expiresAt - (kind === 'reminder' ? LINK_LEFT : 0) <= now
