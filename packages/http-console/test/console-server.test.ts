import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createConsoleServer, SHIPPED_TEXTS } from '../src/index.ts'
import { type OpenConsole, openConsole } from './support/open-console.ts'

let at: OpenConsole
let server: ReturnType<typeof createConsoleServer>
let host: string
beforeEach(async () => {
  at = await openConsole()
  server = createConsoleServer(at.options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await at.close()
})

/** Sends these lines, and takes what comes until the connection closes. */
const send = async (...lines: readonly string[]): Promise<string> => {
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1')
  socket.write([...lines, '', ''].join('\r\n'))
  return await text(socket)
}

const { errors } = SHIPPED_TEXTS

describe('what the server answers by itself', () => {
  it('says what to do, and closes the connection', async () => {
    const own = [`Host: ${host}`, 'Connection: close']
    const found: Readonly<Record<string, readonly [status: number, message: string, ...lines: string[]]>> = {
      'no request': [400, errors.MalformedRequest, 'GARBAGE'],
      'a long address': [431, errors.HeadersTooLarge, `GET /?${'x'.repeat(20_000)} HTTP/1.1`, ...own],
      'an expectation': [417, errors.ExpectationFailed, 'GET / HTTP/1.1', 'Expect: foo', ...own],
      'a tunnel': [405, errors.MethodNotAllowed, 'CONNECT evil.example:443 HTTP/1.1', ...own],
      'no host': [400, 'Send one Host header field', 'GET / HTTP/1.1', 'Connection: close'],
      'two hosts': [400, 'Send one Host header field', 'GET / HTTP/1.1', `Host: ${host}`, ...own],
    }
    for (const [what, [status, message, ...lines]] of Object.entries(found)) {
      const answer = await send(...lines)
      expect(answer, what).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer, what).toContain(message)
      expect(answer, what).toContain('Connection: close')
    }
  })
})
