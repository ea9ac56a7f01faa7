import { createHash } from 'node:crypto'
import { Random } from '../../random.ts'
import { type CrashPoint, crashPoints } from './crash-points.ts'
import type { Happening } from './happening.ts'
import { type DiskContent, SimulatedDisk } from './simulated-disk.ts'
import { anySurvival, type Survival } from './survival.ts'

/** What a disk may hold after a loss of power. */
export interface DiskState {
  /** The same for the same recording and seed. */
  readonly number: number
  /** How many of the happenings there had been. */
  readonly after: number
  readonly survival: Survival
  readonly content: DiskContent
}

/** So many are drawn for each one that is wanted, at most: a short recording has no more that differ. */
const MOST_TRIES = 5

/** So many states at most, no two of them alike, in the order of the recording. */
export function* diskStates(happenings: readonly Happening[], seed: number, count: number): Generator<DiskState> {
  const points = crashPoints(happenings, new Random(seed))
  const seen = new Set<string>()
  for (let first = 0; first < count * MOST_TRIES && seen.size < count; first += count)
    for (const state of inOneRun(happenings, points, first, count)) {
      const { after, content } = state
      const print = `${after} ${fingerprintOf(content)}`
      if (seen.has(print) || seen.size === count) continue
      seen.add(print)
      yield state
    }
}

function* inOneRun(
  happenings: readonly Happening[],
  points: Iterator<CrashPoint, never>,
  first: number,
  count: number,
): Generator<DiskState> {
  const drawn = Array.from({ length: count }, (_, index) => ({ number: first + index, point: points.next().value }))
  const disk = new SimulatedDisk()
  let done = 0
  for (const { number, point } of drawn.sort((a, b) => a.point.after - b.point.after)) {
    const { after, random } = point
    for (; done < after; done++) {
      const happening = happenings[done]
      if (happening) disk.apply(happening)
    }
    const survival = anySurvival(random, disk.pending())
    yield { number, after, survival, content: disk.contentAfter(survival) }
  }
}

const fingerprintOf = (content: DiskContent): string => {
  const hash = createHash('sha1')
  for (const [name, bytes] of content) hash.update(`${name}\0${bytes?.length}\0`).update(bytes ?? '')
  return hash.digest('hex')
}
