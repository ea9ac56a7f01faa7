// Measures what pipelined requests and hostile header fields cost a service that was just started, and prints it as
// JSON. Run it with: node scripts/pinned-node.cjs bench/attacks/measure-pipelining.ts [beside|unread|fields]
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'

const MEGABYTE = 1e6
const WRITE = 61 * 1024
const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost:x\r\n\r\n'
const QUIET = 300
const WARM = 200
const LASTS = 3_000

const open = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Milliseconds until the process says that it is alive, on a connection of its own. */
const liveness = (url: string): Promise<number> => {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const asked = get(`${url}/livez`, { agent: false }, (response) =>
      response.resume().on('end', () => resolve(performance.now() - began)),
    )
    asked.on('error', reject)
  })
}

interface Attack {
  readonly url: string
  readonly connections: number
  readonly request: string
}

/** Writes many requests on each connection at once, and reads the answers. Runs in a thread of its own. */
const attack = async ({ url, connections, request }: Attack): Promise<void> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const bytes = request.repeat(Math.floor(WRITE / request.length))
  for (const socket of sockets) {
    socket.resume()
    socket.write(bytes)
  }
}

/** The longest wait for `/livez` beside an attack. */
const beside = async (url: string, connections: number, request: string): Promise<object> => {
  for (let i = 0; i < WARM; i++) await liveness(url)
  const workerData: Attack = { url, connections, request }
  const worker = new Worker(new URL(import.meta.url), { workerData })
  const waits: number[] = []
  const end = performance.now() + LASTS
  while (performance.now() < end || waits.length === 0) {
    waits.push(await liveness(url))
    await sleep(5)
  }
  await worker.terminate()
  await sleep(QUIET)
  waits.sort((a, b) => a - b)
  return { connections, median: waits[waits.length >> 1], most: waits.at(-1), asked: waits.length }
}

/** The growth of resident memory while the connections leave answers unread. */
const unread = async (server: Server, connections: number, requests: number): Promise<object> => {
  const before = server.residentBytes
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(server.url)))
  const { most } = await server.watchPeak(async () => {
    for (const socket of sockets) {
      socket.pause()
      socket.write(DOCUMENT.repeat(requests))
    }
    await sleep(LASTS)
  })
  for (const socket of sockets) socket.destroy()
  await sleep(QUIET)
  return { connections, requests, before: before / MEGABYTE, most: most / MEGABYTE }
}

/** Milliseconds of a processor for each of some equal requests, one after another. */
const cost = async (server: Server, name: string, request: string): Promise<object> => {
  const times = 300
  const socket = await open(server.url)
  let statuses = ''
  const ask = async (): Promise<void> => {
    socket.write(request)
    const [piece] = (await once(socket, 'data')) as [Buffer]
    statuses = piece.toString('latin1', 9, 12)
  }
  for (let i = 0; i < times; i++) await ask()
  const { busy } = server.processorTime
  for (let i = 0; i < times; i++) await ask()
  const milliseconds = ((server.processorTime.busy - busy) * 1_000) / times
  socket.destroy()
  return { name, status: statuses, milliseconds }
}

const head = (line: string, ...fields: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', ...fields, '', ''].join('\r\n')

const LONG = 15_000
const HOSTILE: Readonly<Record<string, string>> = {
  'no field': 'X: x',
  'Accept with commas in a quoted parameter': `Accept: text/html;a="${','.repeat(LONG)}"`,
  'Accept with many types': `Accept: ${'text/a,'.repeat(LONG / 7)}text/html`,
  'Accept with semicolons': `Accept: text/html${';a'.repeat(LONG / 2)}`,
  'Accept-Language with many tags': `Accept: text/html\r\nAccept-Language: ${'a-b-c-d,'.repeat(LONG / 8)}en`,
  'X-Forwarded-For with many addresses': `X-Forwarded-For: ${'1,'.repeat(LONG / 2)}1.2.3.4`,
  'If-None-Match with many tags': `If-None-Match: ${'"",'.repeat(LONG / 3)}"a"`,
  'If-Match with many tags': `If-Match: ${'"",'.repeat(LONG / 3)}"a"`,
  'Cache-Control with spaces': `Cache-Control: ${', '.repeat(LONG / 2)}a`,
  'many fields': 'a:\r\n'.repeat(LONG / 4).trim(),
}

const PAGE = 'GET /subscribe HTTP/1.1\r\nHost:x\r\nAccept:text/html\r\n\r\n'

const print = (found: object): void => {
  process.stdout.write(`${JSON.stringify(found)}\n`)
}

/** Each part, with the settings of its service. */
const PARTS = {
  beside: async ({ url }: Server) => {
    print(await beside(url, 0, DOCUMENT))
    print(await beside(url, 1, DOCUMENT))
    print(await beside(url, 10, DOCUMENT))
    print(await beside(url, 10, PAGE))
  },
  unread: async (server: Server) => print(await unread(server, 200, 50)),
  'unread, many': async (server: Server) => print(await unread(server, 200, 1_600)),
  fields: async (server: Server) => {
    for (const [name, field] of Object.entries(HOSTILE)) {
      print(await cost(server, `${name}, sign-up page`, head('HEAD /subscribe', field)))
      print(await cost(server, `${name}, document`, head('HEAD /openapi.json', field)))
      print(await cost(server, `${name}, refused for its rate`, head('POST /preferences', field, 'Content-Length: 0')))
    }
  },
}

const measure = async (): Promise<void> => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'pipelining-'))
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (!name.startsWith(process.argv[2] ?? '')) continue
      const settings: Record<string, string> = name === 'fields' ? { RATE_LIMIT: '3/1h', TRUST_PROXY: '1' } : {}
      await using server = await Server.start({ ...(await rollcall(scratch, settings)), core: undefined })
      await part(server)
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

await (isMainThread ? measure() : attack(workerData))
