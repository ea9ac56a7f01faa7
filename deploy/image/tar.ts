import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** What one path of a layer is. Owned by root, and of the year 1970, unless it says otherwise. */
export interface Entry {
  /** Without a slash at its beginning, with one at its end if it is a folder. */
  readonly name: string
  readonly mode: number
  readonly content?: Uint8Array
  readonly link?: string
  readonly owner?: number
}

export interface Blob {
  readonly digest: string
  readonly bytes: Uint8Array
}

export interface Layer extends Blob {
  /** Of what is in it, before it was compressed. */
  readonly diffId: string
}

const BLOCK = 512
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export const blobOf = (bytes: Uint8Array): Blob => ({ digest: digestOf(bytes), bytes })

export const jsonBlob = (value: unknown): Blob => blobOf(Buffer.from(JSON.stringify(value)))

/** The same entries make the same bytes: in the order of their names, without a time, by the format of POSIX 1988. */
export const tarOf = (entries: readonly Entry[]): Buffer => {
  const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const parts = sorted.flatMap((entry) => {
    const { content = Buffer.alloc(0) } = entry
    return [headerOf(entry, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

/** Compressed without a name or a time in its head. */
export const layerOf = async (entries: readonly Entry[]): Promise<Layer> => {
  const tar = tarOf(entries)
  return { ...blobOf(await compress(tar, { level: 6 })), diffId: digestOf(tar) }
}

const FILE = '0'
const LINK = '2'
const FOLDER = '5'

const headerOf = (entry: Entry, size: number): Buffer => {
  const { name, mode, link, owner = 0 } = entry
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  const [prefix, rest] = split(name)
  header.write(rest, 0)
  octal(mode, 100, 8)
  octal(owner, 108, 8)
  octal(owner, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  header.write(' '.repeat(8), 148)
  header.write(link !== undefined ? LINK : name.endsWith('/') ? FOLDER : FILE, 156)
  if (link !== undefined) header.write(link, 157)
  header.write('ustar\u000000', 257, 'latin1')
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** A name of more than 100 bytes is in two fields. */
const split = (name: string): [prefix: string, rest: string] => {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(rest) <= 100 && rest !== '') return [prefix, rest]
  }
  throw new Error(`${name} is too long for a layer.`)
}
