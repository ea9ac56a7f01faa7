import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import pg from 'pg'
import { runCommand, understood, whole } from '../command.ts'
import { Relay } from '../relay/relay.ts'
import { Client } from '../service/client.ts'
import { fromSource, Home, Service } from '../service/service.ts'
import { PostgresStore, somePostgres } from '../stores/postgres-store.ts'

interface OutboxOrder {
  readonly entries: number
  readonly workers: number
  /** How many entries a worker has claimed that is killed before the others start. */
  readonly orphans: number
  readonly onProgress: (text: string) => void
}

interface OutboxFigures {
  /** Of the server. */
  readonly version: string
  readonly delivered: number
  readonly lost: number
  /** Taken by a second worker while the first one's lease ran. */
  readonly claimedTwice: number
  readonly sentTwice: number
  readonly parked: number
  /** Seconds from the kill until the last orphan was delivered. */
  readonly takenOverIn: number
  /** Mails a second of all workers, from the first mail to the last one that was not an orphan. */
  readonly rate: number
}

const LONGEST = 3_600_000
const SECRET = 'a secret that all of these workers have in common'

/** Several services deliver one outbox, a part of which a killed worker had claimed. */
const runOutbox = async ({ entries, workers, orphans, onProgress }: OutboxOrder): Promise<OutboxFigures> => {
  const server = await somePostgres()
  const sent = new Map<string, number>()
  let sentTwice = 0
  const times: number[] = []
  const services: Service[] = []
  const homes: Home[] = []
  try {
    await using store = await PostgresStore.make(server.url)
    await using relay = await Relay.open(({ messageId, acceptedAt }) => {
      const id = messageId.replace(/[<>]/g, '')
      if (sent.has(id)) sentTwice++
      sent.set(id, acceptedAt)
      times.push(acceptedAt)
    })
    const shared = await Home.make({ DATABASE_URL: `${store.url}?pool=5`, SECRET, SMTP_URL: relay.url })
    homes.push(shared)
    await runRollcall(shared, 'migrate')
    await using client = await connect(store.url)
    await addPendingMails(client, entries)
    const { held, killedAt } = await holdAndDie(store.url, orphans)
    for (let n = 0; n < workers; n++) {
      const home = await Home.make({
        ...{ DATABASE_URL: `${store.url}?pool=5`, SECRET, SMTP_URL: relay.url },
        DATA_DIR: shared.data,
      })
      homes.push(home)
      const service = Service.start(fromSource(), home, 'serve')
      services.push(service)
      if (!(await service.ready(new Client(home.port)))) throw new Error(`a worker did not start: ${service.stderr}`)
    }
    const end = Date.now() + LONGEST
    for (let left = entries; left > 0; left = await countLeft(client)) {
      if (Date.now() > end) throw new Error(`${left} entries were left after an hour`)
      onProgress(`${sent.size.toLocaleString('en-US')} of ${entries.toLocaleString('en-US')} mails`)
      await sleep(500)
    }
    const robberies = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM robbery')
    const facts = await client.query<{ version: string; parked: number }>(
      "SELECT current_setting('server_version') AS version, (SELECT count(*)::int FROM outbox) AS parked",
    )
    return {
      version: facts.rows[0]?.version ?? '',
      delivered: sent.size,
      lost: entries - sent.size,
      claimedTwice: robberies.rows[0]?.count ?? 0,
      sentTwice,
      parked: facts.rows[0]?.parked ?? 0,
      takenOverIn: Math.max(0, ...held.map((id) => ((sent.get(id) ?? Number.POSITIVE_INFINITY) - killedAt) / 1_000)),
      rate: rateOf(times, entries - orphans),
    }
  } finally {
    for (const service of services) await service.kill()
    for (const home of homes) await home[Symbol.asyncDispose]()
    await server.stop()
  }
}

const rateOf = (times: readonly number[], count: number): number => {
  const [first = 0, last = 0] = [times[0], times[Math.min(count, times.length) - 1]]
  return (Math.min(count, times.length) * 1_000) / Math.max(1, last - first)
}

const countLeft = async (client: pg.Client): Promise<number> => {
  const query = 'SELECT count(*)::int AS count FROM outbox WHERE parked_at IS NULL'
  return (await client.query<{ count: number }>(query)).rows[0]?.count ?? 0
}

