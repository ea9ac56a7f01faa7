import type { NewRequest, Stores } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateData } from '../../src/data-migration/migrate-data.ts'
import { migratePostgres, openPostgresTarget, type PostgresStorage } from '../../src/postgres/index.ts'
import { openSqliteSource } from '../../src/sqlite/index.ts'
import { putTombstone } from '../a-tombstone.ts'
import { createUser } from '../a-user-change.ts'
import { filledDatabase } from '../data-migration/filled-database.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { openStorage, temporaryDatabase } from './temporary-storage.ts'

// In the same number of bytes: for this one transaction instead of the session.
const SET = Buffer.from("set_config('synchronous_commit', 'on', false)")
const FORGOTTEN = Buffer.from("set_config('synchronous_commit', 'on', true )")

/**
 * A way to a database as a pooler of transactions has it: what a session sets for itself, the next transaction does not
 * find. For each row that is written the database notes how its transaction was committed.
 */
const openForgetful = async (setting: string, { empty = false } = {}) => {
  const url = await temporaryDatabase({ empty })
  const name = new URL(url).pathname.slice(1)
  await lookAt(url, (client) => client.query(`ALTER DATABASE ${name} SET synchronous_commit = ${setting}`))
  const passage = await Passage.open(url)
  onTestFinished(() => passage.close())
  passage.mischief = {
    rewrite: (bytes) => {
      const at = bytes.indexOf(SET)
      if (at < 0) return bytes
      const changed = Buffer.from(bytes)
      FORGOTTEN.copy(changed, at)
      return changed
    },
  }
  return { url, through: passage.through(url) }
}

/** At the end of the transaction: what matters is how it was set when it was committed. */
const NOTING = `
  CREATE SCHEMA noting;
  CREATE TABLE noting.noted (place text, setting text);
  CREATE FUNCTION noting.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noting.noted VALUES (TG_TABLE_NAME, current_setting('synchronous_commit'));
    RETURN NULL;
  END $$;
  DO $$ DECLARE place text; BEGIN
    FOR place IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON %s
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION noting.note()', place);
    END LOOP;
  END $$;`

const noted = (url: string) =>
  lookAt(url, async (client) => {
    const { rows } = await client.query<{ place: string; setting: string }>('SELECT DISTINCT * FROM noting.noted')
    return rows
  })

const MAIL = { kind: 'confirmation', subscriptionId: 1, messageId: 'm', createdAt: 1, notBefore: 1 } as const
const addMail = ({ outbox }: Stores) => outbox.add({ ...MAIL, address: 'a' as never, expiresAt: undefined })
// As the library has it that counts requests.
const COUNT = `
            INSERT INTO "rate_limit" VALUES ($1, $2, $3)
              ON CONFLICT(key) DO UPDATE SET
                points = CASE WHEN ("rate_limit".expire <= $4 OR 1=0) THEN $2 ELSE "rate_limit".points + ($2) END,
                expire = CASE WHEN "rate_limit".expire <= $4 THEN $3 ELSE "rate_limit".expire END
            RETURNING points, expire;`

const REQUEST: NewRequest = { at: 1, address: undefined, asked: { kind: 'trap', feed: undefined } }

/** Every way in which anything is written, and where. */
const WAYS: [string, string, (storage: PostgresStorage) => Promise<unknown>][] = [
  ['a unit that locks what it writes', 'identity', ({ unitOfWork }) => unitOfWork.run(putTombstone('a'))],
  [
    'changes of users, set by set',
    'identity',
    (storage) => Promise.all(['a', 'b'].map((id) => createUser(storage, id))),
  ],
  [
    'a unit that locks nothing',
    'outbox',
    async ({ unitOfWork }) => {
      await unitOfWork.run(addMail)
      await unitOfWork.run(({ outbox }) => outbox.reschedule(1))
      await unitOfWork.run(({ outbox }) => outbox.claim({ owner: 'me', limit: 10, leaseFor: 1_000 }))
      await unitOfWork.run(({ outbox }) => outbox.renew('me', 2_000))
    },
  ],
  [
    'requests of the public that come in together',
    'sign_up_request',
    ({ inbox }) => Promise.all([1, 2, 3].map(() => inbox.append(REQUEST, undefined))),
  ],
  [
    'requests with challenges, also where none of those is new',
    'spent_challenge',
    async ({ inbox }) => {
      await inbox.append(REQUEST, { id: 'c', expiresAt: 1 })
      await Promise.all([inbox.append(REQUEST, { id: 'c', expiresAt: 1 }), inbox.append(REQUEST, undefined)])
    },
  ],
  ['a value that is settled', 'instance', (storage) => storage.settle('name', 'value')],
  ['a value that is replaced', 'instance', (storage) => storage.resettle('name', 'another')],
  [
    'a request that is counted',
    'rate_limit',
    async ({ client }) => {
      const query = { name: 'count', text: COUNT, values: ['subscribe 127.0.0.1', 1, 100, 50] }
      expect((await client.query(query)).rows).toMatchObject([{ points: 1, expire: 100 }])
      expect((await client.query(query)).rows).toMatchObject([{ points: 2, expire: 100 }])
    },
  ],
  [
    'what others keep in the database, and take away again',
    'rate_limit',
    async ({ client }) => {
      await client.query({ text: 'INSERT INTO rate_limit VALUES ($1, 1, 1)', values: ['a'] })
      await client.query({ text: 'UPDATE rate_limit SET points = 2' })
      await client.query({ text: ' delete from rate_limit;\n' })
      expect((await client.query({ text: 'SELECT count(*) AS left FROM rate_limit' })).rows).toEqual([{ left: 0 }])
    },
  ],
]

describe.each(WAYS)('%s', (_, place, write) => {
  it.each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_write', 'remote_write'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('is committed with synchronous_commit as it should be where a pooler has it %s: %s', async (setting, expected) => {
    const { url, through } = await openForgetful(setting)
    await lookAt(url, (client) => client.query(NOTING))
    const storage = await openStorage(through)
    await write(storage)
    const all = await noted(url)
    expect(all).toContainEqual({ place, setting: expected })
    expect(new Set(all.map(({ setting }) => setting))).toEqual(new Set([expected]))
  })
})

describe('behind a pooler that has synchronous_commit off', () => {
  it('the tables of a database are made in a transaction that waits for the disk', async () => {
    const { url, through } = await openForgetful('off', { empty: true })
    await lookAt(url, (client) =>
      client.query(`
        CREATE SCHEMA noting;
        CREATE TABLE noting.noted (place text, setting text);
        CREATE FUNCTION noting.note() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO noting.noted
            SELECT object_identity, current_setting('synchronous_commit') FROM pg_event_trigger_ddl_commands();
        END $$;
        CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION noting.note();`),
    )
    await migratePostgres(through)
    const made = await noted(url)
    expect(made.map(({ place }) => place)).toContain('public.subscription')
    expect(new Set(made.map(({ setting }) => setting))).toEqual(new Set(['on']))
  })

  it('whatever is moved is written in transactions that wait for the disk', async () => {
    const { url, through } = await openForgetful('off')
    await lookAt(url, (client) => client.query(NOTING))
    const source = await openSqliteSource(await filledDatabase(3))
    onTestFinished(() => source.close())
    const target = await openPostgresTarget(through)
    onTestFinished(() => target.close())
    await migrateData(source, target)
    await target.resettle?.('secret', 'x')
    await target.finish()
    const all = await noted(url)
    expect(all.length).toBeGreaterThan(10)
    expect(new Set(all.map(({ setting }) => setting))).toEqual(new Set(['on']))
  })
})
