import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { SELF_SIGNED } from './self-signed.ts'

export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly source: Buffer
  readonly session: SMTPServerSession
}

/** A real SMTP server on loopback that keeps what it takes. Offers STARTTLS unless that is disabled. */
export const openSink = async (options: SMTPServerOptions = {}) => {
  const sink = await startSink(options)
  onTestFinished(sink.close)
  return sink
}

/** One for several tests: it takes a tenth of a second before it greets. */
export const startSink = async (options: SMTPServerOptions = {}) => {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    ...SELF_SIGNED,
    authOptional: true,
    disableReverseLookup: true,
    ...options,
    onConnect: (_session, callback) => {
      connections++
      callback()
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        received.push({ from, to: rcptTo.map(({ address }) => address), source: Buffer.concat(chunks), session })
        callback()
      })
    },
  })
  // A client that gives up is what many of these tests are about.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { received, port, url: `smtp://127.0.0.1:${port}`, connections: () => connections, close }
}
