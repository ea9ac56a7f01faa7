import type { Caller } from '../access/caller.ts'
import type { EventType } from '../events/event-store.ts'
import { DAY } from '../instant.ts'
import { UseCase } from '../use-case.ts'

const DAYS = 30
const BATCH = 1_000

/** Counts the events that have come since. */
export class CountEventsUseCase extends UseCase<'clock' | 'unitOfWork', 'eventCounts' | 'events'> {
  async execute(): Promise<{ readonly counted: number; readonly more: boolean }> {
    const { clock, readers, unitOfWork } = this.ports
    const after = await readers.eventCounts.position()
    const { items, next } = await readers.events.list({ after, limit: BATCH })
    const last = items.at(-1)
    if (last === undefined) return { counted: 0, more: false }
    const groups = Map.groupBy(items, ({ type, at }) => `${Math.floor(at / DAY)} ${type}`)
    const today = Math.floor(clock.now() / DAY)
    return await unitOfWork.run(async ({ eventCounts }) => {
      // Another instance was faster.
      if ((await eventCounts.position()) !== after) return { counted: 0, more: true }
      for (const [key, events] of groups) {
        const [day = '', type = ''] = key.split(' ')
        await eventCounts.add({ day: Number(day), type: type as EventType, count: events.length })
      }
      await eventCounts.setPosition(last.position)
      await eventCounts.prune(today - DAYS)
      return { counted: items.length, more: next !== undefined }
    })
  }
}

export type Funnel = readonly { readonly type: EventType; readonly count: number }[]

const STEPS = ['subscription.pending', 'subscription.confirmed', 'subscription.ended', 'subscription.erased'] as const

/** How many of the last 30 days got how far. */
export class ShowFunnelUseCase extends UseCase<'access' | 'clock', 'eventCounts'> {
  static readonly permission = 'outbox:read'
  static readonly action = 'outbox.read'

  async execute(_: object, caller: Caller): Promise<Funnel> {
    this.ports.access.require(caller, ShowFunnelUseCase)
    const today = Math.floor(this.ports.clock.now() / DAY)
    const counts = await this.ports.readers.eventCounts.since(today - DAYS + 1)
    return STEPS.map((type) => ({
      type,
      count: counts.reduce((sum, each) => (each.type === type ? sum + each.count : sum), 0),
    }))
  }
}
