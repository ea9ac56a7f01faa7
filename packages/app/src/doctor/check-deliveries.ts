import { failingForLong, MINUTE } from '@rollcall/core'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

/** Pending mails: whether a server sends them, or a person must act. */
export const checkOutbox: Check = {
  name: 'outbox',
  run: async ({ storage, clock }) => {
    if (storage === undefined || storage.missing.length > 0) return []
    const { parked, dueSince } = await storage.outbox.health()
    const depth = await storage.outbox.depth()
    const findings: Finding[] = []
    const late = dueSince === undefined ? 0 : clock.now() - dueSince
    if (late > MINUTE)
      findings.push(
        failed(
          `Mails have been due for ${Math.round(late / MINUTE)} min, and no server sends them.`,
          'Start the server, or see its log.',
        ),
      )
    if (parked)
      findings.push(
        warning(
          `${mailsText(depth.parked)} for a person.`,
          'See `rollcall outbox list --parked`, then `rollcall outbox retry`.',
        ),
      )
    return findings.length > 0
      ? findings
      : [ok(depth.waiting === 0 ? 'No mail is pending.' : `${mailsText(depth.waiting)}.`)]
  },
}

const mailsText = (mails: number): string => (mails === 1 ? '1 mail waits' : `${mails} mails wait`)

/** Sign-ups that were accepted: whether a server carries them out, or a person must act. */
export const checkSignUps: Check = {
  name: 'sign-ups',
  run: async ({ storage, clock }) => {
    if (storage === undefined || storage.missing.length > 0) return []
    const { count, ends, parked } = await storage.requests.backlog()
    const late = ends === undefined ? 0 : clock.now() - ends.since
    const findings: Finding[] = []
    if (late > MINUTE)
      findings.push(
        failed(
          `Sign-ups have waited for ${Math.round(late / MINUTE)} min, and no server carries them out.`,
          'Start the server, or see its log.',
        ),
      )
    if (parked > 0)
      findings.push(
        warning(
          `${signUpsText(parked)} for a person.`,
          'See `rollcall outbox list --parked`, then `rollcall outbox retry --all-parked`.',
        ),
      )
    return findings.length > 0 ? findings : [ok(count === 0 ? 'No sign-up waits.' : `${signUpsText(count)}.`)]
  },
}

const signUpsText = (count: number): string => (count === 1 ? '1 sign-up waits' : `${count} sign-ups wait`)

/** Pending events: whether a server sends them, or a person must act. */
export const checkEvents: Check = {
  name: 'webhooks',
  run: async ({ storage, clock }) => {
    if (storage === undefined || storage.missing.length > 0) return []
    const { parked, dueSince } = await storage.webhookDeliveries.health()
    const depth = await storage.webhookDeliveries.depth()
    const findings: Finding[] = []
    const late = dueSince === undefined ? 0 : clock.now() - dueSince
    if (late > MINUTE)
      findings.push(
        failed(
          `Events have been due for ${Math.round(late / MINUTE)} min, and no server sends them.`,
          'Start the server, or see its log.',
        ),
      )
    if (depth.parked > 0) findings.push(warning(`${eventsText(depth.parked)} for a person.`, GIVEN_UP))
    else if (parked)
      findings.push(warning('A webhook is disabled: it took nothing for days, or said that it is gone.', DISABLED))
    for (const [name, since] of failingForLong(await storage.webhookDeliveries.failing(), clock.now()))
      findings.push(
        warning(
          `The webhook ${name} has taken nothing for ${Math.round((clock.now() - since) / MINUTE)} min.`,
          `See \`rollcall webhook show ${name}\` for what it said last.`,
        ),
      )
    return findings.length > 0
      ? findings
      : [ok(depth.waiting === 0 ? 'No event is pending.' : `${eventsText(depth.waiting)}.`)]
  },
}

const GIVEN_UP = 'See `rollcall outbox list --parked`, then `rollcall webhook redeliver <name> --parked`.'
const DISABLED = 'See `rollcall webhook list`, and put it again once it is well.'

const eventsText = (events: number): string => (events === 1 ? '1 event waits' : `${events} events wait`)
