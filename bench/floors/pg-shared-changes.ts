// The limit of changes of users on PostgreSQL: node:http and pg alone, with the statements of the service, in
// transactions that requests share; answered after the commit. No token is required, but what the service asks about the
// user of a token is asked, at most once at a time. As the service does, it has PostgreSQL make plans once, and find rows
// by their indexes, however young the database is.
// Arguments: port, URL of a database with the tables of the service.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import pg from 'pg'

const [, , port = '', url = ''] = process.argv
const MOST = 64
const MOST_BATCHES = 2
const pool = new pg.Pool({
  connectionString: url,
  options: '-c enable_seqscan=off -c jit=off',
  max: 10,
  pipeline: true,
} as pg.PoolConfig)

type Value = unknown[] | string | number
let named = 0
const statement = (text: string) => {
  const name = `floor_${++named}`
  return (client: pg.PoolClient, ...values: Value[]) =>
    client.query<unknown[]>({ name, text, values, rowMode: 'array' })
}
const locking = (take: string) =>
  statement(`SELECT pg_current_xact_id()::text, count(${take}(hashtextextended(key COLLATE "C", 0))),
      CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END,
      set_config('plan_cache_mode', 'force_generic_plan', true)
    FROM unnest($1::text[]) AS key`)
const arrays = (types: string) =>
  [...types].map((type, index) => `$${index + 1}::${type === 't' ? 'text' : 'bigint'}[]`).join(', ')

const BEGIN = statement('BEGIN')
const COMMIT = statement('COMMIT')
const LOCK = locking('pg_advisory_xact_lock')
const SHARE = locking('pg_advisory_xact_lock_shared')
const STATUS = statement(`SELECT EXISTS (SELECT 1 FROM identity WHERE id = $1 AND deleted_at IS NOT NULL) AS deleted,
    EXISTS (SELECT 1 FROM revoked_token WHERE jti = $2) AS revoked, roles, tokens_not_before, suspended_at
  FROM (SELECT 1) AS one LEFT JOIN user_account ON id = $3`)
const USERS = statement(`SELECT seq, id, email, email_key, name, roles, created_at, updated_at, tokens_not_before,
    suspended_at, (SELECT count(*) FROM access_token WHERE subject = user_account.id),
    id IN (SELECT subject FROM console_session UNION ALL SELECT subject FROM login_link)
  FROM user_account WHERE id = ANY ($1::text[]) FOR UPDATE`)
const GRAVE = 'id, deleted_at, audit, erases_at, subscriptions_kept, users, roles, subscriptions, mails, tokens'
const GRAVES = statement(`SELECT ${GRAVE} FROM identity WHERE id = ANY ($1::text[]) FOR UPDATE`)
const EMAILS = statement('SELECT email_key FROM user_account WHERE email_key = ANY ($1::text[])')
const FEEDS =
  statement(`SELECT seq, name, title, description, language, sender_name, sender_address, wordings, return_urls,
    confirmed_url, open, deleting_since, created_at, updated_at, home_url, fields, remind_after
  FROM feed WHERE seq > 0 ORDER BY seq LIMIT 201`)
const CANDIDATES =
  statement(`SELECT seq, id, feed, email, address_key, address, name, locale, status, episode, created_at,
    confirmed_at, ended_at, expires_at, last_mail, preferences_mail, fields
  FROM subscription WHERE id = ANY ($1::bigint[]) FOR UPDATE`)
const SETTLED = statement('SELECT fingerprint FROM displaced_subscription_id WHERE fingerprint = ANY ($1::text[])')
const RECORD = `id, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count,
  roles_hash`
const RECORD_IDS = statement("SELECT nextval('audit_record_id_seq') FROM generate_series(1, $1::integer)")
const ERASE = statement('DELETE FROM user_account WHERE id = ANY ($1::text[])')
const ADD = statement(`WITH added AS (
    INSERT INTO user_account (id, email, email_key, name, roles, terms, created_at, updated_at)
      SELECT * FROM unnest(${arrays('ttttttbb')}) RETURNING id, seq)
  INSERT INTO user_role SELECT seq, 'auditor' FROM added`)
const APPEND = statement(`INSERT INTO audit_record (${RECORD})
  SELECT * FROM unnest(${arrays('bbtttttttttbt')})`)
const BURY = statement(`INSERT INTO identity (${GRAVE})
  SELECT * FROM unnest(${arrays('tbbbbbbbbb')}) ON CONFLICT (id) DO UPDATE SET audit = excluded.audit`)
const EVENTS = statement(`INSERT INTO event (type, subject, at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])`)

interface Unit {
  readonly id: string
  /** Of a PUT. */
  readonly email: string | undefined
  readonly response: ServerResponse
}

const columns = (width: number, rows: readonly unknown[][]): unknown[][] =>
  Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null))
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const unawaited = (sent: Promise<unknown>): void => void sent.catch(() => undefined)

