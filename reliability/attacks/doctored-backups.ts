import { copyFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Attack, counted, type Figure } from './attack.ts'
import { askOnce } from './raw.ts'
import { Target } from './target.ts'

/** Bits that are flipped, one in each copy. */
const FLIPS = 24
const FEW_FLIPS = 4
const NO_DIGEST = 'DROP TABLE IF EXISTS backup_digest;'

/** Schemas that would do more than they should, or less. */
const SCHEMAS: readonly (readonly [string, string])[] = [
  [
    'a trigger that makes administrators',
    `CREATE TRIGGER planted AFTER INSERT ON user_account
      BEGIN INSERT INTO user_role VALUES ('admin', NEW.seq); END`,
  ],
  ['a trigger on sign-ups', 'CREATE TRIGGER planted AFTER INSERT ON subscription BEGIN DELETE FROM suppression; END'],
  [
    'a trigger on a table of its own',
    'CREATE TABLE odd (a); CREATE TRIGGER planted AFTER INSERT ON odd BEGIN SELECT 1; END',
  ],
  ['a view', 'CREATE VIEW planted AS SELECT 1'],
  [
    'a view in place of a table',
    'DROP TABLE mail_cap; CREATE VIEW mail_cap AS SELECT 1 AS address, 2 AS last_at, 3 AS slots',
  ],
  ['a table', 'CREATE TABLE planted (a)'],
  ['a virtual table', 'CREATE VIRTUAL TABLE planted USING fts5(a)'],
  ['an index', 'CREATE UNIQUE INDEX planted ON outbox (kind, id)'],
  ['a column', "ALTER TABLE user_account ADD COLUMN planted TEXT NOT NULL DEFAULT 'x'"],
  ['a computed column', 'ALTER TABLE outbox ADD COLUMN planted TEXT AS (address) VIRTUAL'],
  [
    'another default',
    `PRAGMA writable_schema = 1; UPDATE sqlite_schema SET
      sql = replace(sql, 'attempts INTEGER NOT NULL DEFAULT 0', 'attempts INTEGER NOT NULL DEFAULT 9') WHERE name = 'outbox'`,
  ],
  ['no trigger that keeps the trail', 'DROP TRIGGER audit_record_kept'],
  ['no index', 'DROP INDEX outbox_due'],
  ['no table of suppressions', 'DROP TABLE suppression'],
  ['no table of tombstones', 'DROP TABLE identity'],
  ['no table of the trail', 'DROP TABLE audit_record'],
  ['no table of migrations', 'DROP TABLE rollcall_migration'],
  ['a migration of a newer release', "INSERT INTO rollcall_migration (name) VALUES ('9999-later')"],
  ['a migration that was not made', 'DELETE FROM rollcall_migration'],
]

/** Rows that the service did not write. */
const ROWS: readonly (readonly [string, string])[] = [
  [
    'a role',
    "UPDATE user_account SET roles = '[\"admin\"]' WHERE id = 'eve'; INSERT INTO user_role SELECT 'admin', seq FROM user_account WHERE id = 'eve'",
  ],
  ['an e-mail address', "UPDATE user_account SET email = 'mallory@example.com' WHERE id = 'eve'"],
  ['a confirmation', "UPDATE subscription SET status = 'c', confirmed_at = created_at"],
  ['a webhook', "INSERT INTO instance (name, value) VALUES ('planted', 'x')"],
]

const doctor = (file: string, sql: string): void => {
  const database = new DatabaseSync(file, { defensive: false })
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

const flip = async (file: string, place: number, bit: number): Promise<void> => {
  const handle = await open(file, 'r+')
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place)
    await handle.write(Buffer.from([(buffer[0] ?? 0) ^ (1 << bit)]), 0, 1, place)
  } finally {
    await handle.close()
  }
}

/** A backup of a service with a bit of everything, and where its copies are tried. */
class Backup {
  readonly #file: string
  readonly #copy: string
  readonly #to: Target

  constructor(file: string, to: Target) {
    this.#file = file
    this.#copy = path.join(to.home.folder, 'copy.db')
    this.#to = to
  }

