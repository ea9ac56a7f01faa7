import { appendFile, copyFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { counted, type Row } from '../target/rows.ts'
import { Target } from '../target/target.ts'
import type { Attack } from './attack.ts'

/** Bits that are flipped, one in each copy. */
const FLIPS = 24
/** Of a quick run, one in so many variants. */
const ONE_IN = 12

type Variant = readonly [name: string, change: (file: string) => unknown]

const onFile = <Result>(file: string, work: (database: DatabaseSync) => Result): Result => {
  const database = new DatabaseSync(file, { defensive: false, enableForeignKeyConstraints: false })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const bySql = (name: string, ...statements: readonly string[]): Variant => [
  name,
  (file) => onFile(file, (database) => database.exec(statements.join(';'))),
]

interface SchemaObject {
  readonly type: string
  readonly name: string
}

const schemaOf = (file: string): readonly SchemaObject[] =>
  onFile(file, (database) =>
    database.prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name").all(),
  ) as unknown as SchemaObject[]

const PLANTS: readonly (readonly [name: string, sql: string])[] = [
  ['a table', 'CREATE TABLE planted (a)'],
  ['a view', 'CREATE VIEW planted AS SELECT 1'],
  ['a virtual table', 'CREATE VIRTUAL TABLE planted USING fts5(a)'],
]

/** What may be missing, planted, or other than it was, of every table, index and trigger that there is. */
const ofSchema = (objects: readonly SchemaObject[], withoutDigest: readonly string[]): Variant[] => [
  ...PLANTS.map(([name, sql]) => bySql(name, ...withoutDigest, sql)),
  ...objects.flatMap(({ type, name }) => {
    const drop = `DROP ${type} ${name}`
    if (type !== 'table') return [bySql(`no ${type} ${name}`, ...withoutDigest, drop)]
    const trigger = `CREATE TRIGGER planted AFTER INSERT ON ${name} BEGIN SELECT 1; END`
    return [
      bySql(`no table ${name}`, ...withoutDigest, drop),
      bySql(`a view in place of ${name}`, ...withoutDigest, drop, `CREATE VIEW ${name} AS SELECT 1`),
      bySql(`a trigger on ${name}`, ...withoutDigest, trigger),
      bySql(`a column of ${name}`, ...withoutDigest, `ALTER TABLE ${name} ADD COLUMN planted TEXT DEFAULT 'x'`),
      bySql(`a computed column of ${name}`, ...withoutDigest, `ALTER TABLE ${name} ADD COLUMN planted TEXT AS ('x')`),
    ]
  }),
]

/** A row of each table that is gone, with the digest as it was. */
const ofRows = (file: string, objects: readonly SchemaObject[]): Variant[] =>
  objects
    .filter(({ type, name }) => type === 'table' && onFile(file, (it) => it.prepare(`SELECT 1 FROM ${name}`).get()))
    .map(
      ({ name }): Variant => [
        `a row of ${name} less`,
        (copy) =>
          onFile(copy, (database) => {
            const guards = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
            for (const guard of guards) database.exec(`DROP TRIGGER ${guard.name}`)
            const [one] = database.prepare(`SELECT * FROM ${name}`).all()
            const [[column = '', value] = []] = Object.entries(one ?? {})
            database.prepare(`DELETE FROM ${name} WHERE ${column} = ?`).run(value ?? null)
            for (const { sql } of guards) database.exec(`${sql}`)
          }),
      ],
    )

const flip = async (file: string, place: number, bit: number): Promise<void> => {
  const handle = await open(file, 'r+')
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place)
  await handle.write(Buffer.from([(buffer[0] ?? 0) ^ (1 << bit)]), 0, 1, place)
  await handle.close()
}

const ofBytes = (length: number): Variant[] => [
  ...Array.from({ length: FLIPS }, (_, n): Variant => {
    const place = Math.floor((n * length) / FLIPS) + ((n * 37) % 64)
    return [`bit ${n % 8} of byte ${place}`, (copy) => flip(copy, place, n % 8)]
  }),
  ...[1, 4_096, length >> 1, length].map(
    (cut): Variant => [`${cut} bytes less`, (copy) => truncate(copy, length - cut)],
  ),
  ...[1, 4_096].map((more): Variant => [`${more} bytes more`, (copy) => appendFile(copy, Buffer.alloc(more))]),
  ['no database', (copy) => writeFile(copy, 'no database')],
]

const fill = async (source: Target): Promise<void> => {
  await source.start()
  const token = await source.token('root', 'admin')
  for (const [id, ...roles] of [['ada', 'admin'], ['eve'], ['bob', 'auditor']] as const)
    await source.ask(`PUT /users/${id}`, { token, json: { email: `${id}@example.com`, name: id, roles } })
  for (let n = 0; n < 20; n++) await source.signUp(`r${n}@example.com`)
  await source.ask('DELETE /users/bob', { token })
  await source.stop()
}

/** Backups that were changed before they are restored. */
export const restores: Attack = {
  name: 'restores',
  stores: ['sqlite'],
  run: async (context): Promise<readonly Row[]> => {
    await using source = await Target.make(context)
    await using to = await Target.make(context)
    await fill(source)
    const file = path.join(source.home.folder, 'backup.db')
    await source.succeed('backup', file, '--with-keys')
    const copy = path.join(to.home.folder, 'copy.db')
    const isRestored = async (change: (copy: string) => unknown): Promise<boolean> => {
      await rm(to.home.data, { recursive: true, force: true })
      await copyFile(file, copy)
      await change(copy)
      return (await to.run(['restore', copy, '--without-tombstones', '--yes'])).code === 0
    }
    if (!(await isRestored(() => undefined))) throw new Error('the backup is not restored as it was made')
    const own = new Set(schemaOf(path.join(source.home.data, 'rollcall.db')).map(({ name }) => name))
    const objects = schemaOf(file).filter(({ name }) => own.has(name))
    // What only a backup has: keys, and the digest of its content. Who can change the file can remove that.
    const withoutDigest = schemaOf(file)
      .filter(({ name }) => !own.has(name) && name.includes('digest'))
      .map(({ name }) => `DROP TABLE ${name}`)
    if (withoutDigest.length === 0) throw new Error('the backup has no digest')
    const groups = {
      'with another schema, and no digest': ofSchema(objects, withoutDigest),
      'with a row less': ofRows(file, objects),
      'damaged, cut or extended': ofBytes((await readFile(file)).length),
    }
    const rows: Row[] = []
    for (const [name, all] of Object.entries(groups)) {
      const variants = context.isQuick ? all.filter((_, n) => n % ONE_IN === 0) : all
      const found: string[] = []
      for (const [variant, change] of variants) if (await isRestored(change)) found.push(variant)
      rows.push(counted(`${name}, restored`, variants.length, found))
    }
    return rows
  },
}
