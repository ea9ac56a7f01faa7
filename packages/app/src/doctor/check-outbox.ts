import { MINUTE } from '@rollcall/core'
import type { Check } from './check.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** Mails that are owed: whether somebody works on them, or a person has to. */
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
          `Mails have been due for ${Math.round(late / MINUTE)} min, and nobody sends them.`,
          'Start the server, or see its log.',
        ),
      )
    if (parked)
      findings.push(
        warning(
          `${countOf(depth.parked)} for a person.`,
          'See `rollcall outbox list --parked`, then `rollcall outbox retry`.',
        ),
      )
    return findings.length > 0
      ? findings
      : [ok(depth.waiting === 0 ? 'No mail is owed.' : `${countOf(depth.waiting)}.`)]
  },
}

const countOf = (mails: number): string => (mails === 1 ? '1 mail waits' : `${mails} mails wait`)
