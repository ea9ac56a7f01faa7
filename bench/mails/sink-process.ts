// An SMTP server that accepts everything, fast enough not to be the bottleneck.
// Argument: `keep`, or `read` to tell the links in mails as well, or `hang-up` to end each connection after its first mail,
// or `silent` to never answer.
// Prints its port; then, for every line that comes in, one line of JSON: how many mails it took in all, and the last of
// them when; and when each one was begun (MAIL FROM) since the last line, in milliseconds since 1970.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

const behavior = process.argv[2]
let taken = 0
let takenAt = 0
let begun: { to: string; at: number }[] = []
let links: { to: string; token: string }[] = []

const now = (): number => performance.timeOrigin + performance.now()

const answers = (socket: Socket): ((line: string) => string | undefined) => {
  let inData = false
  let at = 0
  let to = ''
  let text = ''
  return (line) => {
    if (inData) {
      // A dot that begins a line is doubled on the way.
      if (behavior === 'read') text += `${line.replace(/^\.\./, '.')}\r\n`
      if (line !== '.') return undefined
      inData = false
      taken++
      takenAt = now()
      // As mails are encoded: long lines are broken by a `=` at their end.
      const token = /\/confirm\/([0-9a-g.]+)/.exec(text.replaceAll('=\r\n', ''))?.[1]
      if (token !== undefined) links.push({ to, token })
      text = ''
      if (behavior === 'hang-up') setImmediate(() => socket.end())
      return '250 2.0.0 taken'
    }
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'MAIL') at = now()
    if (verb === 'RCPT') {
      to = line.slice(line.indexOf('<') + 1, line.lastIndexOf('>'))
      begun.push({ to, at })
    }
    if (verb === 'QUIT') socket.end()
    inData = verb === 'DATA'
    return inData ? '354 go on' : verb === 'EHLO' ? '250-sink\r\n250 8BITMIME' : '250 2.0.0 yes'
  }
}

const server = createServer((socket) => {
  // The service may be killed in the middle of a mail.
  socket.on('error', () => undefined)
  if (behavior === 'silent') return
  socket.setNoDelay(true).setEncoding('latin1')
  const answer = answers(socket)
  let rest = ''
  socket.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\r\n')
    rest = lines.pop() ?? ''
    const said = lines.map(answer).filter((words) => words !== undefined)
    if (said.length > 0) socket.write(`${said.join('\r\n')}\r\n`)
  })
  socket.write('220 sink ESMTP\r\n')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
for await (const _ of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify({ taken, takenAt, begun, links })}\n`)
  begun = []
  links = []
}
process.exit()
