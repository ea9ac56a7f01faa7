import { failingForLong, MINUTE } from '@rollcall/core'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

/** Pending mails: whether a server sends them, or a person must act. */
export const checkOutbox: Check = {
  name: 'outbox',
  run: async ({ current, clock }) => {
    if (current === undefined) return []
    const { parked, dueSince } = await current.outbox.health()
    const depth = await current.outbox.depth()
    const findings = ofLate(dueSince, clock.now(), 'Mails have been due for', 'no server sends them')
    if (parked) findings.push(warning(`${waitingText(depth.parked, 'mail')} for a person.`, RETRY))
    return orWell(findings, depth.waiting, 'mail', 'No mail is pending.')
  },
}

/** Sign-ups that were accepted: whether a server carries them out, or a person must act. */
export const checkSignUps: Check = {
  name: 'sign-ups',
  run: async ({ current, clock }) => {
    if (current === undefined) return []
    const { count, ends, parked } = await current.requests.backlog()
    const findings = ofLate(ends?.since, clock.now(), 'Sign-ups have waited for', 'no server carries them out')
    if (parked > 0) findings.push(warning(`${waitingText(parked, 'sign-up')} for a person.`, RETRY))
    return orWell(findings, count, 'sign-up', 'No sign-up waits.')
  },
}

/** Pending events: whether a server sends them, or a person must act. */
export const checkEvents: Check = {
  name: 'webhooks',
  run: async ({ current, clock }) => {
    if (current === undefined) return []
    const { parked, dueSince } = await current.webhookDeliveries.health()
    const depth = await current.webhookDeliveries.depth()
    const now = clock.now()
    const findings = ofLate(dueSince, now, 'Events have been due for', 'no server sends them')
    if (depth.parked > 0) findings.push(warning(`${waitingText(depth.parked, 'event')} for a person.`, GIVEN_UP))
    else if (parked)
      findings.push(warning('A webhook is disabled: it took nothing for days, or said that it is gone.', DISABLED))
    for (const [name, since] of failingForLong(await current.webhookDeliveries.failing(), now))
      findings.push(
        warning(
          `The webhook ${name} has taken nothing for ${Math.round((now - since) / MINUTE)} min.`,
          'The last error in `rollcall outbox list` says why.',
        ),
      )
    return orWell(findings, depth.waiting, 'event', 'No event is pending.')
  },
}

const RETRY = 'See `rollcall outbox list --parked`, then `rollcall outbox retry --all-parked`.'
const GIVEN_UP = 'See `rollcall outbox list --parked`, then `rollcall webhook redeliver <name> --parked`.'
const DISABLED = 'See `rollcall webhook list`, and put it again once it is well.'

const ofLate = (since: number | undefined, now: number, what: string, why: string): Finding[] => {
  const late = since === undefined ? 0 : now - since
  if (late <= MINUTE) return []
  return [failed(`${what} ${Math.round(late / MINUTE)} min, and ${why}.`, 'Start the server, or see its log.')]
}

const orWell = (findings: readonly Finding[], waiting: number, noun: string, none: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(waiting === 0 ? none : `${waitingText(waiting, noun)}.`)]

const waitingText = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} waits` : `${count} ${noun}s wait`
