import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { tokenIn } from '../shared/mailbox.ts'
import { Relay } from '../shared/relay.ts'
import type { ReceiverOrder } from './receivers.ts'

const order: ReceiverOrder = workerData
const now = (): number => performance.timeOrigin + performance.now()
let [count, firstAt, lastAt] = [0, 0, 0]
let links: { to: string; token: string }[] = []

const took = (): void => {
  lastAt = now()
  if (count++ === 0) firstAt = lastAt
}

const target = (delay: number): Server =>
  createServer(async (request, response) => {
    request.resume()
    if (delay > 0) await sleep(delay)
    took()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')

if (order.kind === 'relay') {
  const relay = await Relay.open(({ to, text }) => {
    took()
    const token = order.readsLinks ? tokenIn(text, 'confirm') : undefined
    if (token !== undefined) links.push({ to, token })
  })
  parentPort?.postMessage(relay.port)
} else {
  const server = target(order.delay)
  server.once('listening', () => parentPort?.postMessage((server.address() as AddressInfo).port))
}
parentPort?.on('message', () => {
  parentPort?.postMessage({ count, firstAt, lastAt, links })
  links = []
})
