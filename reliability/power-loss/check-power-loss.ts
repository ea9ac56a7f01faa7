import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SourceChange } from '../fault-injection/source-change.ts'
import { recordService } from './recording/record-service.ts'
import { whyNotTraced } from './recording/recorder.ts'
import { type Recording, recordingIn } from './recording/recording.ts'
import { type LostState, runPowerLoss } from './run-power-loss.ts'

const made = new Set<string>()
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A folder that is removed when it is disposed of, or when this process ends, unless it is kept. */
class ScratchFolder implements Disposable {
  readonly path: string
  #kept = false

  /** Below `parent`, which must exist. */
  constructor(parent: string) {
    this.path = mkdtempSync(path.join(parent, 'rollcall-power-loss-'))
    made.add(this.path)
  }

  keep(): void {
    this.#kept = true
    made.delete(this.path)
  }

  [Symbol.dispose](): void {
    if (this.#kept) return
    rmSync(this.path, { recursive: true, force: true })
    made.delete(this.path)
  }
}

export interface PowerLossCheck {
  readonly states: number
  readonly seed: number
  /** Milliseconds of load for each process of the service. */
  readonly durations?: readonly number[] | undefined
  /** How mails are sent; both ways unless given. */
  readonly mails?: readonly Recording['mail'][] | undefined
  readonly changes?: readonly SourceChange[] | undefined
  /** Stop after so many bad states; never unless given. */
  readonly enough?: number | undefined
  /** A kept recording to use instead of a new one; and the only one of its states to examine. */
  readonly recording?: string | undefined
  readonly state?: number | undefined
  readonly log?: ((line: string) => void) | undefined
}

export interface PowerLossFigures {
  readonly mail: Recording['mail']
  readonly seed: number
  readonly operations: number
  readonly syncs: number
  readonly promises: number
  /** How many states were asked for. A short recording may have fewer that differ. */
  readonly wanted: number
  readonly examined: number
  readonly lost: readonly LostState[]
  readonly survivals: Readonly<Record<string, number>>
  readonly seconds: number
  /** The folder of the recording; it is kept if something was lost. */
  readonly kept: string | undefined
}

const DURATIONS = [5_000, 3_000, 2_000]
const MEMORY = '/dev/shm'
const PROGRESS_EVERY = 250

/**
 * Records the service, and examines what a power loss at any moment may leave on its disk.
 * @throws {Error} nothing can be recorded here; the message says what to do
 */
export const checkPowerLoss = async (order: PowerLossCheck): Promise<PowerLossFigures[]> => {
  if (order.recording !== undefined) return [await examine(recordingIn(path.resolve(order.recording)), order)]
  const trouble = whyNotTraced()
  if (trouble !== undefined) throw new Error(trouble)
  const { mails = ['files', 'smtp'] as const, durations = DURATIONS, changes = [] } = order
  const share = Math.ceil(order.states / mails.length)
  const figures: PowerLossFigures[] = []
  for (const [turn, mail] of mails.entries()) {
    using folder = new ScratchFolder(tmpdir())
    const recording = await recordService({ folder: folder.path, mail, durations, changes })
    const found = await examine(recording, { ...order, states: share, seed: order.seed + turn })
    // What is wrong with a changed service is known.
    if (found.lost.length > 0 && changes.length === 0) folder.keep()
    figures.push(found)
  }
  return figures
}

const examine = async (recording: Recording, order: PowerLossCheck): Promise<PowerLossFigures> => {
  const { states, seed, state, enough, log = () => undefined } = order
  const { mail, operations, folder } = recording
  const began = performance.now()
  using scratch = new ScratchFolder(existsSync(MEMORY) ? MEMORY : tmpdir())
  const onProgress = (done: number): void => {
    if (done % PROGRESS_EVERY === 0) log(`mail as ${mail}: ${done} of ${states} states examined`)
  }
  const result = await runPowerLoss({ recording, seed, states, only: state, enough, scratch: scratch.path, onProgress })
  const isOf = (kinds: readonly string[]) => operations.filter(({ kind }) => kinds.includes(kind)).length
  return {
    mail,
    seed,
    operations: isOf(['write', 'resize', 'name', 'unname', 'rename', 'folder']),
    syncs: isOf(['sync']),
    promises: isOf(['answered', 'mailed', 'printed']),
    wanted: states,
    ...result,
    seconds: (performance.now() - began) / 1_000,
    kept: result.lost.length > 0 ? folder : undefined,
  }
}
