import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Random } from '../random.ts'
import { diskStates } from './disk/disk-states.ts'
import type { DiskContent } from './disk/simulated-disk.ts'
import { examineState } from './examination/examine-state.ts'
import { wholeMails } from './examination/found.ts'
import type { Problem } from './examination/problems.ts'
import { Promises } from './examination/promises.ts'
import { isVolatile } from './recording/operations.ts'
import type { Recording } from './recording/recording.ts'

interface PowerLossOrder {
  readonly recording: Recording
  /** The same seed gives the same states. */
  readonly seed: number
  readonly states: number
  /** Only this one of them. */
  readonly only?: number | undefined
  /** Stop after so many bad states. */
  readonly enough?: number | undefined
  /** Created for each state and removed after it. */
  readonly scratch: string
  readonly onProgress?: ((examined: number) => void) | undefined
}

/** A state of the disk with which a promise is broken. */
export interface LostState {
  readonly number: number
  readonly after: number
  readonly survival: string
  readonly problems: readonly Problem[]
}

interface PowerLossResult {
  readonly examined: number
  readonly lost: readonly LostState[]
  /** How many states there were of each kind of loss. */
  readonly survivals: Readonly<Record<string, number>>
}

const THOROUGH_EVERY = 4

/** Rebuilds what a disk may hold after a power loss, and checks that the service keeps its promises with it. */
export const runPowerLoss = async (order: PowerLossOrder): Promise<PowerLossResult> => {
  const { recording, seed, states, only, scratch, enough = Number.POSITIVE_INFINITY } = order
  const promises = new Promises(recording)
  const mails = wholeMails(recording.operations)
  const lost: LostState[] = []
  const survivals: Record<string, number> = {}
  let examined = 0
  for (const { number, after, survival, content } of diskStates(recording.operations, seed, states)) {
    if (only !== undefined && number !== only) continue
    // Each state gets its own path, so that nothing cached for one file is used for another.
    const disk = path.join(scratch, `state-${number}`)
    putOnDisk(disk, content, new Random(seed + number))
    const thoroughly = number % THOROUGH_EVERY === 0
    const problems = await examineState(disk, {
      recording,
      promised: promises.by(after),
      wholeMails: mails,
      thoroughly,
    })
    if (problems.length > 0) lost.push({ number, after, survival: survival.name, problems })
    rmSync(disk, { recursive: true, force: true })
    survivals[survival.kind] = (survivals[survival.kind] ?? 0) + 1
    examined++
    order.onProgress?.(examined)
    if (lost.length >= enough) break
  }
  return { examined, lost, survivals }
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
