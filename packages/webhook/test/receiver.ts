import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SELF_SIGNED } from './self-signed.ts'

export interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Record<string, string>
  readonly body: string
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end()

/** A target on a local port: records what it receives, and answers as configured. */
export const openReceiver = async ({ secure = false, host = '127.0.0.1' } = {}) => {
  const received: Received[] = []
  const answers: Answer[] = []
  let usual: Answer = status(204)
  const listener: RequestListener = async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, headers: headers as Record<string, string>, body: await text(request) })
    const answer = answers.shift() ?? usual
    answer(response, request)
  }
  const server = secure ? createSecureServer(SELF_SIGNED, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${secure ? 'https' : 'http'}://${host}:${port}/hooks?of=shop`,
    received,
    /** Each is given once, in their order. */
    answerNext: (...next: Answer[]) => {
      answers.push(...next)
    },
    answerAll: (all: Answer) => {
      usual = all
    },
    server,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>
