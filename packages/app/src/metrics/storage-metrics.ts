import { COUNTED, type Readers } from '@rollcall/core'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Service } from '../service.ts'
import { inTime } from './in-time.ts'

type Queue = Pick<Readers['outbox'], 'depth' | 'health'>

/**
 * Adds what storage knows: looked up at each request for it, and the same on every instance. What storage does not tell in
 * time is left out, so that nothing old is taken for what is now; but for `rollcall_storage_up`, which says so.
 */
export const observeStorage = (registry: Registry, { readers, clock }: Pick<Service, 'readers' | 'clock'>): void => {
  const registers = [registry]
  const outboxHealth = inTime(() => readers.outbox.health())
  new Gauge({
    name: 'rollcall_storage_up',
    help: '1 if storage answers and takes writes, as far as is known; otherwise 0.',
    registers,
    async collect() {
      this.set(
        await outboxHealth().then(
          () => 1,
          () => 0,
        ),
      )
    },
  })
  const queues = [
    {
      depth: inTime(() => readers.outbox.depth()),
      health: outboxHealth,
      count: 'rollcall_outbox_mails',
      counted: 'Mails that wait, and mails that are parked for a person to look at.',
      age: 'rollcall_outbox_oldest_due_seconds',
      aged: 'For how long the mail that is overdue the longest has been due; 0 where none is.',
    },
    {
      depth: inTime(() => readers.webhookDeliveries.depth()),
      health: inTime(() => readers.webhookDeliveries.health()),
      count: 'rollcall_webhook_events',
      counted: 'Events that wait to be sent to a target, and events that are parked for a person to look at.',
      age: 'rollcall_webhook_oldest_due_seconds',
      aged: 'For how long the event that is overdue the longest has been due to a target; 0 where none is.',
    },
  ] satisfies readonly (Queue & Record<'count' | 'counted' | 'age' | 'aged', string>)[]
  for (const { depth, health, count, counted, age, aged } of queues) {
    new Gauge({
      name: count,
      help: counted,
      labelNames: ['state'],
      registers,
      async collect() {
        const { waiting, parked } = await depth()
        this.set({ state: 'waiting' }, waiting)
        this.set({ state: 'parked' }, parked)
      },
    })
    new Gauge({
      name: age,
      help: aged,
      registers,
      async collect() {
        const { dueSince } = await health()
        this.set(dueSince === undefined ? 0 : Math.max(0, clock.now() - dueSince) / 1_000)
      },
    })
  }
  const backlog = inTime(() => readers.requests.backlog())
  new Gauge({
    name: 'rollcall_signup_requests',
    help: 'Accepted requests of the public that wait to be carried out, up to 50,001, and those that are parked.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { count, parked } = await backlog()
      this.set({ state: 'waiting' }, count)
      this.set({ state: 'parked' }, parked)
    },
  })
  new Gauge({
    name: 'rollcall_signup_oldest_request_seconds',
    help: 'For how long the request that has waited the longest has waited; 0 if none waits.',
    registers,
    async collect() {
      const { ends } = await backlog()
      this.set(ends === undefined ? 0 : Math.max(0, clock.now() - ends.since) / 1_000)
    },
  })
  const firstUnsealed = inTime(() => readers.audit.unsealed({ after: 0, limit: 1 }))
  new Gauge({
    name: 'rollcall_audit_unsealed_seconds',
    help: 'For how long the record that has waited the longest for its seal has waited; 0 if none waits.',
    registers,
    async collect() {
      const [first] = (await firstUnsealed()).items
      this.set(first === undefined ? 0 : Math.max(0, clock.now() - first.at) / 1_000)
    },
  })
  const newestSeal = inTime(() => readers.audit.head())
  new Gauge({
    name: 'rollcall_audit_seal_timestamp_seconds',
    help: 'When the newest seal of the audit trail was made; 0 if there is none.',
    registers,
    async collect() {
      this.set(((await newestSeal())?.at ?? 0) / 1_000)
    },
  })
  const everCounted = inTime(() => readers.numbers.ever())
  new Counter({
    name: 'rollcall_signups_total',
    help: 'What became of sign-ups since the database was made, of all feeds.',
    labelNames: ['step'],
    registers,
    async collect() {
      const found = new Map((await everCounted()).map(({ what, count }) => [what, count]))
      this.reset()
      // Each begins at zero, so that its first rise is seen.
      for (const step of COUNTED) this.inc({ step }, found.get(step) ?? 0)
    },
  })
}
