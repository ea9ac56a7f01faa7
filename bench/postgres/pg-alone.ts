// The limit of a plain driver: BEGIN, the inserts of a sign-up, COMMIT, on ten connections at once.
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'

const [url = '', seconds = '10', warmup = '3'] = process.argv.slice(2)
const CONNECTIONS = 10

const prepared = (name: string, text: string) => (values: unknown[]) => ({ name, text, values })
const insertSubscription = prepared(
  'subscription',
  `INSERT INTO subscription (id, feed, email, address_key, address, name, terms, status, episode, created_at, expires_at, last_mail)
    VALUES ($1, 'default', $2, $2, md5($2), $3, json_build_array($2::text, 'example.com'), 'p', $4, $5, $6, $7) RETURNING seq`,
)
const insertMail = prepared(
  'mail',
  `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, expires_at)
    VALUES ('confirmation', $1, $2, $3, $4, $4, $5) RETURNING id`,
)
const insertConsent = prepared(
  'consent',
  `INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, count)
    VALUES ($1, 1, $2, 'requested', 'form', '127.0.0.0', 'bench', '0', 1)`,
)
// Positions of their own; the cost of numbering without gaps is not part of this floor.
const insertEvent = prepared(
  'event',
  "INSERT INTO event (position, type, subject, at) VALUES ($1, 'subscription.pending', $2, $3)",
)

let done = 0

const work = async (client: pg.Client, first: number, until: () => boolean): Promise<void> => {
  for (let n = first; !until(); n += CONNECTIONS) {
    const now = Date.now()
    const email = `person.${n.toString(36)}@example.com`
    const hash = createHash('sha256').update(email).digest('hex')
    const id = Number.parseInt(hash.slice(0, 13), 16)
    await client.query('BEGIN')
    const mail = await client.query<{ id: string }>(
      insertMail([id, hash.slice(0, 32), `${randomBytes(12).toString('hex')}@localhost`, now, now + 604_800_000]),
    )
    const { rows } = await client.query<{ seq: string }>(
      insertSubscription([id, email, 'Brian Smith', hash.slice(0, 16), now, now + 604_800_000, mail.rows[0]?.id]),
    )
    await client.query(insertConsent([rows[0]?.seq, now]))
    await client.query(insertEvent([n + 1, `${id}`, now]))
    await client.query('COMMIT')
    done++
  }
}

const clients = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    const client = new pg.Client(url)
    await client.connect()
    return client
  }),
)
let over = false
const running = clients.map((client, index) => work(client, index, () => over))
const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
await after(Number(warmup) * 1_000)
const [before, began] = [done, performance.now()]
await after(Number(seconds) * 1_000)
const rate = ((done - before) * 1_000) / (performance.now() - began)
over = true
await Promise.all(running)
await Promise.all(clients.map((client) => client.end()))
process.stdout.write(`${JSON.stringify({ rate, done })}\n`)
