import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The columns of the only row, all as text; what is thrown is the server's error. */
type Answer = (text: string) => Readonly<Record<string, string>>

const PROCESS = 4711
const READY = 'I'

/** A message as PostgreSQL's protocol has it. */
const message = (type: string, ...parts: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}

const [TEXT, BOOLEAN] = [25, 16]

const rowOf = (row: Readonly<Record<string, string>>): Buffer[] => {
  const names = Object.keys(row)
  const fields = names.flatMap((name) => [
    name,
    ...[int(0, 4), int(0, 2), int(row[name] === 't' ? BOOLEAN : TEXT, 4), int(-1, 2), int(-1, 4), int(0, 2)],
  ])
  const values = Object.values(row).flatMap((value) => [int(Buffer.byteLength(value), 4), Buffer.from(value)])
  return [
    message('T', int(names.length, 2), ...fields),
    message('D', int(names.length, 2), ...values),
    message('C', 'SELECT 1'),
  ]
}

/** A server that speaks PostgreSQL's protocol and is another engine. */
export class OtherEngine {
  readonly url: string

  private constructor(port: number) {
    this.url = `postgres://root@127.0.0.1:${port}/defaultdb?sslmode=disable`
  }

  static async open(answer: Answer): Promise<OtherEngine> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      serve(socket, answer)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return new OtherEngine((server.address() as { port: number }).port)
  }
}

const ready = (): Buffer => message('Z', Buffer.from(READY))

/** Startup, then one statement after another. */
const serve = (socket: Socket, answer: Answer): void => {
  let received = Buffer.alloc(0)
  let isStarted = false
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const start = isStarted ? 1 : 0
      if (received.length < start + 4) return
      const length = start + received.readInt32BE(start)
      if (received.length < length) return
      const [type, body] = [received.toString('latin1', 0, start), received.toString('utf8', start + 4, length - 1)]
      received = received.subarray(length)
      if (!isStarted) {
        isStarted = true
        socket.write(Buffer.concat([message('R', int(0, 4)), message('K', int(PROCESS, 4), int(1, 4)), ready()]))
      } else if (type === 'Q') socket.write(Buffer.concat([...answerTo(body, answer), ready()]))
      else if (type === 'X') socket.end()
    }
  })
}

const answerTo = (text: string, answer: Answer): Buffer[] => {
  try {
    return rowOf(answer(text))
  } catch (error) {
    const fields = ['SERROR', 'C42704', `M${error instanceof Error ? error.message : error}`]
    return [message('E', ...fields, Buffer.from([0]))]
  }
}
