import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cores, run } from '../command.ts'
import { openSink } from '../mails/sink.ts'
import { rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'

const FLOOR = path.join(import.meta.dirname, '../floors/pooled-nodemailer.ts')
const BACKLOG = 50_000
const SETTLING = 2_000

interface DeliveryOrder {
  /** A database with its tables and nothing else. */
  readonly url: string
  readonly scratch: string
  readonly cores: Cores
  readonly seconds: number
}

/** Mails a second: nodemailer's own pool with nothing around it, and one instance with a backlog on PostgreSQL. */
export interface Delivery {
  readonly bare: number
  readonly rate: number
}

/** @throws {Error} a mail was lost, or sent twice */
export const measureDelivery = async ({ url, scratch, cores, seconds }: DeliveryOrder): Promise<Delivery> => {
  const client = new pg.Client(url)
  await client.connect()
  const folder = path.join(scratch, 'delivery')
  await mkdir(folder)
  try {
    for (const statement of OWE) await client.query(statement, [BACKLOG, Date.now(), Date.now() + 604_800_000])
    await using sink = await openSink('keep', cores.load)
    const bare = Number(await run(process.execPath, [FLOOR, sink.url, `${seconds}`], undefined))
    const { taken: before } = await sink.look()
    await using server = await Server.start({
      ...(await rollcall(folder, { DATABASE_URL: url, SMTP_URL: sink.url })),
      core: undefined,
    })
    await sleep(SETTLING)
    const [began, { taken: first }] = [performance.now(), await sink.look()]
    await sleep(seconds * 1_000)
    const rate = (((await sink.look()).taken - first) * 1_000) / (performance.now() - began)
    await server.stop('SIGTERM')
    const taken = (await sink.look()).taken - before
    const { rows } = await client.query<{ left: number }>('SELECT count(*)::int AS left FROM outbox')
    if (taken + Number(rows[0]?.left) !== BACKLOG)
      throw new Error(`${taken} mails were taken, ${rows[0]?.left} are left of ${BACKLOG}`)
    return { bare, rate }
  } finally {
    await client.end()
    await rm(folder, { recursive: true })
  }
}

const OWE = [
  `INSERT INTO subscription (id, feed, email, address_key, name, status, episode, created_at, expires_at)
    SELECT n, 'default', 'owed.' || n || '@example.com', 'owed.' || n || '@example.com', '', 'p', md5(n::text),
      $2::bigint, $3::bigint FROM generate_series(1, $1::bigint) AS n`,
  `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, expires_at)
    SELECT 'confirmation', id, md5(email), md5(email) || '@localhost', $2::bigint, $2::bigint, $3::bigint
    FROM subscription ORDER BY id LIMIT $1::bigint`,
]
