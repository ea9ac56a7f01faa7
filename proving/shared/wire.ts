import { once } from 'node:events'
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly token?: string | undefined
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Buffer
  /** The address of this machine from which it is asked. */
  readonly from?: string | undefined
  readonly agent?: Agent | false
}

/** Milliseconds after which no answer is expected any more. */
const PATIENCE = 60_000

const bodyOf = ({ form, json, body }: Asking): { readonly type?: string; readonly bytes?: Buffer } => {
  if (form !== undefined)
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(new URLSearchParams(form).toString()) }
  if (json !== undefined) return { type: 'application/json', bytes: Buffer.from(JSON.stringify(json)) }
  return body === undefined ? {} : { bytes: Buffer.from(body) }
}

/**
 * `line` is a method and a path. Over a connection of its own unless an agent is given.
 * @throws {Error} there was no complete answer
 */
export const ask = (port: number, line: string, asking: Asking = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const [method = '', path = ''] = line.split(' ')
    const { type, bytes } = bodyOf(asking)
    const headers: Record<string, string | string[]> = {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(bytes === undefined ? {} : { 'Content-Length': `${bytes.length}` }),
      ...(asking.token === undefined ? {} : { Authorization: `Bearer ${asking.token}` }),
      ...asking.headers,
    }
    const from = asking.from === undefined ? {} : { localAddress: asking.from }
    const signal = AbortSignal.timeout(PATIENCE)
    const options = { host: '127.0.0.1', port, method, path, agent: asking.agent ?? false, headers, signal, ...from }
    const asked = httpRequest(options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        body += piece
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    asked.on('error', reject).end(bytes)
  })

/** Milliseconds until a fresh client has its answer. */
export const livenessOf = async (port: number): Promise<number> => {
  const began = performance.now()
  await ask(port, 'GET /livez')
  return performance.now() - began
}

/** A connection to a local port. What goes wrong with it later only closes it; that the other side ends does not. */
export const opened = async (port: number, { allowHalfOpen = false } = {}): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen })
  await once(socket, 'connect')
  // Hostile connections are reset; that is an answer, too.
  socket.on('error', () => socket.destroy())
  return socket
}

export const openedMany = (port: number, count: number, settings = {}): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => opened(port, settings)))

/** The bytes of a request, head and body; to `localhost`, unless its fields name the host. */
export const request = (line: string, fields: readonly string[] = [], body: Buffer | string = ''): Buffer => {
  const bytes = Buffer.from(body)
  const framing = bytes.length > 0 || /^(?:POST|PUT|PATCH) /.test(line) ? [`Content-Length: ${bytes.length}`] : []
  const host = fields.some((field) => /^host:/i.test(field)) ? [] : ['Host: localhost']
  return Buffer.concat([Buffer.from([`${line} HTTP/1.1`, ...host, ...fields, ...framing, '', ''].join('\r\n')), bytes])
}

export const formRequest = (path: string, fields: Readonly<Record<string, string>>): Buffer =>
  request(`POST ${path}`, ['Content-Type: application/x-www-form-urlencoded'], new URLSearchParams(fields).toString())

interface Timed {
  readonly status: number
  readonly milliseconds: number
}

/** A client that asks one thing after the other, as fast as can be, over one connection; opened again if it is closed. */
export class KeptConnection {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Until the first bytes of the answer. The answers are short, or to HEAD: each comes in one piece. */
  async ask(bytes: Buffer): Promise<Timed> {
    if (this.#socket === undefined || this.#socket.destroyed || this.#socket.readableEnded)
      this.#socket = await opened(this.#port)
    const socket = this.#socket
    return await new Promise((resolve) => {
      const began = performance.now()
      const finish = (piece?: Buffer): void => {
        const milliseconds = performance.now() - began
        socket.off('data', finish).off('close', closed)
        const head = piece?.toString('latin1') ?? ''
        // The next request must not meet a connection that is about to close.
        if (/^connection: close\r$/im.test(head)) socket.destroy()
        resolve({ status: Number(head.split(' ')[1] ?? 0), milliseconds })
      }
      const closed = (): void => finish()
      socket.on('data', finish).on('close', closed)
      socket.write(bytes)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }
}
