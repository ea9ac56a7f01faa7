import { columnsText, type FieldNames, fieldNamesText } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import { serverError } from '../service/server-error.ts'
import type { Service } from '../service/service.ts'
import { FileChanged } from './import-source.ts'
import { RecordEnds } from './record-ends.ts'

export interface FileToSend {
  readonly format: string
  readonly body: AsyncIterable<Uint8Array>
  readonly names?: FieldNames | undefined
  readonly ignored?: readonly string[] | undefined
  readonly dryRun: boolean
  /** Further parameters of the operation. */
  readonly more?: object
}

interface Sending {
  /** Ends the file after a whole record. */
  readonly signal: AbortSignal
  readonly onProgress: (progress: { readonly rows: number }) => void
}

/** What asks as little as can be by the right to the same records. */
const FIRST = {
  importSubscriptions: 'listSubscriptions',
  importSuppressions: 'listSuppressions',
  importUsers: 'listUsers',
} as const

const RUN_AGAIN = 'Interrupted. Run the same command again to go on where it stopped.'

/** What a person who interrupted an import sees. */
export const AFTER_INTERRUPTION = {
  importSubscriptions: RUN_AGAIN,
  importSuppressions: RUN_AGAIN,
  // Run again, it would refuse the users that it has added.
  importUsers: 'Interrupted. What was added stays.',
} as const

/** The report of an import, which comes while the file is sent: a line for each refused row, and the summary as the last. */
export async function* sendFile<Line extends object>(
  service: Service,
  operation: keyof typeof FIRST,
  { format, body, names, ignored, dryRun, more }: FileToSend,
  sending: Sending,
): AsyncGenerator<Line> {
  // A file can be sent once: before, the service has to take the token, and to be ready.
  await service.ask(FIRST[operation], { limit: 1 })
  const part = new PartOfFile(body, format, sending)
  const told = { map: fieldNamesText(names), ignore: columnsText(ignored), dry_run: dryRun || undefined }
  const file = format === 'csv' ? { csv: part.bytes() } : { ndjson: part.bytes() }
  let isWhole = false
  try {
    const send = service.client[operation] as (params: object) => AsyncIterable<unknown>
    const report = send({ ...more, ...told, body: file }) as AsyncIterable<Line>
    for await (const line of report) {
      isWhole = !('line' in line)
      yield isWhole && part.isCut ? { ...line, interrupted: true } : line
    }
  } catch (error) {
    if (sending.signal.aborted) throw interrupted(AFTER_INTERRUPTION[operation])
    // What kept the file from being read is more than that its connection broke off.
    throw part.failure ?? error
  }
  if (!isWhole) throw serverError('UnexpectedAnswer', 'The report broke off, and is incomplete: run the command again.')
}

/** A record may be longer; a file that is stopped within it breaks off, and does not end. */
const MOST_HELD = 1024 * 1024

/** A file, up to a whole record once the signal comes, or something else writes to it. */
class PartOfFile {
  readonly #body: AsyncIterable<Uint8Array>
  readonly #ends: RecordEnds
  readonly #sending: Sending
  isCut = false
  /** What kept it from being read. */
  failure: unknown

  constructor(body: AsyncIterable<Uint8Array>, format: string, sending: Sending) {
    this.#body = body
    this.#ends = new RecordEnds(format)
    this.#sending = sending
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    const { signal, onProgress } = this.#sending
    let held: Uint8Array = new Uint8Array()
    let isWithin = false
    try {
      for await (const piece of this.#body) {
        const whole = this.#ends.take(piece)
        if (whole > 0) yield Buffer.concat([held, piece.subarray(0, whole)])
        held = whole > 0 ? piece.subarray(whole) : Buffer.concat([held, piece])
        isWithin &&= whole === 0
        if (held.length > MOST_HELD) {
          yield held
          held = new Uint8Array()
          isWithin = true
        }
        onProgress({ rows: this.#ends.records })
        this.isCut = signal.aborted
        // Of half a row, another person's address may be left.
        if (this.isCut && isWithin) throw new Error('The file was stopped within a record.')
        if (this.isCut) return
      }
    } catch (error) {
      this.isCut = signal.aborted || error instanceof FileChanged
      if (this.isCut && !isWithin) return
      this.failure = error
      throw error
    }
    if (held.length > 0) yield held
  }
}
