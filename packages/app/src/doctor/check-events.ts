import { MINUTE } from '@rollcall/core'
import type { Check } from './check.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** Events that are owed to webhooks: whether somebody works on them, or a person has to. */
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
          `Events have been due for ${Math.round(late / MINUTE)} min, and nobody sends them.`,
          'Start the server, or see its log.',
        ),
      )
    if (depth.parked > 0) findings.push(warning(`${countOf(depth.parked)} for a person.`, GIVEN_UP))
    else if (parked)
      findings.push(warning('A webhook is disabled: it took nothing for days, or said that it is gone.', DISABLED))
    return findings.length > 0
      ? findings
      : [ok(depth.waiting === 0 ? 'No event is owed.' : `${countOf(depth.waiting)}.`)]
  },
}

const GIVEN_UP = 'See `rollcall outbox list --parked`, then `rollcall webhook redeliver <name> --parked`.'
const DISABLED = 'See `rollcall webhook list`, and put it again once it is well.'

const countOf = (events: number): string => (events === 1 ? '1 event waits' : `${events} events wait`)
