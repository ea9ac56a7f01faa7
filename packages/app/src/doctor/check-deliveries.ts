import {
  type DisabledBecause,
  eachOf,
  failingForLong,
  MINUTE,
  type WebhookName,
  type WebhookReader,
} from '@rollcall/core'
import { databaseOf } from '../database.ts'
import { type Check, type CheckContext, type Finding, failed, ok, warning } from './check.ts'

/** Pending mails: whether a server sends them, or a person must act. */
export const checkOutbox: Check = {
  name: 'outbox',
  run: async (context) => {
    const { current } = context
    if (current === undefined) return []
    const { parked, dueSince } = await current.outbox.health()
    const depth = await current.outbox.depth()
    const findings = await ofLate(context, dueSince, 'Mails have been due for', () => current.outbox.underWay())
    if (parked) findings.push(warning(`${waitingText(depth.parked, 'mail')} for a person.`, RETRY))
    return orWell(findings, depth.waiting, 'mail', 'No mail is pending.')
  },
}

/** Sign-ups that were accepted: whether a server carries them out, or a person must act. */
export const checkSignUps: Check = {
  name: 'sign-ups',
  run: async (context) => {
    const { current } = context
    if (current === undefined) return []
    const { ends, parked } = await current.requests.backlog()
    const findings = await ofLate(context, ends?.since, 'Sign-ups have waited for')
    if (parked > 0) findings.push(warning(`${waitingText(parked, 'sign-up')} for a person.`, RETRY))
    return orWell(findings, await current.requests.count(), 'sign-up', 'No sign-up waits.')
  },
}

/** Pending events: whether a server sends them, or a person must act. */
export const checkEvents: Check = {
  name: 'webhooks',
  run: async (context) => {
    const { current, clock } = context
    if (current === undefined) return []
    const { dueSince } = await current.webhookDeliveries.health()
    const depth = await current.webhookDeliveries.depth()
    const disabled = await disabledByService(current.webhooks)
    const now = clock.now()
    const findings = await ofLate(context, dueSince, 'Events have been due for', () =>
      current.webhookDeliveries.underWay(),
    )
    if (depth.parked > 0) findings.push(warning(`${waitingText(depth.parked, 'event')} for a person.`, GIVEN_UP))
    for (const [name, because] of disabled)
      findings.push(
        warning(
          `The webhook ${name} is disabled: it ${BECAUSE[because]}.`,
          `Once it is well, \`rollcall webhook set ${name} --enabled\` sends what has waited.`,
        ),
      )
    const failing = (await current.webhookDeliveries.failing()).filter(([name]) => !disabled.has(name))
    for (const [name, since] of failingForLong(failing, now))
      findings.push(
        warning(
          `The webhook ${name} has taken nothing for ${Math.round((now - since) / MINUTE)} min.`,
          'The last error in `rollcall outbox list` says why.',
        ),
      )
    if (findings.length > 0) return findings
    // Those behind the cursor of a target are not counted: it may want a few of a great many.
    return [ok(depth.waiting === 0 ? 'No event is pending.' : `At least ${waitingText(depth.waiting, 'event')}.`)]
  },
}

const RETRY = 'See `rollcall outbox list --parked`, then `rollcall outbox retry --all-parked`.'
const GIVEN_UP = 'See `rollcall outbox list --parked`, then `rollcall webhook redeliver <name> --parked`.'

type ByService = Exclude<DisabledBecause, 'by-hand'>
const BECAUSE: Record<ByService, string> = { failing: 'accepted nothing for three days', gone: 'answered 410' }

const disabledByService = async ({ list }: Pick<WebhookReader, 'list'>): Promise<Map<WebhookName, ByService>> => {
  const found = new Map<WebhookName, ByService>()
  for await (const { name, disabled } of eachOf(list))
    if (disabled && disabled.because !== 'by-hand') found.set(name, disabled.because)
  return found
}

/**
 * `underWay`: how many of them a worker has in hand, where that can be seen. One that died is no server, but for a moment
 * has them, too.
 */
const ofLate = async (
  { config, clock }: CheckContext,
  since: number | undefined,
  what: string,
  underWay?: () => Promise<number>,
): Promise<Finding[]> => {
  const late = since === undefined ? 0 : clock.now() - since
  if (late <= MINUTE) return []
  const text = `${what} ${Math.round(late / MINUTE)} min`
  const isServed = await databaseOf(config).isServed()
  if (isServed === false) return [failed(`${text}, and no server runs.`, 'Start it with `rollcall serve`.')]
  if (isServed && underWay === undefined)
    return [warning(`${text}: the server that runs is behind, or cannot carry them out.`, BEHIND)]
  const count = (await underWay?.()) ?? 0
  if (count > 0) return [warning(`${text}: a server has ${count} under way, and is behind.`, BEHIND)]
  return isServed
    ? [failed(`${text}, and the server that runs has none of them under way.`, 'See its log.')]
    : [failed(`${text}, and no server takes them.`, 'Start the server, or see its log.')]
}

const BEHIND = 'If they are no fewer in a while, see its log, and the last errors in `rollcall outbox list`.'

const orWell = (findings: readonly Finding[], waiting: number, noun: string, none: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(waiting === 0 ? none : `${waitingText(waiting, noun)}.`)]

const waitingText = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} waits` : `${count} ${noun}s wait`
