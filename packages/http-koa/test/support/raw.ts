import { once } from 'node:events'
import net from 'node:net'

const PATIENCE = 600_000

/**
 * Sends bytes as they are, several pieces one after another, and resolves with everything that came back once the
 * server has closed. Requests therefore say `Connection: close`, unless the server is to close by itself.
 */
export const raw = (port: number, bytes: string | Buffer | readonly (string | Buffer)[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    const chunks: Buffer[] = []
    const pieces = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : [...bytes]
    const giveUp = setTimeout(() => {
      socket.destroy()
      reject(new Error(`not closed in ${PATIENCE} ms; came so far: ${Buffer.concat(chunks).toString('latin1')}`))
    }, PATIENCE)
    const sendNext = (): void => {
      const piece = pieces.shift()
      if (piece === undefined || socket.destroyed) return
      socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece, () => setTimeout(sendNext, 5))
    }
    socket.once('connect', sendNext)
    socket.on('data', (chunk) => chunks.push(chunk))
    // A server that stops reading may reset the connection while we still write; its answer counts.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(giveUp)
      resolve(Buffer.concat(chunks).toString('latin1'))
    })
  })

/** A connection that breaks without an error of the test. */
export const openSocket = async (port: number, allowHalfOpen = false): Promise<net.Socket> => {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen })
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  return socket
}

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** The answers in a stream of them; each must have a Content-Length, or no body. */
export const answersIn = (stream: string): RawAnswer[] => {
  const answers: RawAnswer[] = []
  let rest = stream
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no whole answer in ${JSON.stringify(rest)}`)
    const head = rest.slice(0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    answers.push({ status: Number(head.split(' ')[1]), head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
