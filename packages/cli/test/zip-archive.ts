import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive of these files, as other programs write it: packed, with a comment at its end. */
export const zipArchive = (files: Readonly<Record<string, string>>): Buffer => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text)
    const facts = Buffer.alloc(22)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(text), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(Buffer.byteLength(text), 18)
    const lengths = Buffer.alloc(4)
    lengths.writeUInt16LE(Buffer.byteLength(name))
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, lengths, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const version = Buffer.alloc(2)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), version, facts, lengths, rest, Buffer.from(name)]))
    bodies.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  const comment = Buffer.from('made by a test')
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...bodies, entries, Buffer.from('PK\x05\x06'), end, comment])
}
