import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { usageError } from '../../cli-error.ts'
import { cannotRead } from '../../input-file.ts'

/** A file in a ZIP archive. */
interface ZipEntry {
  /** Its path in the archive. */
  readonly name: string
  /** Its bytes, as they are unpacked. */
  open(): Readable
}

const END = 0x06054b50
const END_LENGTH = 22
const LONGEST_COMMENT = 0xffff
const ENTRY = 0x02014b50
const ENTRY_LENGTH = 46
const LOCAL_LENGTH = 30
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
/** Stands for a number that is elsewhere: the archive is larger than 4 GiB. */
const TOO_LARGE = 0xffffffff
const LARGEST_DIRECTORY = 1024 * 1024

/**
 * The files in an archive, by its directory.
 * @throws {CliError} it is no ZIP archive, or one of a kind that is not read
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export const zipEntries = async (path: string): Promise<readonly ZipEntry[]> => {
  const file = await open(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  try {
    return await entriesOf(file, path)
  } finally {
    await file.close()
  }
}

const entriesOf = async (file: FileHandle, path: string): Promise<readonly ZipEntry[]> => {
  const unreadable = () => usageError(`Cannot read '${path}' as a ZIP archive. Unpack it, and import the files in it.`)
  const { size } = await file.stat()
  const tail = await bytesAt(file, Math.max(0, size - END_LENGTH - LONGEST_COMMENT), END_LENGTH + LONGEST_COMMENT)
  let end = tail.length - END_LENGTH
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--
  if (end < 0) throw unreadable()
  const [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (start === TOO_LARGE || length > LARGEST_DIRECTORY) throw unreadable()
  const directory = await bytesAt(file, start, length)
  const entries: ZipEntry[] = []
  for (let at = 0; at + ENTRY_LENGTH <= directory.length && directory.readUInt32LE(at) === ENTRY; ) {
    const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)]
    const [packed, local] = [directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)]
    const name = directory.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + directory.readUInt16LE(at + 28))
    at +=
      ENTRY_LENGTH + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    if (name.endsWith('/')) continue
    const head = await bytesAt(file, local, LOCAL_LENGTH)
    const isReadable = (method === STORED || method === DEFLATED) && (flags & ENCRYPTED) === 0 && packed !== TOO_LARGE
    if (!isReadable || head.length < LOCAL_LENGTH) throw unreadable()
    const first = local + LOCAL_LENGTH + head.readUInt16LE(26) + head.readUInt16LE(28)
    entries.push({ name, open: () => unpacked(path, first, packed, method === DEFLATED) })
  }
  return entries
}

const bytesAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const unpacked = (path: string, start: number, length: number, deflated: boolean): Readable => {
  // The end is the last byte that is read: an empty file has none.
  const bytes = length === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + length - 1 })
  // What fails comes out of the last stream.
  return deflated ? pipeline(bytes, createInflateRaw(), () => undefined) : bytes
}
