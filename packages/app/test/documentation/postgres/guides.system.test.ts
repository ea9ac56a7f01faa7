import { rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { jsonLines } from '../../json-lines.ts'
import { MailSink } from '../../mail-sink.ts'
import { Database } from '../../postgres/database.ts'
import { blocksOf } from '../blocks.ts'
import { expectFollowed, type Followed, following, putUsers } from '../following.ts'
import { FOLLOWED_BY } from '../pages.ts'
import { contentOf, Reader } from '../reader.ts'

const stop = (reader: Reader) => reader.stop()
/** Eve is deleted after the backup, as only the second run of the job knows. */
const loseDatabase = async (reader: Reader): Promise<void> => {
  expect(await eventsOf(reader)).toEqual(['user.created eve'])
  await reader.home.run('user', 'delete', 'eve', '--yes')
  await reader.type('bash keep-events.sh\n')
  await reader.type('bash keep-events.sh\n')
  expect(await eventsOf(reader)).toEqual(['user.created eve', 'user.deleted eve'])
  await reader.stop()
  for (const end of ['', '-wal', '-shm'])
    await rm(path.join(reader.home.folder, `data/rollcall.db${end}`), { force: true })
}

const eventsOf = async (reader: Reader): Promise<string[]> =>
  jsonLines(await contentOf(reader, 'backups/events.ndjson')).map(({ type, subject }) => `${type} ${subject}`)

const users = async (database: Database) => await database.query('SELECT id FROM user_account ORDER BY id')

const FOLLOWED: Readonly<Record<(typeof FOLLOWED_BY.postgres)[number], Followed>> = {
  'docs/guides/back-up-and-move.md': async (page) => {
    await using database = await Database.make('template0')
    const executed = await following({
      substitutes: { 'postgres://rollcall:password@db.example.com/rollcall': database.url },
      before: {
        'mkdir ': ({ home }) => home.run('user', 'put', 'eve', '--email', 'eve@example.com'),
        'rollcall restore /': stop,
        'bash keep-events.sh': (reader) => reader.serve(),
        '--tombstones': loseDatabase,
        'mv /': async ({ home }) => expect((await home.run('user', 'erasure', 'eve')).code).toBe(0),
        'backup drill': putUsers,
        'rollcall migrate-data': stop,
      },
    })(page)
    expect(await users(database)).toEqual([{ id: 'ada' }, { id: 'brian' }])
    return executed
  },
  'docs/guides/several-instances.md': async (page) => {
    await using sink = await MailSink.open()
    await using role = await Role.make(page)
    await using reader = await Reader.open({
      notYetServed: true,
      settings: { RATE_LIMIT: '20/1m' },
      substitutes: {
        'postgres://rollcall:password@db.example.com/rollcall': role.url,
        'smtps://user:password@smtp.example.com': sink.url,
      },
    })
    reader.substitute('/run/secrets/', `${reader.home.folder}/secrets/`)
    await reader.follow(page)
    await reader.stop()
    return reader.executed
  },
}

/** The role and the database that the statements of the page make, under a name that no other run has. */
class Role implements AsyncDisposable {
  readonly #name: string

  private constructor(name: string) {
    this.#name = name
  }

  static async make(page: string): Promise<Role> {
    const name = `rollcall_guide_${process.pid}_${Date.now()}`
    const statements = blocksOf(page).flatMap(({ language, code }) =>
      language === 'sql' ? code.trim().split('\n') : [],
    )
    await query(statements.map((statement) => statement.replaceAll(/\brollcall\b/g, name)))
    return new Role(name)
  }

  get url(): string {
    const own = { username: this.#name, password: 'password', pathname: `/${this.#name}` }
    return Object.assign(new URL(inject('postgres').url), own).href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await query([`DROP DATABASE ${this.#name} WITH (FORCE)`, `DROP ROLE ${this.#name}`])
  }
}

const query = async (statements: readonly string[]): Promise<void> => {
  const client = new pg.Client(inject('postgres').url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

describe.skipIf(process.platform === 'win32')('does what the page says, and gets what it shows', () => {
  it.each(FOLLOWED_BY.postgres)('%s', async (page) => {
    await expectFollowed(page, FOLLOWED[page])
  })
})
