import { COUNTED } from '@rollcall/core'
import { Counter, type Registry } from 'prom-client'
import type { Service } from '../service.ts'
import { Gauges } from './gauges.ts'
import { inTime } from './in-time.ts'

/**
 * Adds what storage knows: looked up at each request for it, and the same on every instance. What storage does not tell in
 * time is left out, so that nothing old is taken for what is now; but for `rollcall_storage_up`, which says so.
 */
export const observeStorage = (registry: Registry, { readers, clock }: Pick<Service, 'readers' | 'clock'>): void => {
  const gauges = new Gauges(registry)
  const secondsSince = (at: number | undefined): number =>
    at === undefined ? 0 : Math.max(0, clock.now() - at) / 1_000
  const addDepth = (name: string, help: string, look: () => Promise<{ waiting: number; parked: number }>): void =>
    gauges.addEach(name, help, 'state', async () => {
      const { waiting, parked } = await look()
      return [
        ['waiting', waiting],
        ['parked', parked],
      ]
    })

  const outboxHealth = inTime(() => readers.outbox.health())
  gauges.add('rollcall_storage_up', '1 if storage answers and takes writes, as far as is known; otherwise 0.', () =>
    outboxHealth().then(
      () => 1,
      () => 0,
    ),
  )
  addDepth(
    'rollcall_outbox_mails',
    'Mails that wait, and mails that are parked for a person to look at.',
    inTime(() => readers.outbox.depth()),
  )
  gauges.add(
    'rollcall_outbox_oldest_due_seconds',
    'For how long the mail that is overdue the longest has been due; 0 where none is.',
    async () => secondsSince((await outboxHealth()).dueSince),
  )
  addDepth(
    'rollcall_webhook_events',
    'Events that wait to be sent to a target, and events that are parked for a person to look at.',
    inTime(() => readers.webhookDeliveries.depth()),
  )
  const webhookHealth = inTime(() => readers.webhookDeliveries.health())
  gauges.add(
    'rollcall_webhook_oldest_due_seconds',
    'For how long the event that is overdue the longest has been due to a target; 0 where none is.',
    async () => secondsSince((await webhookHealth()).dueSince),
  )
  const backlog = inTime(() => readers.requests.backlog())
  const requests = inTime(() => readers.requests.count())
  addDepth(
    'rollcall_signup_requests',
    'Accepted requests of the public that wait to be carried out, up to 50,001, and those that are parked.',
    async () => ({ waiting: await requests(), parked: (await backlog()).parked }),
  )
  gauges.add(
    'rollcall_signup_oldest_request_seconds',
    'For how long the request that has waited the longest has waited; 0 if none waits.',
    async () => secondsSince((await backlog()).ends?.since),
  )
  const firstUnsealed = inTime(() => readers.audit.unsealed({ after: 0, limit: 1 }))
  gauges.add(
    'rollcall_audit_unsealed_seconds',
    'For how long the record that has waited the longest for its seal has waited; 0 if none waits.',
    async () => secondsSince((await firstUnsealed()).items[0]?.at),
  )
  const newestSeal = inTime(() => readers.audit.head())
  gauges.add(
    'rollcall_audit_seal_timestamp_seconds',
    'When the newest seal of the audit trail was made; 0 if there is none.',
    async () => ((await newestSeal())?.at ?? 0) / 1_000,
  )
  const everCounted = inTime(() => readers.numbers.ever())
  new Counter({
    name: 'rollcall_signups_total',
    help: 'What became of sign-ups since the database was made, of all feeds.',
    labelNames: ['step'],
    registers: [registry],
    async collect() {
      const found = new Map((await everCounted()).map(({ what, count }) => [what, count]))
      this.reset()
      // Each begins at zero, so that its first rise is seen.
      for (const step of COUNTED) this.inc({ step }, found.get(step) ?? 0)
    },
  })
}
