import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import type { Finding } from '../shared/finding.ts'
import { Random } from '../shared/random.ts'
import type { Program } from '../shared/service.ts'
import { examineState, wholeMails } from './examine-state.ts'
import type { RecordedOperation } from './operation.ts'
import { isVolatile } from './operations.ts'
import { Promises } from './promises.ts'
import type { Recording } from './recording.ts'
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
function* diskStates(operations: readonly RecordedOperation[], seed: number, count: number): Generator<DiskState> {
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
function* crashPoints(operations: readonly RecordedOperation[], random: Random): Generator<CrashPoint, never> {
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

interface PowerLossOrder {
  readonly recording: Recording
  readonly program: Program
  /** The same seed gives the same states. */
  readonly seed: number
  readonly states: number
  /** Only this one of them. */
  readonly only?: number | undefined
  /** Stop after so many bad states. */
  readonly enough?: number | undefined
  readonly onProgress?: ((examined: number) => void) | undefined
}

/** A state of the disk with which a promise is broken. */
interface LostState {
  readonly number: number
  readonly survival: string
  readonly findings: readonly Finding[]
}

interface PowerLossResult {
  readonly examined: number
  readonly lost: readonly LostState[]
}

const THOROUGH_EVERY = 4
const MEMORY = '/dev/shm'

/** Rebuilds what a disk may hold after a power loss, and checks that the service keeps its promises with it. */
export const runPowerLoss = async (order: PowerLossOrder): Promise<PowerLossResult> => {
  const { recording, program, seed, states, only, enough = Number.POSITIVE_INFINITY } = order
  const scratch = mkdtempSync(path.join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'rollcall-power-loss-'))
  const remove = (): void => rmSync(scratch, { recursive: true, force: true })
  process.once('exit', remove)
  const promises = new Promises(recording)
  const mails = wholeMails(recording.operations)
  const lost: LostState[] = []
  let examined = 0
  const waiting = diskStates(recording.operations, seed, states)
  const lane = async (): Promise<void> => {
    for (const { number, after, survival, content } of waiting) {
      if (only !== undefined && number !== only) continue
      // Each state gets its own path, so that nothing cached for one file is used for another.
      const disk = path.join(scratch, `state-${number}`)
      putOnDisk(disk, content, new Random(seed + number))
      const findings = await examineState(disk, {
        ...{ recording, program, wholeMails: mails },
        promised: promises.by(after),
        thoroughly: number % THOROUGH_EVERY === 0,
      })
      if (findings.length > 0) lost.push({ number, survival: survival.name, findings })
      rmSync(disk, { recursive: true, force: true })
      examined++
      order.onProgress?.(examined)
      if (lost.length >= enough) break
    }
  }
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, lane))
  } finally {
    process.off('exit', remove)
    remove()
  }
  return { examined, lost }
}

const SHARED_MEMORY = 32 * 1024

/** Writes the content to a folder. Shared memory is never synced, so it may hold anything. */
const putOnDisk = (folder: string, content: DiskContent, random: Random): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, bytes] of content) {
    const file = path.join(folder, name)
    if (bytes === undefined) mkdirSync(file, { mode: 0o700 })
    else writeFileSync(file, isVolatile(name) ? garbage(random) : bytes, { mode: 0o600 })
  }
}

const garbage = (random: Random): Uint8Array => {
  const byte = random.whole(0, 255)
  return new Uint8Array(random.pick([0, 3, SHARED_MEMORY])).fill(byte)
}