const connect = async (url: string): Promise<pg.Client & AsyncDisposable> => {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

const runRollcall = async (home: Home, ...args: string[]): Promise<void> => {
  const command = Service.start(fromSource(), home, ...args)
  const { code } = await command.ended
  if (code !== 0) throw new Error(`\`rollcall ${args.join(' ')}\` failed: ${command.stderr}`)
}

const holdAndDie = async (url: string, count: number): Promise<{ held: string[]; killedAt: number }> => {
  if (count === 0) return { held: [], killedAt: performance.now() }
  const program = path.join(import.meta.dirname, 'claim-and-hold.ts')
  const child = spawn(process.execPath, [program, url, `${count}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { held: JSON.parse(String(line)), killedAt: performance.now() }
}

/**
 * Puts so many confirmations into the outbox, each to an address of its own, and adds a trigger that records every
 * entry that is claimed while another worker's lease runs.
 */
const addPendingMails = async (client: Pick<pg.Client, 'query'>, count: number): Promise<void> => {
  for (const statement of WATCH) await client.query(statement)
  await client.query(SUBSCRIPTIONS, [count, Date.now(), Date.now() + 7 * 86_400_000])
  await client.query(MAILS, [Date.now(), Date.now() + 7 * 86_400_000])
  await client.query('ANALYZE')
}

const SUBSCRIPTIONS = `INSERT INTO subscription (id, feed, email, address_key, address, name, terms, status, episode, created_at, expires_at)
  SELECT n, 'default', 'owed.' || n || '@' || (n % 997) || '.example', 'owed.' || n || '@' || (n % 997) || '.example',
    md5(n::text), '', '[]', 'p', md5(n::text), $2::bigint, $3::bigint
  FROM generate_series(1, $1::bigint) AS n`
const MAILS = `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, expires_at)
  SELECT 'confirmation', id, md5(email), md5(email) || '@outbox.example', $1::bigint, $1::bigint, $2::bigint
  FROM subscription ORDER BY id`

// The database itself records it, whatever the workers believe.
const WATCH = [
  'CREATE TABLE robbery (entry bigint, robbed text, robber text)',
  `CREATE FUNCTION watch_leases() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.leased_until > extract(epoch FROM clock_timestamp()) * 1000 THEN
        INSERT INTO robbery VALUES (OLD.id, OLD.owner, NEW.owner);
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER watch_leases BEFORE UPDATE OF owner ON outbox FOR EACH ROW
    WHEN (OLD.owner IS NOT NULL AND NEW.owner IS NOT NULL AND OLD.owner <> NEW.owner) EXECUTE FUNCTION watch_leases()`,
]

const USAGE = `Usage: npm run check:outbox -- [options]

Lets several workers deliver one outbox on PostgreSQL, each in its own process, and take over the mails of a killed one.
Exits with 3 if a mail was lost, claimed twice or sent twice, or an orphan waited too long.

  --entries <n>  mails (default: 100,000)
  --workers <n>  processes (default: 8)
  --orphans <n>  mails that a killed worker has claimed (default: 100)
  --json         print the figures as JSON
  --help         print this help
`
const OPTIONS = {
  entries: { type: 'string', default: '100000' },
  workers: { type: 'string', default: '8' },
  orphans: { type: 'string', default: '100' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']
const FOUND = 3
/** Seconds until the entries of a killed worker must be delivered. */
const TAKEN_OVER_WITHIN = 60

await runCommand('check:outbox', async (args) => {
  const { help, json, ...values } = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (help) {
    process.stdout.write(USAGE)
    return 0
  }
  const entries = whole('entries', values.entries)
  const workers = whole('workers', values.workers)
  const orphans = whole('orphans', values.orphans)
  const onProgress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}`)
  }
  const figures = await runOutbox({ entries, workers, orphans, onProgress })
  const { version, delivered, lost, claimedTwice, sentTwice, parked, takenOverIn, rate } = figures
  const good = lost + claimedTwice + sentTwice + parked === 0 && takenOverIn <= TAKEN_OVER_WITHIN
  const lines = [
    `${delivered.toLocaleString('en-US')} mails by ${workers} workers on PostgreSQL ${version}, ${Math.round(rate)} a second`,
    `lost ${lost}, claimed twice ${claimedTwice}, sent twice ${sentTwice}, parked ${parked}`,
    `${orphans} orphans of a killed worker were delivered within ${takenOverIn.toFixed(1)} s (limit: ${TAKEN_OVER_WITHIN})`,
    good ? 'reached' : 'NOT reached',
  ]
  process.stdout.write(json ? `${JSON.stringify(figures)}\n` : `${lines.join('\n')}\n`)
  return good ? 0 : FOUND
})
