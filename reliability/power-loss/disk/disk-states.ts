import { createHash } from 'node:crypto'
import { Random } from '../../random.ts'
import type { RecordedOperation } from './operation.ts'
import { type DiskContent, SimulatedDisk } from './simulated-disk.ts'
import { anySurvival, type Survival } from './survival.ts'

/** What a disk may hold after a power loss. */
interface DiskState {
  /** The same number is the same state, for the same recording and seed. */
  readonly number: number
  /** How many operations came before the power loss. */
  readonly after: number
  readonly survival: Survival
  readonly content: DiskContent
}

/** At most so many are drawn for each wanted state: a short recording has only so many that differ. */
const MOST_TRIES = 5

/** At most so many states, all different, in the order of the recording. */
export function* diskStates(
  operations: readonly RecordedOperation[],
  seed: number,
  count: number,
): Generator<DiskState> {
  const points = crashPoints(operations, new Random(seed))
  const seen = new Set<string>()
  for (let first = 0; first < count * MOST_TRIES && seen.size < count; first += count)
    for (const state of inOneRun(operations, points, first, count)) {
      const { after, content } = state
      const print = `${after} ${fingerprintOf(content)}`
      if (seen.has(print) || seen.size === count) continue
      seen.add(print)
      yield state
    }
}

function* inOneRun(
  operations: readonly RecordedOperation[],
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
      const operation = operations[done]
      if (operation) disk.apply(operation)
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

/** A power loss after so many operations, and the random numbers that decide what survives. */
interface CrashPoint {
  readonly after: number
  readonly random: Random
}

const isPromised = ({ kind }: RecordedOperation): boolean =>
  kind === 'answered' || kind === 'mailed' || kind === 'printed'

/** Endless: half of them right after a promise, a quarter right before a sync completes. */
export function* crashPoints(operations: readonly RecordedOperation[], random: Random): Generator<CrashPoint, never> {
  const places = operations.map((operation, index) => ({ operation, index }))
  const promises = places.filter(({ operation }) => isPromised(operation)).map(({ index }) => index + 1)
  const syncs = places.filter(({ operation }) => operation.kind === 'sync').map(({ index }) => index)
  for (;;) {
    const chance = random.whole(0, 3)
    const after =
      chance < 2 ? random.pick(promises) : chance < 3 ? random.pick(syncs) : random.whole(0, operations.length)
    yield { after, random: random.fork() }
  }
}
