// Arguments: the address of a relay, and seconds. Sends a mail as large as ours, again and again, over nodemailer's own
// pool, with as many connections as ours. Prints how many it sent a second.
import { createTransport } from 'nodemailer'

const CONNECTIONS = 10
const WARM_UP = 1_000
const paragraph = 'Someone, probably you, asked to subscribe this address to “Weekly news”. Is that right?\r\n'

const [url = '', seconds = '1'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const pool = createTransport({ pool: true, maxConnections: CONNECTIONS, host: hostname, port: Number(port) })
let sent = 0
let over = false
const work = async (): Promise<void> => {
  while (!over) {
    const to = `floor.${sent}@example.com`
    await pool.sendMail({
      from: { name: 'Rollcall', address: 'no-reply@example.com' },
      to,
      subject: 'Please confirm: Weekly news',
      text: paragraph.repeat(8),
      html: `<!doctype html><html lang="en"><body>${`<p>${paragraph}</p>\r\n`.repeat(50)}</body></html>`,
    })
    sent++
  }
}
const workers = Array.from({ length: CONNECTIONS }, work)
await new Promise((resolve) => setTimeout(resolve, WARM_UP))
const [first, began] = [sent, performance.now()]
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000))
process.stdout.write(`${((sent - first) * 1_000) / (performance.now() - began)}\n`)
over = true
await Promise.all(workers)
pool.close()