  get bytes(): Promise<Buffer> {
    return readFile(this.#file)
  }

  /** Whether what this makes of it is restored. */
  async restores(change: (file: string) => unknown): Promise<boolean> {
    await rm(this.#to.home.data, { recursive: true, force: true })
    await copyFile(this.#file, this.#copy)
    await change(this.#copy)
    const { code } = await this.#to.run('restore', this.#copy, '--without-tombstones', '--yes')
    return code === 0
  }

  async restored(changes: readonly (readonly [string, (file: string) => unknown])[]): Promise<string[]> {
    const found: string[] = []
    for (const [name, change] of changes) if (await this.restores(change)) found.push(name)
    return found
  }
}

const fill = async (source: Target): Promise<void> => {
  await source.start()
  const root = `Authorization: Bearer ${await source.token('root', 'admin')}`
  const put = (id: string, roles: string) =>
    askOnce(
      source.port,
      `PUT /users/${id}`,
      [root, 'Content-Type: application/json'],
      `{"email":"${id}@example.com","name":"${id}","roles":[${roles}]}`,
    )
  for (const [id, roles] of [
    ['ada', '"admin"'],
    ['eve', ''],
    ['bob', '"auditor"'],
  ] as const)
    await put(id, roles)
  for (let n = 0; n < 20; n++)
    await askOnce(
      source.port,
      'POST /subscribe',
      ['Content-Type: application/x-www-form-urlencoded'],
      `email=r${n}%40example.com`,
    )
  await source.stop()
}

/** Backups that were changed before they are restored. */
export const doctoredBackups: Attack = {
  name: 'restores',
  stores: ['sqlite'],
  run: async (context) => {
    await using source = await Target.make(context)
    await using to = await Target.make(context)
    await fill(source)
    const file = path.join(source.home.folder, 'backup.db')
    await source.succeed('backup', file, '--with-keys')
    const backup = new Backup(file, to)
    if (!(await backup.restores(() => undefined))) throw new Error('the backup is not restored as it was made')
    const bytes = await backup.bytes
    const flips = context.isQuick ? FEW_FLIPS : FLIPS
    const figures: Figure[] = []
    const tried = async (name: string, changes: Parameters<Backup['restored']>[0]) =>
      figures.push(counted(name, changes.length, await backup.restored(changes)))
    await tried(
      'with another schema, restored',
      SCHEMAS.flatMap(([name, sql]) => [
        ...(context.isQuick ? [] : [[name, (copy: string) => doctor(copy, sql)] as const]),
        [`${name}, no digest`, (copy: string) => doctor(copy, `${NO_DIGEST} ${sql}`)] as const,
      ]),
    )
    await tried(
      'with changed rows, restored',
      ROWS.map(([name, sql]) => [name, (copy) => doctor(copy, sql)] as const),
    )
    await tried(
      'with a flipped bit, restored',
      Array.from({ length: flips }, (_, n) => {
        const place = Math.floor((n * bytes.length) / flips) + ((n * 37) % 64)
        return [`bit ${n % 8} of byte ${place}`, (copy: string) => flip(copy, place, n % 8)] as const
      }),
    )
    await tried('cut or extended, restored', [
      ['the last byte is gone', (copy) => truncate(copy, bytes.length - 1)],
      ['the last page is gone', (copy) => truncate(copy, bytes.length - 4_096)],
      ['half of it is gone', (copy) => truncate(copy, bytes.length >> 1)],
      ['all of it is gone', (copy) => truncate(copy, 0)],
      ['a byte more', (copy) => writeFile(copy, 'x', { flag: 'a' })],
      ['a page more', (copy) => writeFile(copy, Buffer.alloc(4_096), { flag: 'a' })],
      ['no database', (copy) => writeFile(copy, 'no database')],
    ])
    if (context.isQuick) return figures
    // The digest shows damage; who can change the file can remove it, as the first release had none.
    const without = ROWS.map(([name, sql]) => [name, (copy: string) => doctor(copy, `${NO_DIGEST} ${sql}`)] as const)
    const found = await backup.restored(without)
    figures.push({ ...counted('with changed rows and no digest, restored', without.length, found), bound: undefined })
    return figures
  },
}
