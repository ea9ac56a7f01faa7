import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  backupSqlite,
  NOTHING_WITHDRAWN,
  openSqliteStorage,
  type RestoreOrder,
  restoreSqlite,
  verifyBackup,
} from '../src/sqlite/index.ts'
import { startChild } from './child-process.ts'
import { filledDatabase } from './data-migration/filled-database.ts'
import { lookAt, newDatabase, newFolder, openStorage } from './temporary-storage.ts'

const FILES = [{ name: 'secret', content: 'a secret' }]
const NOTHING = () => NOTHING_WITHDRAWN

const STRANGER = 65_534

/** Root makes it another's; anyone else becomes another. */
const strangersLink = (target: string, file: string): void => {
  symlinkSync(target, file)
  if (process.geteuid?.() === 0) lchownSync(file, STRANGER, STRANGER)
  else {
    const self = vi.spyOn(process, 'geteuid').mockReturnValue(STRANGER)
    onTestFinished(() => self.mockRestore())
  }
}

/** A database with a backup of it. */
const backedUp = async (rows = 20) => {
  const file = await filledDatabase(rows)
  // Whoever is there was not deleted.
  lookAt(file, (database) => database.exec('DELETE FROM identity; DELETE FROM held_user'))
  const to = path.join(newFolder(), 'rollcall.db')
  const backup = await backupSqlite({ file, to, replace: false, files: FILES })
  return { file, to, backup }
}

const query = (file: string, sql: string) => lookAt(file, (database) => database.prepare(sql).pluck().all())
const change = (file: string, sql: string) => lookAt(file, (database) => database.exec(sql))
/** As a backup of the first release, which has no digest, with other rows. */
const changeBackup = (backup: string, sql: string) => change(backup, `DROP TABLE IF EXISTS backup_digest; ${sql}`)

const USERS = 'SELECT name FROM user_account ORDER BY id'
const ERASURES = 'SELECT count, cleaned FROM erasure'

const ENTRY =
  'at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, roles_hash'
const GRAVE = 'id, deleted_at, audit, erases_at, users, roles, subscriptions, mails, subscriptions_kept, tokens'
const APPEND = `INSERT INTO audit_record (sequence, ${ENTRY}) SELECT 21, ${ENTRY} FROM audit_record WHERE sequence = 1;
  INSERT INTO audit_seal VALUES (21, 21, 'hash', 5, 'mac');`

const restored = async (file: string, backup: string, order: Partial<RestoreOrder> = {}) => {
  const restore = await restoreSqlite({ file, backup, withdrawals: NOTHING, ...order })
  const kept = await restore.complete()
  return { ...restore, kept }
}

