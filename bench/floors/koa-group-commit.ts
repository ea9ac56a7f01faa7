// The limit of a durable sign-up: two inserts a request, in transactions that requests share, answered once on disk.
import { createHash, randomBytes } from 'node:crypto'
import Router from '@koa/router'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { GroupCommit, openDurable } from './group-commit.ts'
import { listen, PENDING } from './listen.ts'

const database = openDurable(
  process.argv[3] ?? '',
  `CREATE TABLE subscriptions (
     id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, token_hash BLOB NOT NULL,
     status TEXT NOT NULL, created_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE outbox (
     id INTEGER PRIMARY KEY, subscription INTEGER NOT NULL, kind TEXT NOT NULL, message_id TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT;`,
)
const insertSubscription = database.prepare(
  "INSERT INTO subscriptions (email, name, token_hash, status, created_at) VALUES (?, ?, ?, 'pending', ?)",
)
const insertMail = database.prepare(
  "INSERT INTO outbox (subscription, kind, message_id, created_at) VALUES (?, 'confirmation', ?, ?)",
)
const groupCommit = new GroupCommit(database)

const router = new Router()
router.post('/subscribe', async (ctx) => {
  const { name, email } = ctx.request.body as { name: string; email: string }
  const token = randomBytes(32)
  const tokenHash = createHash('sha256').update(token).digest('hex')
  const now = Date.now()
  let id = 0
  await groupCommit.run(() => {
    id = Number(insertSubscription.run(email, name, tokenHash, now).lastInsertRowid)
    insertMail.run(id, token.toString('hex', 0, 12), now)
  })
  ctx.body = { ...PENDING, subscription: { ...PENDING.subscription, name, email, id } }
})
listen(new Koa().use(bodyParser()).use(router.routes()).callback())
