// Prints its port, then how many mails it has taken whenever a line comes in.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { SMTPServer } from 'smtp-server'

let taken = 0
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData: (stream, _session, done) => {
    stream.resume().on('end', () => {
      taken++
      done()
    })
  },
})
// A service that is killed in the middle of a mail.
server.on('error', () => undefined)
const listening = server.listen(0, '127.0.0.1')
await once(listening, 'listening')
process.stdout.write(`${(listening.address() as AddressInfo).port}\n`)
for await (const _ of createInterface(process.stdin)) process.stdout.write(`${taken}\n`)
process.exit()
