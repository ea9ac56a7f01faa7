import type { Command } from 'commander'
import { progressOf } from '../progress.ts'
import type { Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { counted, visibleLines } from '../texts.ts'
import { WholeFile } from '../whole-file.ts'

export interface Destination {
  readonly output?: string
  readonly replace?: boolean
}

interface Writing {
  /** What one of the records is. */
  readonly noun: string
  /** The text of the file, piece by piece. */
  readonly open: (service: Service, onProgress: (records: number) => void) => Promise<AsyncIterable<string>>
}

/** Of every command that writes records. */
export const withDestination = (command: Command): Command =>
  command
    .option('--output <file>', 'write to this file')
    .option('--replace', 'in place of an earlier file of this name, once the new one is whole')

/** Writes records to a file, or to standard output. */
export const writeRecords = async (
  session: Session,
  { output, replace = false }: Destination,
  { noun, open }: Writing,
): Promise<void> => {
  await session.requireForeign(output)
  const file = output === undefined ? undefined : await WholeFile.begin(output, replace)
  const onTerminal = file === undefined && session.stdout.width !== undefined
  const progress = onTerminal ? undefined : progressOf(session, { doing: 'Exporting', total: undefined })
  let count = 0
  const onProgress = (records: number): void => {
    count = records
    progress?.reach(count)
  }
  try {
    await session.withService(async (service) => {
      for await (const text of await open(service, onProgress)) {
        session.throwIfInterrupted()
        if (file !== undefined) await file.write(text)
        else await session.stdout.write(onTerminal ? visibleLines(text) : text)
        if (session.stdout.closed) break
      }
    })
  } catch (error) {
    await file?.discard()
    throw error
  } finally {
    progress?.stop()
  }
  if (file === undefined) return
  await file.finish()
  await session.answer({ file: output, rows: count }, `Wrote ${counted(count, noun)} to ${output}.`)
}