describe('a backup', () => {
  it('holds every row of every table, and is one file for nobody else to read', async () => {
    const { file, to, backup } = await backedUp()
    expect(backup).toMatchObject({ file: to, auditRecord: 20, event: 20, subscriptions: 20, users: 20 })
    expect(backup.bytes).toBe(statSync(to).size)
    expect(statSync(to).mode & 0o777).toBe(0o600)
    expect(readdirSync(path.dirname(to))).toEqual(['rollcall.db'])
    const tables = query(file, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") as string[]
    for (const table of tables)
      expect(query(to, `SELECT * FROM ${table}`)).toEqual(query(file, `SELECT * FROM ${table}`))
  })

  it('has nothing in it of what was erased, also where SQLite has not overwritten it yet', async () => {
    const file = await filledDatabase(200)
    lookAt(file, (database) => {
      database.pragma('secure_delete = OFF')
      database.exec("INSERT INTO mail_cap VALUES ('erased-marker', 1, 'x'); DELETE FROM mail_cap WHERE last_at = 1")
    })
    const to = path.join(newFolder(), 'b')
    await backupSqlite({ file, to, replace: false, files: [] })
    expect(readFileSync(to).includes('erased-marker')).toBe(false)
  })

  it('takes the place of another only when told to, and never that of the database', async () => {
    const { file, to } = await backedUp(2)
    const order = { file, to, replace: false, files: FILES }
    await expect(backupSqlite(order)).rejects.toThrow(/--replace/)
    await backupSqlite({ ...order, replace: true })
    for (const own of [file, `${file}-wal`, `${file}.serving`])
      await expect(backupSqlite({ ...order, to: own, replace: true })).rejects.toThrow(/belongs to the database itself/)
    await expect(backupSqlite({ ...order, to: '/nowhere/at/all' })).rejects.toThrow(/no folder/)
    await expect(backupSqlite({ ...order, to: newFolder(), replace: true })).rejects.toThrow(/no plain file/)
    await expect(backupSqlite({ ...order, file: '/nowhere', to: `${to}2` })).rejects.toThrow(/There is no database/)
  })

  it('takes the place of an earlier backup or an empty file, and of nothing else', async () => {
    const { file, to } = await backedUp(2)
    const folder = newFolder()
    const text = path.join(folder, 'notes.txt')
    writeFileSync(text, 'notes')
    const foreign = path.join(folder, 'foreign.db')
    writeFileSync(foreign, '')
    change(foreign, 'CREATE TABLE recipe (name TEXT)')
    const served = await filledDatabase(2)
    for (const other of [text, foreign, served]) {
      const before = readFileSync(other)
      const replacing = backupSqlite({ file, to: other, replace: true, files: FILES })
      await expect(replacing).rejects.toThrow(`${other} is no file that \`rollcall backup\` made`)
      expect(readFileSync(other)).toEqual(before)
    }
    const empty = path.join(folder, 'empty')
    writeFileSync(empty, '')
    const first = path.join(folder, 'first-release.db')
    copyFileSync(to, first)
    changeBackup(first, 'SELECT 1')
    for (const replaced of [empty, first, to]) {
      await backupSqlite({ file, to: replaced, replace: true, files: FILES })
      expect(await verifyBackup({ file: replaced })).toMatchObject({ digest: 'same', users: 2 })
    }
    expect(readdirSync(folder).sort()).toEqual(['empty', 'first-release.db', 'foreign.db', 'notes.txt'])
  })

  it('removes what a run that was killed has left, and leaves alone what a living one writes', async () => {
    const { file, to } = await backedUp(2)
    const partOf = (pid: number) => `${to}.${pid}-0123456789abcdef.part`
    const [dead, earlier, alive] = [partOf(999_999_999), partOf(process.pid), partOf(process.ppid)]
    // Of a process that cannot be seen from here, and of nobody's.
    const [fresh, foreign] = [partOf(999_999_998), `${to}.20240131.part`]
    for (const part of [dead, `${dead}-journal`, earlier, alive, fresh, foreign]) {
      writeFileSync(part, 'half')
      if (part !== fresh) utimesSync(part, 0, 0)
    }
    await backupSqlite({ file, to, replace: true, files: FILES })
    const left = [to, alive, fresh, foreign].map((name) => path.basename(name))
    expect(readdirSync(path.dirname(to)).sort()).toEqual(left.sort())
  })

  it('removes what a killed run left of a backup of any name, and nothing that may be anything else', async () => {
    const { file, to } = await backedUp(2)
    const folder = path.dirname(to)
    const dead = (name: string) => path.join(folder, `${name}.999999999-0123456789abcdef.part`)
    const written = readFileSync(to)
    const left = (name: string, content: string | Buffer) => {
      writeFileSync(name, content)
      utimesSync(name, 0, 0)
      return path.basename(name)
    }
    left(dead('monday.db'), written)
    left(dead('tuesday.db'), Buffer.alloc(4096))
    left(`${dead('tuesday.db')}-journal`, 'any')
    left(dead('wednesday.db'), '')
    const kept = [
      left(dead('report.csv'), 'id,outcome\n'),
      // What a restore would put in place of this database may wait for an answer.
      left(path.join(folder, 'live.db.serving'), ''),
      left(dead('live.db'), written),
      left(path.join(folder, `b.db.${process.ppid}-0123456789abcdef.part`), written),
      left(path.join(folder, 'b.db.part'), written),
    ]
    if (process.geteuid?.() === 0) {
      kept.push(left(dead('theirs.db'), written))
      lchownSync(dead('theirs.db'), STRANGER, STRANGER)
    }
    await backupSqlite({ file, to, replace: true, files: FILES })
    expect(readdirSync(folder).sort()).toEqual(['rollcall.db', ...kept].sort())
  })

  it('ends when it is told to, and leaves nothing but the one before', async () => {
    const { file, to } = await backedUp(300)
    const controller = new AbortController()
    const order = { file, to, replace: true, files: [] }
    const names = () => readdirSync(path.dirname(to))
    const [before, written] = [names(), readFileSync(to)]
    const running = backupSqlite(order, { signal: controller.signal })
    await vi.waitFor(() => expect(names().length).toBeGreaterThan(before.length), { interval: 1 })
    expect(readFileSync(to).equals(written)).toBe(true)
    controller.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    await expect(backupSqlite(order, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect([names(), readFileSync(to).equals(written)]).toEqual([before, true])
  })

  it('leaves nothing where the process ends meanwhile', async () => {
    const to = path.join(newFolder(), 'b.db')
    const child = startChild('back-up.ts', [await filledDatabase(300), to, 'leaving'])
    await child.line('leaves')
    await child.ended
    expect(readdirSync(path.dirname(to))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')("is not written to where another user's link leads", async () => {
    const { file, to } = await backedUp(2)
    const [home, shared] = [newFolder(), newFolder()]
    writeFileSync(path.join(home, '.bashrc'), '')
    chmodSync(shared, 0o777)
    const order = { file, replace: true, files: FILES }
    strangersLink(path.join(home, '.bashrc'), path.join(shared, 'b.db'))
    strangersLink(home, path.join(shared, 'folder'))
    for (const place of ['b.db', 'folder/c.db'].map((name) => path.join(shared, name))) {
      await expect(backupSqlite({ ...order, to: place })).rejects.toThrow(/is a link of another user/)
      const restore = restoreSqlite({ file, backup: to, withdrawals: NOTHING, keep: place })
      await expect(restore).rejects.toThrow(/is a link of another user/)
    }
    expect(readFileSync(path.join(home, '.bashrc'), 'utf8')).toBe('')
    expect(readdirSync(home)).toEqual(['.bashrc'])
    expect(readdirSync(shared).sort()).toEqual(['b.db', 'folder'])
  })

  it.skipIf(process.platform === 'win32')('is not led astray, or stopped, by what lies beside it', async () => {
    const file = await filledDatabase(2)
    const [home, shared] = [newFolder(), newFolder()]
    const to = path.join(shared, 'b.db')
    const own = `${to}.${process.pid}-0123456789abcdef.part`
    const planted = [own, `${own}-journal`]
    for (const name of planted) strangersLink(path.join(home, path.basename(name)), name)
    // What cannot be removed is no reason to have no backup.
    const folder = `${to}.999999999-0123456789abcdef.part`
    mkdirSync(folder)
    utimesSync(folder, 0, 0)
    await backupSqlite({ file, to, replace: false, files: FILES })
    expect(await verifyBackup({ file: to })).toMatchObject({ digest: 'same' })
    expect(readdirSync(home)).toEqual([])
    expect(readdirSync(shared).sort()).toEqual(['b.db', ...planted, folder].map((name) => path.basename(name)).sort())
  })

  it.skipIf(process.platform === 'win32')(
    'says that there is no room for the copy, and not for the database',
    async () => {
      const to = path.join(newFolder(), 'b.db')
      const child = startChild(
        'back-up.ts',
        [await filledDatabase(300), to],
        ['sh', '-c', 'ulimit -f 300; exec "$@"', 'sh'],
      )
      await child.line('refused')
      expect(child.lines.join('\n')).toMatch(
        /^refused The backup cannot be written to \S+: disk I\/O error\. Or name another place/m,
      )
      expect(readdirSync(path.dirname(to))).toEqual([])
    },
  )

  it('of a damaged database is refused, and the backup before it stays', async () => {
    const { file, to } = await backedUp(200)
    const before = statSync(to).mtimeMs
    const handle = openSync(file, 'r+')
    for (let page = 30; page < 60; page++) writeSync(handle, Buffer.alloc(4_000, 0x55), 0, 4_000, page * 4_096)
    closeSync(handle)
    await expect(backupSqlite({ file, to, replace: true, files: FILES })).rejects.toThrow(/damaged/)
    expect(statSync(to).mtimeMs).toBe(before)
    expect(readdirSync(path.dirname(to))).toEqual(['rollcall.db'])
  })
})

describe('a restore', () => {
  it('puts back every row, and what went with the database', async () => {
    const { file, to } = await backedUp()
    const subscriptions = query(file, 'SELECT * FROM subscription')
    change(file, "UPDATE subscription SET name = 'changed by mistake'")
    const { files, replaced, kept = '' } = await restored(file, to)
    expect(files).toEqual(FILES)
    expect(kept).toMatch(`${to}.replaced-`)
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('replaced'))).toEqual([])
    expect(query(kept, "SELECT 1 FROM subscription WHERE name = 'changed by mistake'")).not.toEqual([])
    expect(replaced).toMatchObject({ subscriptions: 20, users: 20, lineage: 'whole' })
    expect(query(file, 'SELECT * FROM subscription')).toEqual(subscriptions)
    expect(query(file, "SELECT name FROM sqlite_schema WHERE name = 'backup_file'")).toEqual([])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const storage = await openStorage(file)
    expect(await storage.readers.subscriptions.list({ after: 0, limit: 30 })).toMatchObject({ next: undefined })
  })

  it('says what it is at, and so does a check', async () => {
    const { file, to } = await backedUp(2)
    const steps: string[] = []
    const onStep = (step: string) => void steps.push(step)
    await verifyBackup({ file: to, onStep })
    expect(steps.splice(0)).toEqual(['comparing', 'checking'])
    await restored(file, to, { onStep })
    expect(steps).toEqual(['copying', 'examining', 'comparing', 'checking', 'updating', 'completing'])
  })

  it('leaves everything as it was until it is completed', async () => {
    const { file, to } = await backedUp()
    change(file, "UPDATE subscription SET name = 'still there'")
    const restore = await restoreSqlite({ file, backup: to, withdrawals: NOTHING })
    await expect(restoreSqlite({ file, backup: to, withdrawals: NOTHING })).rejects.toThrow(/Another server works/)
    restore.discard()
    expect(query(file, 'SELECT DISTINCT name FROM subscription')).toEqual(['still there'])
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('lets nobody change the database while somebody is asked, as that would be lost', async () => {
    const { file, to } = await backedUp()
    const before = query(file, USERS)
    const rename = () => change(file, "UPDATE user_account SET name = 'Changed'")
    const restore = await restoreSqlite({ file, backup: to, withdrawals: NOTHING })
    expect(rename).toThrow('locked')
    restore.discard()
    rename()
    expect(query(file, USERS)).not.toEqual(before)
    await restored(file, to)
    expect(query(file, USERS)).toEqual(before)
  })

  it('takes out who was deleted, erased or ended since, and goes on with trail, events, caps and suppressions', async () => {
    const { file, to } = await backedUp()
    const [erased, ended] = query(file, "SELECT id FROM subscription WHERE status = 'c' LIMIT 2") as number[]
    change(
      file,
      `${APPEND}
      INSERT OR REPLACE INTO identity (${GRAVE}) VALUES ('${query(file, 'SELECT id FROM user_account LIMIT 1')[0]}', 5, 21, NULL, 1, 0, 0, 0, 0, 0);
      DELETE FROM subscription WHERE id = ${erased};
      INSERT INTO event (position, type, subject, at) VALUES (21, 'user.deleted', 'x', 5), (22, 'subscription.erased', '${erased}', 5), (23, 'subscription.ended', '${ended}', 5);
      UPDATE subscription SET status = 'e', ended_at = 5, episode = 'after' WHERE id = ${ended};
      INSERT INTO suppression (address, cause, since) VALUES ('hash', 'never-again', 5);
      DELETE FROM outbox WHERE id < 5;
      UPDATE mail_cap SET slots = 'later' WHERE last_at = 7`,
    )
    const { reapplied } = await restored(file, to)
    expect(reapplied).toEqual({ users: 1, erased: 1, ended: 1, suppressions: 1 })
    expect(query(file, 'SELECT count(*) FROM user_account')).toEqual([19])
    expect(query(file, `SELECT count(*) FROM subscription WHERE id = ${erased}`)).toEqual([0])
    expect(query(file, `SELECT status FROM subscription WHERE id = ${ended}`)).toEqual(['e'])
    expect(query(file, 'SELECT max(position) FROM event')).toEqual([23])
    expect(query(file, 'SELECT max(sequence) FROM audit_record')).toEqual([21])
    expect(query(file, 'SELECT max(last) FROM audit_seal')).toEqual([21])
    expect(query(file, "SELECT cause FROM suppression WHERE address = 'hash'")).toEqual(['never-again'])
    expect(query(file, 'SELECT min(id) FROM outbox')).toEqual([5])
    expect(query(file, "SELECT count(*) FROM mail_cap WHERE slots = 'later'")).toEqual([1])
  })

  it('leaves ended who had ended a confirmed subscription and has only signed up again, with the ledger up to that', async () => {
    const { file, to } = await backedUp()
    const [id, seq] = lookAt(file, (database) =>
      database.prepare("SELECT id, seq FROM subscription WHERE status = 'c' LIMIT 1").raw().get(),
    ) as [number, number]
    const deed = (n: number, what: string) => `(${seq}, ${n}, ${n}, '${what}', 'link', NULL, NULL, 'w', 'en', 1)`
    change(
      file,
      `UPDATE subscription SET status = 'p', ended_at = NULL, expires_at = 1, episode = 'again' WHERE id = ${id};
      INSERT INTO consent VALUES ${deed(51, 'ended')}, ${deed(52, 'requested')}`,
    )
    expect(await restored(file, to)).toMatchObject({ reapplied: { ended: 1 } })
    expect(query(file, `SELECT ended_at FROM subscription WHERE id = ${id} AND status = 'e'`)).toEqual([51])
    expect(query(file, `SELECT max(n) FROM consent WHERE subscription = ${seq}`)).toEqual([51])
  })

  it('leaves suspended who was suspended since, and tokens refused that were refused since', async () => {
    const { file, to } = await backedUp()
    const [ada, bob, eve] = query(file, 'SELECT id FROM user_account LIMIT 3') as [string, string, string]
    changeBackup(to, `UPDATE user_account SET suspended_at = 3 WHERE id = '${eve}'`)
    change(
      file,
      `UPDATE user_account SET suspended_at = 5 WHERE id = '${ada}';
      UPDATE user_account SET tokens_not_before = 9999 WHERE id IN ('${ada}', '${bob}', '${eve}')`,
    )
    await restored(file, to)
    const access = (id: string) =>
      query(file, `SELECT concat_ws(' ', suspended_at, tokens_not_before) FROM user_account WHERE id = '${id}'`)
    expect([access(ada), access(bob), access(eve)]).toEqual([['5 9999'], ['9999'], ['3 9999']])
  })

  it('takes no user for inactive who was seen since', async () => {
    const { file, to } = await backedUp()
    const [ada, bob] = query(file, 'SELECT id FROM user_account LIMIT 2') as [string, string]
    changeBackup(to, `UPDATE user_account SET last_seen_at = 5000 WHERE id = '${bob}'`)
    change(file, `UPDATE user_account SET last_seen_at = 9000 WHERE id = '${ada}'`)
    await restored(file, to)
    const seen = 'SELECT last_seen_at FROM user_account WHERE last_seen_at >= 5000 ORDER BY last_seen_at'
    expect(query(file, seen)).toEqual([5_000, 9_000])
  })

  it('suspends the users that events or the trail name, where the database that is replaced is lost', async () => {
    const { file, to } = await backedUp()
    const [ada] = query(file, 'SELECT id FROM user_account LIMIT 1') as [string]
    rmSync(file)
    const suspended = new Map([
      [ada, 5],
      ['nobody', 5],
    ])
    await restored(file, to, { withdrawals: () => ({ ...NOTHING_WITHDRAWN, suspended }) })
    expect(query(file, 'SELECT id FROM user_account WHERE suspended_at = 5')).toEqual([ada])
  })

  it('leaves alive who was deleted with a grace and restored, before the backup or after it', async () => {
    const { file } = await backedUp()
    const [ada, bob] = query(file, 'SELECT id FROM user_account LIMIT 2') as [string, string]
    const roles = `SELECT role FROM user_role JOIN user_account ON seq = user_seq WHERE id = '${ada}' ORDER BY role`
    change(file, `INSERT OR IGNORE INTO user_role SELECT 'editor', seq FROM user_account WHERE id = '${ada}'`)
    const before = query(file, roles)
    // Held in the backup, and alive in what it replaces.
    const to = path.join(newFolder(), 'held.db')
    await backupSqlite({ file, to, replace: false, files: FILES })
    changeBackup(
      to,
      `INSERT OR REPLACE INTO identity (${GRAVE}) VALUES ('${ada}', 5, 20, 6, 1, 0, 0, 0, 0, 0);
      INSERT INTO held_user VALUES ('${ada}', '{}', 5, 6, '[]');
      DELETE FROM user_role WHERE user_seq = (SELECT seq FROM user_account WHERE id = '${ada}');
      DELETE FROM user_account WHERE id = '${ada}'`,
    )
    change(
      file,
      `INSERT INTO event (position, type, subject, at) VALUES (21, 'user.created', '${ada}', 5), (22, 'user.deleted', '${bob}', 6), (23, 'user.created', '${bob}', 7)`,
    )
    expect(await restored(file, to)).toMatchObject({ reapplied: { users: 0 } })
    expect(query(file, `SELECT count(*) FROM user_account WHERE id IN ('${ada}', '${bob}')`)).toEqual([2])
    expect(
      query(
        file,
        `SELECT (SELECT count(*) FROM held_user) + (SELECT count(*) FROM identity WHERE deleted_at IS NOT NULL)`,
      ),
    ).toEqual([0])
    expect(query(file, roles)).toEqual(before)
  })

  it('goes on with the seal on the end of the trail, and with the deletions that the trail says', async () => {
    const { file, to } = await backedUp()
    const tombstone = (audit: number) =>
      `INSERT OR REPLACE INTO identity (${GRAVE}) VALUES ('back', ${audit * 10}, ${audit}, NULL, 1, 0, 0, 0, 0, 0);`
    changeBackup(to, tombstone(3))
    change(file, `INSERT OR REPLACE INTO instance VALUES ('audit-head', 'newest'); ${tombstone(19)}`)
    await restored(file, to)
    expect(query(file, "SELECT value FROM instance WHERE name = 'audit-head'")).toEqual(['newest'])
    expect(query(file, "SELECT audit FROM identity WHERE id = 'back' AND deleted_at = 190")).toEqual([19])
  })

  it('takes out whatever is gone where the events of its erasure are gone, too', async () => {
    const { file, to } = await backedUp()
    change(file, 'DELETE FROM event; DELETE FROM subscription WHERE seq < 4')
    change(file, "INSERT INTO event (position, type, subject, at) VALUES (500, 'subscription.ended', '1', 5)")
    const { reapplied, replaced } = await restored(file, to)
    expect(replaced).toMatchObject({ lineage: 'pruned' })
    expect(reapplied.erased).toBe(3)
  })

  it('goes by the time of erasures where the trail went on from another backup', async () => {
    const { file, to } = await backedUp()
    const [id, other] = query(file, 'SELECT id FROM subscription LIMIT 2')
    change(file, 'DROP TRIGGER audit_record_unchanged')
    change(
      file,
      `UPDATE audit_record SET actor = 'another' WHERE id = 20;
      DELETE FROM event; DELETE FROM subscription WHERE id IN (${id}, ${other});
      INSERT INTO event (position, type, subject, at) VALUES (30, 'subscription.erased', '${id}', ${2 ** 40})`,
    )
    const { reapplied, replaced } = await restored(file, to)
    expect(replaced).toMatchObject({ lineage: 'branched' })
    expect(reapplied.erased).toBe(1)
    expect(query(file, "SELECT count(*) FROM audit_record WHERE actor = 'another'")).toEqual([0])
  })

  it('takes out what was kept elsewhere of later deletions, where the database is lost', async () => {
    const { file, to } = await backedUp()
    const lost = path.join(newFolder(), 'data', 'rollcall.db')
    const [erased, ended] = query(file, "SELECT id FROM subscription WHERE status = 'c' LIMIT 2") as [number, number]
    const user = String(query(file, 'SELECT id FROM user_account LIMIT 1')[0])
    const told = {
      ...NOTHING_WITHDRAWN,
      users: new Map([[user, 7]]),
      erased: new Set([erased, 1]),
      ended: new Map([[ended, 9]]),
    }
    const { replaced, reapplied } = await restored(lost, to, { withdrawals: () => told })
    expect([replaced, reapplied]).toEqual(['none', { users: 1, erased: 1, ended: 1, suppressions: 0 }])
    expect(query(lost, `SELECT audit FROM identity WHERE id = '${user}' AND deleted_at = 7`)).toEqual([1021])
    expect(query(lost, `SELECT ended_at FROM subscription WHERE id = ${ended} AND status = 'e'`)).toEqual([9])
  })

  it('gives no position again that the lost database may have given', async () => {
    const { file, to } = await backedUp()
    const lost = path.join(newFolder(), 'data', 'rollcall.db')
    const numbered = async (database: string) => {
      const storage = await openSqliteStorage({ file: database, onDiskFailure: () => undefined })
      await storage.unitOfWork.run(async ({ events }) => {
        await events.append({ type: 'user.updated', subject: 'ada', at: 1 })
      })
      await storage.unitOfWork.run(async ({ events }) => void (await events.number(1)))
      const last = await storage.readers.events.last()
      await storage.close()
      return last
    }
    await restored(lost, to)
    const first = await numbered(lost)
    expect(first).toBeGreaterThan(1_000_000)
    // Over it, and once more without it.
    await restored(lost, to)
    expect(await numbered(lost)).toBeGreaterThan(first)
    const again = path.join(newFolder(), 'rollcall.db')
    await restored(again, to)
    expect(await numbered(again)).toBeGreaterThan(first + 1)
    // One that is there says which it has given.
    await restored(file, to)
    expect(await numbered(file)).toBe(21)
  })

  it('takes out all that hangs on them, as an erasure does, and leaves no erasure to complete', async () => {
    const { file, to } = await backedUp()
    const [erased, ended] = query(file, "SELECT seq FROM subscription WHERE status = 'c' LIMIT 2") as [number, number]
    const idOf = (seq: number) => Number(query(to, `SELECT id FROM subscription WHERE seq = ${seq}`)[0])
    for (const seq of [erased, ended])
      changeBackup(
        to,
        `UPDATE subscription SET last_mail = ${seq}, expires_at = 1 WHERE seq = ${seq};
        UPDATE outbox SET subscription_id = ${idOf(seq)} WHERE id = ${seq};
        INSERT OR IGNORE INTO kept_mail VALUES (${seq}, 'kept')`,
      )
    const [user, place] = lookAt(to, (database) =>
      database.prepare('SELECT id, seq FROM user_account JOIN user_role ON user_seq = seq LIMIT 1').raw().get(),
    ) as [string, number]
    changeBackup(
      to,
      `INSERT INTO held_user VALUES ('held', '{}', 5, 6, 'keep'); INSERT OR REPLACE INTO identity (${GRAVE}) VALUES ('held', 5, 3, 6, 1, 0, 0, 0, 2, 0)`,
    )
    const before = [query(to, `SELECT episode FROM subscription WHERE seq = ${ended}`), query(to, ERASURES)]
    const lost = path.join(newFolder(), 'rollcall.db')
    const users = new Map([user, 'held'].map((id) => [id, 7]))
    const withdrawals = {
      ...NOTHING_WITHDRAWN,
      users,
      erased: new Set([idOf(erased)]),
      ended: new Map([[idOf(ended), 9]]),
    }
    expect(await restored(lost, to, { withdrawals: () => withdrawals })).toMatchObject({
      reapplied: { users: 2, erased: 1, ended: 1 },
    })
    const left = (table: string, where: string) =>
      Number(query(lost, `SELECT count(*) FROM ${table} WHERE ${where}`)[0])
    expect(left('outbox', `id IN (${erased}, ${ended})`)).toBe(0)
    expect([left('outbox', 'true'), left('event', 'true'), left('audit_record', 'true')]).toEqual([18, 20, 20])
    for (const table of ['consent', 'kept_mail']) {
      expect(left(table, `subscription = ${erased}`)).toBe(0)
      expect(left(table, `subscription = ${ended}`)).toBeGreaterThan(0)
    }
    expect(left('user_role', `user_seq = ${place}`) + left('held_user', "id = 'held'")).toBe(0)
    expect(left('identity', "id = 'held' AND deleted_at = 5 AND audit = 3 AND subscriptions_kept = 2")).toBe(1)
    expect(left('identity', 'erases_at IS NOT NULL')).toBe(0)
    expect(left('subscription', `seq = ${ended} AND expires_at IS NULL`)).toBe(1)
    expect(query(lost, `SELECT episode FROM subscription WHERE seq = ${ended}`)).not.toEqual(before[0])
    expect(query(lost, ERASURES)).toEqual(before[1])
  })

  it('moves aside what cannot be read', async () => {
    const { to } = await backedUp()
    const file = path.join(newFolder(), 'rollcall.db')
    writeFileSync(file, 'no database at all')
    const { replaced, kept = '' } = await restored(file, to)
    expect(replaced).toBe('unreadable')
    expect(existsSync(kept)).toBe(true)
    expect(query(file, 'SELECT count(*) FROM subscription')).toEqual([20])
  })

  it('refuses a folder, and leaves everything where it was if what is replaced cannot be moved away', async () => {
    const { file, to } = await backedUp(2)
    const order = { file, backup: to, withdrawals: NOTHING }
    await expect(restoreSqlite({ ...order, backup: newFolder() })).rejects.toThrow(/is no plain file/)
    change(file, "UPDATE subscription SET name = 'still there'")
    const folder = newFolder()
    const restore = await restoreSqlite({ ...order, keep: path.join(folder, 'kept.db') })
    rmSync(folder, { recursive: true })
    await expect(restore.complete()).rejects.toThrow(
      /cannot be moved to .*: the folder is gone\. Make it again\. Or name another place with --keep FILE/,
    )
    restore.discard()
    expect(query(file, 'SELECT DISTINCT name FROM subscription')).toEqual(['still there'])
  })

  it('keeps nothing of what is replaced within the folder that it is to be outside of', async () => {
    const { file, to } = await backedUp(2)
    const outside = path.dirname(file)
    const [inside, link] = [path.join(outside, 'b.db'), path.join(newFolder(), 'link')]
    copyFileSync(to, inside)
    symlinkSync(outside, link)
    const order = { file, backup: to, withdrawals: NOTHING, outside }
    for (const change of [{ backup: inside }, { keep: `${file}.old` }, { keep: path.join(link, 'old.db') }])
      await expect(restoreSqlite({ ...order, ...change })).rejects.toThrow(/in the data folder.* with --keep FILE/)
    const { kept } = await restored(file, inside, { outside, keep: `${to}.old` })
    expect(kept).toBe(`${to}.old`)
  })

  it('keeps what is replaced under no name of the database itself', async () => {
    const { file, to } = await backedUp(2)
    for (const ending of [
      '',
      '-wal',
      '-shm',
      '-journal',
      '.serving',
      '.1-0123456789abcdef.part',
      '.1-0123456789abcdef.part-wal',
    ]) {
      const restore = restoreSqlite({ file, backup: to, withdrawals: NOTHING, keep: `${file}${ending}` })
      await expect(restore).rejects.toThrow(/belongs to the database itself/)
    }
    expect(query(file, 'SELECT count(*) FROM subscription')).toEqual([2])
  })

  it('refuses what is no backup, is damaged, or belongs to another service', async () => {
    const { file, to } = await backedUp()
    const restore = (backup: string, live = file) => restoreSqlite({ file: live, backup, withdrawals: NOTHING })
    const text = path.join(newFolder(), 'text')
    writeFileSync(text, 'not a database, but long enough to be taken for one '.repeat(100))
    await expect(restore(text)).rejects.toThrow(`The backup ${text} is damaged, or no backup at all. Take another`)
    const [cut, flipped] = ['cut', 'flipped'].map((name) => path.join(newFolder(), name)) as [string, string]
    const whole = readFileSync(to)
    writeFileSync(cut, whole.subarray(0, whole.length / 2))
    await expect(restore(cut)).rejects.toThrow(`The backup ${cut} is damaged`)
    // How many bytes of each page are not used.
    writeFileSync(flipped, Buffer.from(whole).fill(whole.readUInt8(20) ^ 0x40, 20, 21))
    const told = await restore(flipped).catch(({ message }: Error) => message)
    expect(told).toMatch(/^The backup \S+flipped is damaged[^\n]{0,200}$/)
    await expect(restore('/nowhere')).rejects.toThrow(/There is no backup/)
    await expect(restore(file)).rejects.toThrow(/is the database itself/)
    const other = await newDatabase()
    change(other, "INSERT INTO instance VALUES ('secret-fingerprint', 'another')")
    changeBackup(to, "INSERT INTO instance VALUES ('secret-fingerprint', 'ours')")
    await expect(restore(to, other)).rejects.toThrow(/another service/)
    chmodSync(to, 0o644)
    await restored(file, to)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})
