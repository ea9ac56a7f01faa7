import type { Instant } from '../instant.ts'
import type { Position } from '../page.ts'
import type { EventReader } from './event-store.ts'

/**
 * The position behind which every event from this time on is; a few more where clocks were set back. Positions have no
 * gaps, so that a few lookups find it.
 */
export const positionAt = async (events: Pick<EventReader, 'list'>, time: Instant): Promise<Position> => {
  const behind = async (position: Position) => (await events.list({ after: position, limit: 1 })).items[0]
  let first = await behind(0)
  let before = (first?.position ?? 1) - 1
  let step = 1
  // Doubling finds one that is late enough, halving the first of these.
  while (first !== undefined && first.at < time) {
    before = first.position
    first = await behind(before + step)
    step *= 2
  }
  let after = first === undefined ? before + step : first.position - 1
  while (before < after) {
    const middle = Math.floor((before + after) / 2)
    const event = await behind(middle)
    if (event !== undefined && event.at < time) before = event.position
    else after = middle
  }
  return before
}
