import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import type { Cores } from '../command.ts'
import { rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import { type Spread, spread } from '../statistics.ts'
import type { Target } from '../targets.ts'

/** A body that is small compressed and large decompressed, or one to compare with. */
interface BodyBomb {
  readonly coding: string
  readonly bytes: Buffer
}

/** The most that one dictionary of brotli may hold, in bits, without its extension for large windows. */
const LARGEST_WINDOW = 24
const MEBIBYTE = 1024 * 1024

/** The largest content that fits into a short body, at the best ratio of each coding. */
const bodyBombs = (): BodyBomb[] => {
  const plain = Buffer.alloc(16 * MEBIBYTE, 'a')
  const brotli = { params: { [constants.BROTLI_PARAM_LGWIN]: LARGEST_WINDOW, [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return [
    { coding: 'identity', bytes: Buffer.from('email=none') },
    { coding: 'br', bytes: brotliCompressSync(plain, brotli) },
    { coding: 'gzip', bytes: gzipSync(plain) },
    { coding: 'deflate', bytes: deflateSync(plain) },
  ]
}

/** What many equal bodies at once cost a service that was just started. */
export interface BombFigures {
  readonly path: string
  readonly coding: string
  /** The growth of its peak resident memory, in bytes. */
  readonly rise: number
  /** Of a processor, all threads, for each body. */
  readonly milliseconds: number
  readonly statuses: Readonly<Record<string, number>>
}

const PATHS = ['/confirm/x', '/refuse/x', '/preferences/x', '/subscribe', '/preferences']
/** At once. */
const BODIES = 500
const MOST_MEGABYTES = 50
const MOST_MILLISECONDS = 5
const MEGABYTE = 1e6

/** @throws {Error} a body was not refused, or not answered */
export const measureBombs = async (scratch: string, { server: core }: Cores): Promise<readonly BombFigures[]> => {
  const figures: BombFigures[] = []
  for (const bomb of bodyBombs())
    for (const target of PATHS) {
      const folder = path.join(scratch, `bombs-${figures.length}`)
      await mkdir(folder)
      figures.push(await figuresOf(folder, core, target, bomb))
    }
  const amiss = figures.find(({ statuses }) => Object.keys(statuses).some((status) => !/^4\d\d$/.test(status)))
  if (amiss !== undefined) throw new Error(`a body was not refused: ${JSON.stringify(amiss)}`)
  return figures
}

const figuresOf = async (
  folder: string,
  core: number | undefined,
  target: string,
  { coding, bytes }: BodyBomb,
): Promise<BombFigures> => {
  await using server = await Server.start({ ...(await rollcall(folder, {})), core })
  const sockets = await Promise.all(Array.from({ length: BODIES }, () => opened(server.url)))
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Encoding: ${coding}`,
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ]
  const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
  const [resident, busy] = [server.residentBytes, server.processorTime.busy]
  const { result: statuses, most } = await server.watchPeak(async () =>
    Promise.all(sockets.map((socket) => statusOf(socket, request))),
  )
  const counts = Object.groupBy(statuses, (status) => status)
  return {
    path: target,
    coding,
    rise: Math.max(0, most - resident),
    milliseconds: ((server.processorTime.busy - busy) * 1_000) / BODIES,
    statuses: Object.fromEntries(Object.entries(counts).map(([status, all]) => [status, all?.length ?? 0])),
  }
}

const opened = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** The status of the answer; empty where no answer came. */
const statusOf = async (socket: Socket, request: Buffer): Promise<string> => {
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  // A body that is refused early may be reset while it is being sent; the answer counts.
  socket.on('error', () => socket.destroy())
  socket.write(request)
  await once(socket, 'close')
  return /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? ''
}

export const bombRows = (
  figures: readonly BombFigures[],
  grouped: (value: number, digits: number) => string,
): string[][] =>
  figures.map(({ path: target, coding, rise, milliseconds, statuses }) => [
    `${coding} to ${target}`,
    grouped(rise / MEGABYTE, 0),
    grouped(milliseconds, 2),
    Object.entries(statuses)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', '),
  ])

export const bombTargets = (figures: readonly BombFigures[]): Target[] => {
  const megabytes = spread(figures.map(({ rise }) => rise / MEGABYTE))
  const milliseconds = spread(figures.map((figure) => figure.milliseconds))
  return [
    worst(`resident memory, ${BODIES} bodies at once`, megabytes, 'MB', MOST_MEGABYTES),
    worst('worst compressed body, processor time', milliseconds, 'ms', MOST_MILLISECONDS),
  ]
}

const worst = (name: string, found: Spread, unit: 'MB' | 'ms', limit: number): Target => ({
  ...{ name, value: found.most, spread: found, unit, limit },
  reached: found.most < limit,
})
