import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'

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

/** A request, head and body; to `localhost`, unless its fields name the host. */
export const request = (line: string, fields: readonly string[] = [], body: Buffer | string = ''): Buffer => {
  const bytes = Buffer.from(body)
  const framing = bytes.length > 0 || /^(?:POST|PUT|PATCH) /.test(line) ? [`Content-Length: ${bytes.length}`] : []
  const host = fields.some((field) => /^host:/i.test(field)) ? [] : ['Host: localhost']
  return Buffer.concat([Buffer.from([`${line} HTTP/1.1`, ...host, ...fields, ...framing, '', ''].join('\r\n')), bytes])
}

/** The answer on a connection that the service closes after it, up to so many characters; empty where none came. */
const answerOn = async (socket: Socket, bytes: Buffer, most: number): Promise<string> => {
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text = (text + piece).slice(0, most)
  })
  socket.write(bytes)
  if (!socket.closed) await once(socket, 'close')
  return text
}

/** The status of the answer on a connection that the service closes after it; 0 where no answer came. */
export const statusOf = async (socket: Socket, bytes: Buffer): Promise<number> =>
  Number(/^HTTP\/1\.1 (\d{3}) /.exec(await answerOn(socket, bytes, 64))?.[1] ?? 0)

/** The status of one request on a connection of its own. */
export const askOnce = async (port: number, line: string, fields: readonly string[] = [], body: Buffer | string = '') =>
  await statusOf(await opened(port), request(line, [...fields, 'Connection: close'], body))

/** @throws {Error} one request is answered otherwise, so that what is to be attacked would not be reached */
export const requireStatus = async (expected: number, port: number, line: string, fields: readonly string[] = []) => {
  const status = await askOnce(port, line, fields)
  if (status !== expected) throw new Error(`${line} was answered with ${status} instead of ${expected}`)
}

/**
 * The answer to one request on a connection of its own, head and body.
 * @throws {Error} none came
 */
export const answerOnce = async (port: number, line: string, fields: readonly string[], body: string) => {
  const answer = await answerOn(await opened(port), request(line, [...fields, 'Connection: close'], body), 4096)
  if (answer === '') throw new Error(`${line} was not answered`)
  return answer
}

/** Milliseconds until a fresh client has its answer. */
export const livenessOf = (url: string): Promise<number> => {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const asked = get(`${url}/livez`, { agent: false }, (response) =>
      response.resume().on('end', () => resolve(performance.now() - began)),
    )
    asked.on('error', reject)
  })
}
