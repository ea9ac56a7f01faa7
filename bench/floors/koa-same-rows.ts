// The fair limit of a durable sign-up: the reads, the rows, the indexes and the settings of a real one, in transactions
// that requests share, answered once on disk. The file is a database as `rollcall migrate` leaves it.
import { hash, randomBytes } from 'node:crypto'
import Router from '@koa/router'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { GroupCommit, openDurable } from './group-commit.ts'
import { listen, PENDING } from './listen.ts'

const database = openDurable(process.argv[3] ?? '', '')
for (const setting of [
  'secure_delete = ON',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  'temp_store = 2',
  'mmap_size = 0',
  'cache_size = -16384',
  'wal_autocheckpoint = 16000',
])
  database.pragma(setting)

const COLUMNS =
  'id, feed, email, address_key, address, name, terms, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail, preferences_mail, fields'
const find = database.prepare(`SELECT seq, ${COLUMNS} FROM subscription WHERE id = ?`)
const findSuppression = database.prepare(
  'SELECT seq, address, cause, since, block, block_since FROM suppression WHERE address IN (?)',
)
const findMail = database.prepare('SELECT * FROM outbox WHERE id = ?')
const findMailCap = database.prepare('SELECT slots FROM mail_cap WHERE address = ?')
const findLastConsent = database.prepare('SELECT * FROM consent WHERE subscription = +? ORDER BY n DESC LIMIT 1')
const insertMail = database.prepare(
  `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, expires_at)
    VALUES ('confirmation', ?, ?, ?, ?, ?, ?)`,
)
const insertSubscription = database.prepare(
  `INSERT INTO subscription (${COLUMNS}) VALUES (?, 'default', ?, ?, ?, ?, ?, NULL, 'p', ?, ?, NULL, NULL, ?, ?, NULL, NULL)`,
)
const insertConsent = database.prepare(
  `INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count)
    VALUES (?, 1, ?, 'requested', 'form', '127.0.0.0/24', NULL, 'double-opt-in/1', NULL, 1)`,
)
const insertEvent = database.prepare(
  "INSERT INTO event (type, subject, at, feed, trace_context) VALUES ('subscription.pending', ?, ?, 'default', NULL)",
)
const groupCommit = new GroupCommit(database)

const WEEK = 604_800_000

const signUp = async (name: string, email: string): Promise<number> => {
  const id = Number.parseInt(hash('sha256', `default ${email}`).slice(0, 13), 16)
  const address = hash('sha256', email).slice(0, 32)
  const now = Date.now()
  await groupCommit.run(() => {
    if (find.get(id) !== undefined || findSuppression.all(address).length > 0) throw new Error('known already')
    // Asked for every address, known or not, so that the time of an answer tells nothing.
    if (
      findMail.get(-id) !== undefined ||
      findMailCap.get(address) !== undefined ||
      findLastConsent.get(-1) !== undefined
    )
      throw new Error('mailed already')
    const messageId = `${id.toString(36)}.${randomBytes(12).toString('hex')}@localhost`
    const mail = insertMail.run(id, address, messageId, now, now, now + WEEK).lastInsertRowid
    const terms = JSON.stringify([email, 'example.com'])
    const episode = randomBytes(8).toString('hex')
    const row = insertSubscription.run(
      id,
      email,
      email,
      address,
      name,
      terms,
      episode,
      now,
      now + WEEK,
      mail,
    ).lastInsertRowid
    insertConsent.run(row, now)
    insertEvent.run(String(id), now)
  })
  return id
}

const router = new Router()
router.post('/subscribe', async (ctx) => {
  const { name, email } = ctx.request.body as { name: string; email: string }
  const id = await signUp(name, email)
  ctx.body = { ...PENDING, subscription: { ...PENDING.subscription, name, email, id } }
})
listen(new Koa().use(bodyParser()).use(router.routes()).callback())
