import type { FeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import { isStopped } from '../outbox/decide-mail.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import { timestamp } from '../published/timestamp.ts'
import { MONTH } from '../reminders/reminder-store.ts'
import { isExpired } from '../subscriptions/subscription.ts'
import { heldBy, holdingCap, type KnownOfAddress, mayHaveArrived } from './timeline.ts'

/** What would make a mail go out now, in one sentence. What stands in the way of all mails comes first. */
export const conclusionOf = (known: KnownOfAddress, now: Instant): string => {
  const going = { ...known, mails: known.mails.filter(({ mail }) => !isStopped(mail, known.suppression)) }
  return (
    requested(going) ??
    suppressed(going, now) ??
    undeliverable(going, now) ??
    owed(going, now) ??
    reminder(going, now) ??
    nothingOwed(going, now)
  )
}

const requested = ({ requests }: KnownOfAddress): string | undefined => {
  if (requests.length === 0) return undefined
  const parked = requests.find(({ parkedAt }) => parkedAt !== undefined)
  return parked === undefined
    ? 'What was asked for last is not carried out yet: a running `rollcall serve` does so within a second.'
    : `What was asked for could not be carried out: ${parked.error ?? ''} Put that right, and \`rollcall outbox retry\` carries it out.`
}

/** But for the link to the preferences: if that waits, it is what goes out. */
const suppressed = (known: KnownOfAddress, now: Instant): string | undefined => {
  const { suppression, mails, linkMailedAt, subscriptions } = known
  if (suppression === undefined || mails.length > 0) return undefined
  const { cause, since } = suppression.block ?? suppression
  const when = `since ${timestamp(since)}`
  const refused = cause === 'refused'
  if (refused || cause === 'never-again') {
    const why = `The address is suppressed ${when} because its owner ${refused ? 'refused' : "said 'never again'"}`
    // The link is one to subscriptions.
    if (subscriptions.length === 0)
      return `${why}, and has no subscription: a mail goes out after \`rollcall suppression lift\` on the owner's request.`
    const next = linkMailedAt === undefined ? now : linkMailedAt + MONTH
    const from = next > now ? `from ${timestamp(next)} on` : 'now'
    return `${why}: only the link to the preferences page goes out, ${from} and once in 30 days, when its owner asks for it; other mails do once the owner allows them there, or after \`rollcall suppression lift\` on the owner's request.`
  }
  return `Every mail to the address is stopped ${when} (${cause}): a mail goes out after \`rollcall suppression lift\`.`
}

const undeliverable = (known: KnownOfAddress, now: Instant): string | undefined => {
  const { deliverability, mails } = known
  if (deliverability?.state !== 'undeliverable') return undefined
  // It is outside the caps.
  if (mails.some(({ mail: { kind, parkedAt } }) => kind === 'moved' && parkedAt === undefined)) return undefined
  const code = deliverability.status === undefined ? '' : ` (${deliverability.status})`
  const cap = holdingCap(known, now)
  const next = cap === undefined ? 'now' : `from ${timestamp(cap.until)} on`
  return `Mails to the address came back${code}: until its owner confirms or an administrator lifts that, at most one mail a week goes out, the next ${next}.`
}

const owed = (known: KnownOfAddress, now: Instant): string | undefined => {
  const owed = known.mails.map(({ mail }) => mail).filter(({ kind }) => kind !== 'reminder')
  const waiting = owed
    .filter(({ parkedAt }) => parkedAt === undefined)
    .map((mail) => {
      const cap = heldBy(mail, known, now)
      return { mail, cap, at: Math.max(cap?.until ?? 0, mail.notBefore) }
    })
    .sort((a, b) => a.at - b.at)[0]
  if (waiting === undefined) {
    const parked = owed.find(({ parkedAt }) => parkedAt !== undefined)
    return parked && parkedText(parked, known)
  }
  const { mail, cap, at } = waiting
  if (mayHaveArrived(mail, known, now))
    return `The mail that is owed may have been delivered, as the relay got it and did not answer: it is tried again by itself at ${timestamp(at)}, when the caps allow a copy, and nothing makes it go out before.`
  if (cap !== undefined)
    return `The mail that is owed goes out by itself at ${timestamp(at)}, when the cap of ${cap.words} allows it: nothing makes it go out before.`
  if (at > now)
    return `The mail that is owed is tried again at ${timestamp(at)}: \`rollcall outbox retry ${mail.id}\` tries it now.`
  return 'The mail that is owed is due: it goes out as soon as a running `rollcall serve` comes to it.'
}

/** If no other mail is owed. Nothing makes a reminder wait but the relay. */
const reminder = ({ mails }: KnownOfAddress, now: Instant): string | undefined => {
  const waiting = mails.find(({ mail: { parkedAt } }) => parkedAt === undefined)?.mail
  if (waiting === undefined) return undefined
  const when =
    waiting.notBefore > now ? `at ${timestamp(waiting.notBefore)}` : 'as soon as a running `rollcall serve` comes to it'
  return `No mail is owed, but a reminder is queued: it goes out ${when}, unless a cap stands in its way then.`
}

const parkedText = ({ id, messageId, lastError }: OutboxEntry, { slots }: KnownOfAddress): string => {
  if (slots.some((slot) => slot.messageId === messageId))
    return `The mail that is owed may have been delivered, and is not tried again by itself: \`rollcall outbox retry ${id}\` sends a copy.`
  const said = lastError === undefined ? '' : `, which said: ${lastError.replace(/\.$/, '')}`
  return `The relay refused the mail that is owed${said}: put that right, and \`rollcall outbox retry ${id}\` sends it; from an hour after that, so does its reader who asks again.`
}

const nothingOwed = (known: KnownOfAddress, now: Instant): string => {
  const { closed, beingDeleted } = known.feeds
  const counting = known.subscriptions.filter(
    ({ subscription }) => !isExpired(subscription, now) && !beingDeleted.has(subscription.feed),
  )
  const owed = counting.length === 0 ? 'Nothing is owed to this address' : 'No mail is owed'
  const never = nothingByForms(known)
  if (never !== undefined) return `${owed}, and a sign-up makes none go out: ${never}`
  const of = (status: string) => counting.filter(({ subscription }) => subscription.status === status)
  const cap = holdingCap(known, now)
  const first = cap === undefined ? 'now' : `at ${timestamp(cap.until)}, when the cap of ${cap.words} allows it`
  if (counting.length === 0)
    return `${owed}: a sign-up with it makes a mail go out ${first}. ${refusal(known, ['does not exist'])}`
  const pending = of('pending')
  if (pending.length > 0) {
    const next = `sends the mail again${cap === undefined ? ' now' : `, from ${timestamp(cap.until)} on`}`
    const waits = `${owed}, and a subscription waits for its owner to confirm`
    if (pending.some(({ subscription: { feed } }) => !closed.has(feed))) return `${waits}: another sign-up ${next}.`
    const name = pending[0]?.subscription.feed
    return `${waits}: another sign-up is refused, because the feed ${name} is closed; after \`rollcall feed set ${name} --open\`, it ${next}.`
  }
  const refused = refusal(known, [])
  const makes = `makes a mail go out ${first}. ${refused}`.trim()
  return of('confirmed').length > 0
    ? `${owed}, and the address is subscribed: a sign-up, also to the same feed, ${makes}`
    : `${owed}, and all subscriptions have ended: a sign-up ${makes}`
}

/** Why no form makes a mail go out, whatever it names. */
const nothingByForms = ({ isBlockedDomain, feeds }: KnownOfAddress): string | undefined => {
  if (isBlockedDomain)
    return 'the domain of the address is a blocked one, so forms with it are answered as any other and dropped.'
  return feeds.all
    ? 'every feed is closed, so each form is refused. `rollcall feed set NAME --open` opens one.'
    : undefined
}

/** So many feeds are named. */
const MOST_NAMES = 5

const named = (what: string, names: ReadonlySet<FeedName>): string[] =>
  names.size === 0
    ? []
    : [`${what} (${[...names].slice(0, MOST_NAMES).join(', ')}${names.size > MOST_NAMES ? ', …' : ''})`]

/** Which forms are refused with 422 and leave nothing that could be shown here; empty if there are none. */
const refusal = ({ feeds }: KnownOfAddress, others: readonly string[]): string => {
  const which = [...others, ...named('is closed', feeds.closed), ...named('is being deleted', feeds.beingDeleted)]
  return which.length === 0 ? '' : `One to a feed that ${which.join(' or ')} is refused, and leaves nothing.`
}
