import type { Instant } from '../instant.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import { timestamp } from '../published/timestamp.ts'
import { isExpired } from '../subscriptions/subscription.ts'
import { type ExplainedSubscription, heldBy, holdingCap, type KnownOfAddress } from './timeline.ts'

/** What would make a mail go out now, in one sentence. What stands in the way of all mails comes first. */
export const conclusionOf = (known: KnownOfAddress, now: Instant): string =>
  suppressed(known) ?? undeliverable(known) ?? owed(known, now) ?? nothingOwed(known, now)

const suppressed = ({ suppression }: KnownOfAddress): string | undefined => {
  if (suppression === undefined) return undefined
  const { cause, since } = suppression.block ?? suppression
  const when = `since ${timestamp(since)}`
  if (cause === 'refused')
    return `The address is suppressed ${when} because its owner refused: a mail goes out once the owner allows it on the preferences page, or after \`rollcall suppression lift\`.`
  if (cause === 'never-again')
    return `The address is suppressed ${when} because its owner said 'never again': a mail goes out once the owner allows it, or after \`rollcall suppression lift\` on the owner's request.`
  return `Every mail to the address is stopped ${when} (${cause}): a mail goes out after \`rollcall suppression lift\`.`
}

const undeliverable = ({ deliverability }: KnownOfAddress): string | undefined => {
  if (deliverability?.state !== 'undeliverable') return undefined
  const code = deliverability.status === undefined ? '' : ` (${deliverability.status})`
  return `Mails to the address came back${code}: until its owner confirms or an administrator lifts that, at most one mail a week goes out.`
}

const owed = ({ subscriptions, slots }: KnownOfAddress, now: Instant): string | undefined => {
  const mails = subscriptions.flatMap(({ mails }) => mails)
  const parked = mails.find(({ parkedAt }) => parkedAt !== undefined)
  const waiting = mails.filter(({ parkedAt }) => parkedAt === undefined).sort((a, b) => a.notBefore - b.notBefore)[0]
  if (waiting === undefined) return parked && parkedText(parked)
  const cap = heldBy(waiting, slots, now)
  if (cap !== undefined)
    return `The mail that is owed goes out by itself at ${timestamp(Math.max(cap.until, waiting.notBefore))}, when the cap of ${cap.words} allows it: nothing makes it go out before.`
  if (waiting.notBefore > now)
    return `The mail that is owed is tried again at ${timestamp(waiting.notBefore)}: \`rollcall outbox retry ${waiting.id}\` tries it now.`
  return 'The mail that is owed is due: it goes out as soon as a running `rollcall serve` comes to it.'
}

const parkedText = ({ id, lastError }: OutboxEntry): string => {
  const said = lastError === undefined ? '' : `, which said: ${lastError.replace(/\.$/, '')}`
  return `The relay refused the mail that is owed${said}: put that right, and \`rollcall outbox retry ${id}\` sends it.`
}

const nothingOwed = ({ subscriptions, slots }: KnownOfAddress, now: Instant): string => {
  const counting = subscriptions.filter(({ subscription }) => !isExpired(subscription, now))
  const is =
    (status: string) =>
    ({ subscription }: ExplainedSubscription) =>
      subscription.status === status
  const cap = holdingCap(slots, now)
  const first = cap === undefined ? 'now' : `at ${timestamp(cap.until)}, when the cap of ${cap.words} allows it`
  if (counting.length === 0) return `Nothing is owed to this address: a sign-up with it makes a mail go out ${first}.`
  if (counting.some(is('pending')))
    return `No mail is owed, and a subscription waits for its owner to confirm: another sign-up sends the mail again${cap === undefined ? ' now' : `, from ${timestamp(cap.until)} on`}.`
  if (counting.some(is('confirmed')))
    return `No mail is owed, and the address is subscribed: a sign-up to another feed makes a mail go out ${first}.`
  return `No mail is owed, and all subscriptions have ended: a sign-up makes a mail go out ${first}.`
}
