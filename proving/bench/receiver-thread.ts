import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { SMTPServer } from 'smtp-server'
import type { ReceiverOrder } from './receivers.ts'

const order: ReceiverOrder = workerData
const now = (): number => performance.timeOrigin + performance.now()
let [count, firstAt, lastAt] = [0, 0, 0]
let links: { to: string; token: string }[] = []

const took = (): void => {
  lastAt = now()
  if (count++ === 0) firstAt = lastAt
}

const relay = (readsLinks: boolean): Server => {
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'], disableReverseLookup: true, logger: false },
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo[0]?.address
      if (readsLinks)
        void text(stream).then((mail) => {
          // As mails are encoded: long lines are broken by a `=` at their end.
          const token = /\/confirm\/([^\s"<>?]+)/.exec(mail.replaceAll('=\r\n', ''))?.[1]
          if (token !== undefined && to !== undefined) links.push({ to, token })
        })
      else stream.resume()
      stream.on('end', () => {
        took()
        done()
      })
    },
  })
  // The service may be killed in the middle of a mail.
  server.on('error', () => undefined)
  return server.listen(0, '127.0.0.1')
}

const target = (delay: number): Server =>
  createServer(async (request, response) => {
    request.resume()
    if (delay > 0) await sleep(delay)
    took()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')

const server = order.kind === 'relay' ? relay(order.readsLinks) : target(order.delay)
server.once('listening', () => parentPort?.postMessage((server.address() as AddressInfo).port))
parentPort?.on('message', () => {
  parentPort?.postMessage({ count, firstAt, lastAt, links })
  links = []
})
