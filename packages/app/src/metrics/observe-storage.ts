import type { Clock, Readers, SignUpOutcome } from '@rollcall/core'
import { Counter, Gauge, type Registry } from 'prom-client'

const OUTCOMES = {
  honeypot: 0,
  suppressed: 0,
  expired: 0,
  'unknown-address': 0,
  'held-back': 0,
} as const satisfies Record<SignUpOutcome, 0>

/** Adds what storage knows: looked up at each request for it, and the same on every instance. */
export const observeStorage = (
  registry: Registry,
  { outbox, signUpCounts, webhookDeliveries }: Pick<Readers, 'outbox' | 'signUpCounts' | 'webhookDeliveries'>,
  clock: Clock,
): void => {
  const registers = [registry]
  new Gauge({
    name: 'rollcall_outbox_mails',
    help: 'Mails that wait, and mails that are parked for a person to look at.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { waiting, parked } = await outbox.depth()
      this.set({ state: 'waiting' }, waiting)
      this.set({ state: 'parked' }, parked)
    },
  })
  new Gauge({
    name: 'rollcall_outbox_oldest_due_seconds',
    help: 'For how long the mail that is overdue the longest has been due; 0 where none is.',
    registers,
    async collect() {
      const { dueSince } = await outbox.health()
      this.set(dueSince === undefined ? 0 : Math.max(0, clock.now() - dueSince) / 1_000)
    },
  })
  new Gauge({
    name: 'rollcall_webhook_events',
    help: 'Events that wait to be sent to a target, and events that are parked for a person to look at.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { waiting, parked } = await webhookDeliveries.depth()
      this.set({ state: 'waiting' }, waiting)
      this.set({ state: 'parked' }, parked)
    },
  })
  new Gauge({
    name: 'rollcall_webhook_oldest_due_seconds',
    help: 'For how long the event that is overdue the longest has been due to a target; 0 where none is.',
    registers,
    async collect() {
      const { dueSince } = await webhookDeliveries.health()
      this.set(dueSince === undefined ? 0 : Math.max(0, clock.now() - dueSince) / 1_000)
    },
  })
  new Counter({
    name: 'rollcall_signup_outcomes_total',
    help: 'Sign-ups by what became of them since the database was made, kept over restarts.',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const outcomes = Object.keys(OUTCOMES) as SignUpOutcome[]
      const counts = await Promise.all(outcomes.map((outcome) => signUpCounts.count(outcome)))
      this.reset()
      for (const [i, outcome] of outcomes.entries()) this.inc({ outcome }, counts[i] ?? 0)
    },
  })
}
