import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

const MEGABYTE = 1024 * 1024
const PLAIN = Buffer.alloc(16 * MEGABYTE, 'a')
// The largest window there is: 16 MiB for a body of some fifty bytes.
const WIDE = { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 5 } }
const MOST_MORE = 50 * MEGABYTE

/** As the kernel counts it, so that no peak is missed. */
const resident = (pid: number, which: 'VmRSS' | 'VmHWM'): number =>
  1024 * Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const connected = async (port: number): Promise<net.Socket> => {
  const socket = net.connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  return socket
}

const answered = async (socket: net.Socket, request: Buffer): Promise<string> => {
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  socket.on('error', () => socket.destroy())
  socket.write(request)
  await once(socket, 'close')
  return text.split(' ')[1] ?? ''
}

// Only Linux keeps the peak.
describe.skipIf(process.platform !== 'linux')('compressed bodies that are large once they are not', () => {
  it.each([
    // Fewer than of the others: were they decompressed, these would already take more than a gigabyte.
    ['br', 100, brotliCompressSync(PLAIN, WIDE), ['404', '415']],
    ['gzip', 500, gzipSync(PLAIN), ['404', '413']],
    ['deflate', 500, deflateSync(PLAIN), ['404', '413']],
  ] as const)('take less than 50 MB, many at once: %s', async (coding, count, bytes, statuses) => {
    for (const [index, path] of ['/confirm/x', '/subscribe'].entries()) {
      // A service for each: what the first has left in the heap must not count for the second.
      await using home = await Home.make()
      const { child } = await home.serveUnwatched()
      const pid = child.pid ?? 0
      const sockets = await Promise.all(Array.from({ length: count }, () => connected(home.port)))
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`
      const framing = `Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`
      const request = Buffer.concat([Buffer.from(head + framing), bytes])
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      const before = resident(pid, 'VmRSS')
      const found = await Promise.all(sockets.map((socket) => answered(socket, request)))
      expect(resident(pid, 'VmHWM') - before).toBeLessThan(MOST_MORE)
      expect([path, ...new Set(found)]).toEqual([path, statuses[index]])
    }
  })
})