const lookForSubscriptions = async (client: pg.PoolClient, emails: readonly unknown[]): Promise<void> => {
  unawaited(SHARE(client, ['feeds']))
  await FEEDS(client)
  const prints = emails.map((email) => sha256(`default ${email}`))
  const ids = prints.map((print) => Number.parseInt(print.slice(0, 13), 16))
  unawaited(LOCK(client, ids.map((id) => `subscription ${id}`).sort()))
  await Promise.all([CANDIDATES(client, ids), SETTLED(client, prints)])
}

const work = async (client: pg.PoolClient, units: readonly Unit[]): Promise<void> => {
  unawaited(BEGIN(client))
  const ids = units.map(({ id }) => id)
  unawaited(LOCK(client, ids.map((id) => `user ${id}`).sort()))
  const [{ rows: found }, , { rows: drawn }] = await Promise.all([
    USERS(client, ids),
    GRAVES(client, ids),
    RECORD_IDS(client, ids.length),
  ])
  const known = new Map(found.map((row) => [row[1], row]))
  const erased = units.filter(({ id, email }) => email === undefined && known.has(id))
  const added = units.filter(({ email }) => email !== undefined)
  await Promise.all([
    ...(erased.length > 0
      ? [
          lookForSubscriptions(
            client,
            erased.map(({ id }) => known.get(id)?.[3]),
          ),
        ]
      : []),
    ...(added.length > 0
      ? [
          EMAILS(
            client,
            added.map(({ email = '' }) => email),
          ),
        ]
      : []),
  ])
  const at = Date.now()
  const record = (action: string, id: string): unknown[] => {
    const [recordId] = drawn.pop() ?? []
    const roles = action === 'user.put' ? sha256(`${id} auditor`) : null
    return [recordId, at, 'me', 'token', 'x', 'http', randomUUID(), action, id, 'done', null, 1, roles]
  }
  const graves = erased.map(({ id }) => ({ id, record: record('user.delete', id) }))
  const records = [...graves.map((grave) => grave.record), ...added.map(({ id }) => record('user.put', id))]
  if (erased.length > 0) {
    unawaited(
      ERASE(
        client,
        erased.map(({ id }) => id),
      ),
    )
    unawaited(
      BURY(
        client,
        ...columns(
          10,
          graves.map((grave) => [grave.id, at, grave.record[0], null, 0, 1, 1, 0, 0, 0]),
        ),
      ),
    )
  }
  if (added.length > 0) {
    const rows = added.map(({ id, email }) => [
      id,
      email,
      email,
      'Brian Smith',
      '["auditor"]',
      JSON.stringify([id, email, 'example.com', 'brian', 'smith']),
      at,
      at,
    ])
    unawaited(ADD(client, ...columns(8, rows)))
  }
  unawaited(APPEND(client, ...columns(13, records)))
  const subjects = [...erased, ...added]
  unawaited(
    EVENTS(
      client,
      subjects.map(({ email }) => (email === undefined ? 'user.deleted' : 'user.created')),
      subjects.map(({ id }) => id),
      subjects.map(() => at),
    ),
  )
  const { command } = await COMMIT(client)
  if (command !== 'COMMIT') throw new Error('a transaction was undone')
  for (const { id, email, response } of units) {
    response.statusCode = email === undefined ? (known.has(id) ? 204 : 404) : 201
    response.end()
  }
}

let waiting: Unit[] = []
let batches = 0
const wake = (): void => {
  if (batches >= MOST_BATCHES || waiting.length === 0) return
  batches++
  setImmediate(async () => {
    const units = waiting.slice(0, MOST)
    waiting = waiting.slice(MOST)
    if (units.length > 0) {
      const client = await pool.connect()
      try {
        await work(client, units)
        client.release()
      } catch (error) {
        process.stderr.write(`${error}\n`)
        client.release(true)
        for (const { response } of units) response.writeHead(503).end()
      }
    }
    batches--
    wake()
  })
}

let asking: Promise<unknown> = Promise.resolve()
let asked: Promise<unknown> | undefined
/** Resolves when it was asked once more about the user of the token; those who come meanwhile wait for the next time. */
const status = (): Promise<unknown> => {
  asked ??= asking.then(nextTurnOfTheLoop).then(async () => {
    asked = undefined
    const client = await pool.connect()
    const answered = STATUS(client, 'me', 'x', 'me').finally(() => client.release())
    asking = answered.catch(() => undefined)
    await answered
  })
  return asked
}

const enqueue = async (unit: Unit): Promise<void> => {
  await status()
  waiting.push(unit)
  wake()
}

createServer((request, response) => {
  const id = (request.url ?? '').slice('/users/'.length)
  if (request.method === 'DELETE') return void enqueue({ id, email: undefined, response })
  if (request.method !== 'PUT') return void response.end()
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text
  })
  request.on('end', () => enqueue({ id, email: JSON.parse(body).email, response }))
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
