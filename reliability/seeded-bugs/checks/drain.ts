import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Check } from './check.ts'
import { Stage } from './stage.ts'

const BODY = 'email=person%40example.com'
const HEAD = [
  'POST /subscribe HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${BODY.length}`,
  '\r\n',
].join('\r\n')
/** Milliseconds: for the service to see what it was sent. */
const MOMENT = 200

/** SIGTERM comes while a request is on its way: it must be answered, and the service must end well. */
export const drain: Check = async ({ plantings }) => {
  await using stage = await Stage.set({ plantings })
  const service = await stage.start()
  const socket = connect(stage.home.port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  // A connection that is reset is what this is about: then there is no answer.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(HEAD + BODY.slice(0, 5))
  await sleep(MOMENT)
  service.signal('SIGTERM')
  await sleep(MOMENT)
  if (!socket.destroyed) socket.write(BODY.slice(5))
  const { code, signal } = await service.ended
  socket.destroy()
  if (!answer.startsWith('HTTP/1.1 200 ')) return `a request that was on its way is answered ${answer.split('\r\n', 1)}`
  return code === 0 ? undefined : `SIGTERM ended the service with ${signal ?? code}`
}
