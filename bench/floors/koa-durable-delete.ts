// The limit of a durable, audited deletion: the statements that it cannot do without, in transactions that requests
// share. No token is required.
import { createHash } from 'node:crypto'
import Router from '@koa/router'
import Koa from 'koa'
import { distinct } from '../traffic.ts'
import { GroupCommit, openDurable } from './group-commit.ts'
import { listen } from './listen.ts'

const [, , , file = '', users = '0'] = process.argv
const database = openDurable(
  file,
  `CREATE TABLE users (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE user_roles (user INTEGER NOT NULL, role TEXT NOT NULL, PRIMARY KEY (user, role)) STRICT, WITHOUT ROWID;
   CREATE TABLE tombstones (id TEXT PRIMARY KEY, deleted_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE audit (
     sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL,
     outcome TEXT NOT NULL, hash TEXT NOT NULL
   ) STRICT;`,
)
seed(Number(users))
const deleteUser = database.prepare<[string], number>('DELETE FROM users WHERE id = ? RETURNING number').pluck()
const deleteRoles = database.prepare('DELETE FROM user_roles WHERE user = ?')
const insertTombstone = database.prepare('INSERT INTO tombstones VALUES (?, ?)')
const insertAudit = database.prepare("INSERT INTO audit VALUES (?, ?, 'me', 'user.delete', ?, 'done', ?)")
const groupCommit = new GroupCommit(database)

let last = { sequence: 0, hash: '' }

const router = new Router()
router.delete('/users/:userId', async (ctx) => {
  const id = ctx.params.userId ?? ''
  await groupCommit.run(() => {
    const number = deleteUser.get(id)
    if (number === undefined) throw new Error('there is no such user')
    deleteRoles.run(number)
    const now = Date.now()
    insertTombstone.run(id, now)
    const sequence = last.sequence + 1
    const hash = createHash('sha256').update(`${last.hash} ${sequence} ${now} me user.delete ${id} done`).digest('hex')
    insertAudit.run(sequence, now, id, hash)
    last = { sequence, hash }
  })
  ctx.status = 204
})
listen(new Koa().use(router.routes()).callback())

function seed(count: number): void {
  const insertUser = database.prepare('INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insertRole = database.prepare("INSERT INTO user_roles VALUES (?, 'member')")
  database.exec('BEGIN')
  for (let number = 0; number < count; number++) {
    const email = `user.${distinct(number)}@example.com`
    insertUser.run(number, `user-${distinct(number)}`, email, email, 'Brian Smith', number, number)
    insertRole.run(number)
  }
  database.exec('COMMIT')
  database.pragma('wal_checkpoint(TRUNCATE)')
}
