import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { usageError } from '../../cli-error.ts'
import { cannotRead } from '../../input-file.ts'
import { importSource } from '../import-source.ts'
import type { ForeignFormat, ForeignKind } from './foreign-formats.ts'
import { zipEntries } from './zip-entries.ts'

/** One CSV file of another service's. */
interface ForeignPart {
  /** Its name in the archive; undefined if it is the file that was named. */
  readonly name: string | undefined
  readonly kind: ForeignKind
  readonly open: () => AsyncIterable<Uint8Array>
}

const KIND = /(?:^|[^a-z])(cleaned|nonsubscribed|subscribed|unsubscribed)_(?!sms)/i

/** Which service a file of this name is of; undefined if the name does not say it. */
export const kindByName = (name: string): ForeignKind | undefined =>
  KIND.exec(basename(name))?.[1]?.toLowerCase() as ForeignKind

// What macOS puts beside each file of an archive that is packed again, and contacts that have a telephone number only.
const NOT_ADDRESSES = /(?:^|\/)(?:\._|[^/]*_sms_)[^/]*$/i

/** Who left comes first: of two rows of one address, that one counts. */
const ORDER: readonly ForeignKind[] = ['unsubscribed', 'cleaned', 'nonsubscribed', 'subscribed']

/**
 * The files to import: the one that was named, or those in an archive.
 * @throws {CliError} it cannot be read, or does not say which people it holds
 */
export const foreignParts = async (
  path: string,
  format: ForeignFormat,
  { stdin, signal }: { readonly stdin: Readable; readonly signal: AbortSignal },
): Promise<readonly ForeignPart[]> => {
  const isArchive = /\.zip$/i.test(path)
  if (isArchive && !format.kindInName)
    throw usageError(
      `${format.label} exports a CSV file, and '${path}' is an archive. Unpack it, and import the file in it.`,
    )
  if (!format.kindInName)
    return [{ name: undefined, kind: 'subscribed', open: () => importSource(path, stdin, signal) }]
  if (isArchive) return await partsOfArchive(path, format, signal)
  const kind = kindByName(path)
  if (kind === undefined) {
    if (path !== '-')
      await stat(path).catch((error: unknown) => {
        throw cannotRead(path, error)
      })
    throw usageError(
      `The name of the file does not say which contacts it holds. Give the ZIP archive of ${format.label}, or a file by its name there, such as subscribed_email_audience_export.csv.`,
    )
  }
  return [{ name: undefined, kind, open: () => importSource(path, stdin, signal) }]
}

const partsOfArchive = async (
  path: string,
  { label }: ForeignFormat,
  signal: AbortSignal,
): Promise<readonly ForeignPart[]> => {
  const parts: ForeignPart[] = []
  for (const { name, open } of await zipEntries(path)) {
    if (!/\.csv$/i.test(name) || NOT_ADDRESSES.test(name)) continue
    const kind = kindByName(name)
    if (kind === undefined)
      throw usageError(
        `The name of '${name}' in '${path}' does not say which contacts it holds. Give the archive as it came, or unpack it, and import each file by its name there.`,
      )
    if (parts.some((part) => part.kind === kind))
      throw usageError(
        `There are several audiences in '${path}'. Unpack it, and import the files of one after the other, each audience to its feed.`,
      )
    parts.push({ name, kind, open: () => unpacking(path, open, signal) })
  }
  if (parts.length > 0) return parts.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
  throw usageError(`There is no export of an audience in '${path}'. Give the ZIP archive of ${label} as it came.`)
}

async function* unpacking(path: string, open: () => Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, open())
  } catch (error) {
    const broken = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw broken ? usageError(`'${path}' is damaged. Export it again.`, { cause: error }) : cannotRead(path, error)
  }
}
