import type { FeedLogo } from '../face/feed-logo.ts'
import { type FeedName, feedsOf, logoOf } from '../feeds/feed.ts'
import { type Instant, SECOND } from '../instant.ts'
import type { SignUpGroupMember } from '../sign-up/sign-up-group-store.ts'
import type { ConsentRecord } from '../subscriptions/consent.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import { type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { type AptMail, aptMail, decideMail, type MailFacts, type MailMember } from './decide-mail.ts'
import { mailOf } from './mail-of.ts'
import { MailSlots } from './mail-slots.ts'
import type { Mail } from './mail-transport.ts'
import type { GivenBack, OutboxEntry } from './outbox-store.ts'

/** An entry that is leased and counted against the caps of its mailbox, and the mail that it stands for. */
export interface DueMail {
  readonly entry: OutboxEntry
  readonly owner: string
  readonly mailbox: AddressHash
  readonly mail: Mail
  /** When it was counted. */
  readonly since: Instant
}

export interface ClaimedMails {
  /** How many entries were leased. */
  readonly claimed: number
  /** Those of them that are to be sent. */
  readonly mails: readonly DueMail[]
}

/** An orphan is taken over this soon. It is renewed while its mail is sent, for however long that takes. */
export const DELIVERY_LEASE = 45 * SECOND

type Ports = Needs<'bounceAddresses' | 'tokens' | 'clock' | 'digests' | 'jumpGuardedClock' | 'publicUrl' | 'transport'>

/** At once, whatever a host asks for. */
const MOST = 1_000

/** Leases up to `limit` entries that are due, decides each, and drops and holds those that are not to be sent. */
export const claimMails = async (
  stores: Stores,
  ports: Ports,
  { limit, owner }: { readonly limit: number; readonly owner: string },
): Promise<ClaimedMails> => {
  const { outbox, suppressions, deliverability, mailCaps } = stores
  const entries = await outbox.claim({ owner, limit: Math.min(limit, MOST), leaseFor: DELIVERY_LEASE })
  if (entries.length === 0) return { claimed: 0, mails: [] }
  const [now, today] = [ports.clock.now(), ports.jumpGuardedClock.now()]
  const apt = (await factsOf(stores, entries)).flatMap((facts) => {
    const mail = aptMail(facts, today)
    return mail === undefined ? [] : [{ ...mail, hashes: hashesOf(ports, mail) }]
  })
  const mailboxes = apt.map(({ hashes }) => hashes.mailbox)
  const [suppressed, known, slots] = await Promise.all([
    suppressions.findMany([...new Set(mailboxes)]),
    deliverability.findMany(apt.map(({ hashes }) => hashes.address)),
    MailSlots.of(mailCaps, mailboxes),
  ])
  const logos = await logosOf(stores, apt)
  const mails: DueMail[] = []
  const held: GivenBack[] = []
  for (const one of apt) {
    const { address, mailbox } = one.hashes
    const facts = {
      suppression: suppressed.get(mailbox),
      undeliverable: known.get(address)?.state === 'undeliverable',
      slots: slots.of(mailbox),
    }
    const decision = decideMail(one.entry, facts, now, ports.transport.keepsMails)
    if (decision.does === 'drop') continue
    slots.change(mailbox, decision.slots)
    if (decision.does === 'send')
      mails.push({
        entry: one.entry,
        owner,
        mailbox,
        mail: mailOf(one, logos.get(one.feed.name), ports, now),
        since: now,
      })
    else held.push({ id: one.entry.id, notBefore: decision.until, attempted: false, error: decision.error })
  }
  const kept = new Set([...mails.map(({ entry }) => entry.id), ...held.map(({ id }) => id)])
  const dropped = entries.map(({ id }) => id).filter((id) => !kept.has(id))
  await slots.write()
  if (held.length > 0) await outbox.giveBack(owner, held)
  if (dropped.length > 0) await outbox.remove(...dropped)
  return { claimed: entries.length, mails }
}

/** Of the feeds of these mails that have one, each once. */
const logosOf = async (
  { feeds }: Stores,
  apt: readonly AptMail[],
): Promise<ReadonlyMap<FeedName, FeedLogo | undefined>> => {
  const distinct = new Map(apt.map(({ feed }) => [feed.name, feed]))
  return new Map(
    await Promise.all([...distinct].map(async ([name, feed]) => [name, await logoOf(feeds, feed)] as const)),
  )
}

const hashesOf = ({ digests }: Ports, { entry, to }: AptMail): MailboxHashes =>
  mailboxHashes(digests, to.addressKey, entry.address)

/** Reads all that is stored about these mails, each kind at once. */
const factsOf = async (stores: Stores, entries: readonly OutboxEntry[]): Promise<MailFacts[]> => {
  const { subscriptions, feeds, moves, signUpGroups, consents } = stores
  const groupNames = new Set(entries.flatMap(({ signUpGroup }) => signUpGroup ?? []))
  const groups = groupNames.size > 0 ? await signUpGroups.membersOf([...groupNames]) : undefined
  const membersOf = ({ signUpGroup }: OutboxEntry): readonly SignUpGroupMember[] => groups?.get(signUpGroup ?? '') ?? []
  const idsOf = (entry: OutboxEntry) => [entry.subscriptionId, ...membersOf(entry).map(({ id }) => id)]
  const reminders = entries.filter(({ kind }) => kind === 'reminder')
  const aboutMoves = entries.filter(({ kind }) => kind === 'move' || kind === 'moved')
  // Side by side: if each question is a way to a server and back, they go together.
  const [found, last, foundMoves] = await Promise.all([
    subscriptions.findMany([...new Set(entries.flatMap(idsOf))]),
    reminders.length > 0 ? consents.lastOf([...new Set(reminders.flatMap(idsOf))]) : new Map<number, ConsentRecord>(),
    Promise.all(aboutMoves.map(async ({ subscriptionId: id }) => [id, await moves.find(id)] as const)),
  ])
  const subscription = new Map(found.map((one) => [one.id, one]))
  const move = new Map(foundMoves)
  const feed = await feedsOf(feeds, found)

  return entries.map((entry) => {
    const own = subscription.get(entry.subscriptionId)
    const asked = entry.kind === 'reminder' ? idsOf(entry).map((id) => last.get(id)) : []
    return {
      entry,
      subscription: own,
      feed: own && feed.get(own.feed),
      members:
        entry.signUpGroup === undefined
          ? undefined
          : membersOf(entry).flatMap(({ id, episode }): MailMember[] => {
              const member = subscription.get(id)
              return member ? [{ subscription: member, episode, feed: feed.get(member.feed) }] : []
            }),
      move: move.get(entry.subscriptionId),
      askedAgain: asked.some((record) => record?.deed === 'requested' && record.at > entry.createdAt),
    }
  })
}
