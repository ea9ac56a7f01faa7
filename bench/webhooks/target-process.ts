// A target of events that takes each one after a time.
// Argument: milliseconds. Prints its port; then, for every line that comes in, one line of JSON: how many events it took in
// all, how many of them came again, and how many were on their way at once at most.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

const delay = Number(process.argv[2])
const ids = new Set<string>()
let [taken, again, most, now] = [0, 0, 0, 0]

const server = createServer((request, response) => {
  most = Math.max(most, ++now)
  const id = String(request.headers['webhook-id'])
  request.resume().on('end', () =>
    setTimeout(() => {
      now--
      taken++
      if (ids.has(id)) again++
      ids.add(id)
      response.writeHead(204).end()
    }, delay),
  )
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
for await (const _ of createInterface(process.stdin))
  process.stdout.write(`${JSON.stringify({ taken, again, most })}\n`)
process.exit()
