import { describe, expect, it } from 'vitest'
import { examinePostgres, migratePostgres, openPostgresStorage } from '../../src/postgres/index.ts'
import { emptyDatabase, lookAt, newDatabase } from '../postgres-server/databases.ts'
import { temporaryDatabase } from './temporary-storage.ts'

it('an examination of a PostgreSQL database finds what is there, and what is not', async () => {
  const { url, drop } = await newDatabase()
  const storage = await openPostgresStorage({ url })
  await storage.settle('secret-fingerprint', 'abc')
  await storage.unitOfWork.run(async ({ events }) => events.append({ type: 'user.created', subject: 'ada', at: 1_000 }))
  const examination = await examinePostgres(url)
  expect({
    ...{ missing: examination.missing, damage: await examination.damage(), trail: await examination.trailEnd() },
    ...{ newest: await examination.newest(), secret: await examination.recall('secret-fingerprint') },
    health: await examination.outbox.health(),
  }).toEqual({
    ...{
      missing: [],
      damage: [],
      trail: { seal: undefined, before: undefined, sealed: [], last: 0, unsealed: 0, unsealedSince: undefined },
    },
    ...{ newest: 1_000, secret: 'abc', health: { parked: false, dueSince: undefined } },
  })
  await examination.close()
  await storage.close()
  await drop()
  const empty = await emptyDatabase()
  const before = await examinePostgres(empty.url)
  expect(before.missing.length).toBeGreaterThan(0)
  await before.close()
  await empty.drop()
})

describe('an examination of the structure of a PostgreSQL database', () => {
  const damageOf = async (url: string) => {
    const examination = await examinePostgres(url)
    try {
      return await examination.damage()
    } finally {
      await examination.close()
    }
  }

  it.each([
    [
      'ALTER TABLE user_account DROP CONSTRAINT user_account_email_key',
      /^the constraint "user_account_email_key" of "user_account" is missing$/m,
    ],
    [
      'ALTER TABLE subscription DROP CONSTRAINT subscription_pkey CASCADE',
      /the index "subscription_pkey" of "subscription" is missing/,
    ],
    ['DROP INDEX outbox_due', /^the index "outbox_due" of "outbox" is missing$/],
    [
      'DROP INDEX waiting_feedback_address; CREATE INDEX waiting_feedback_address ON waiting_feedback (address)',
      /^the index "waiting_feedback_address" of "waiting_feedback" is not as it should be$/,
    ],
    [
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'outbox_due'::regclass",
      /"outbox_due" .* is not as it should be/,
    ],
    [
      'ALTER TABLE audit_record DISABLE TRIGGER audit_record_unchanged',
      /^the trigger "audit_record_unchanged" of "audit_record" is not/,
    ],
    [
      'DROP TRIGGER subscription_added ON subscription',
      /^the trigger "subscription_added" of "subscription" is missing$/,
    ],
    ['DROP FUNCTION rollcall_refuse() CASCADE', /^function rollcall_refuse\(\) is missing$/],
    [
      'CREATE OR REPLACE FUNCTION rollcall_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
      /^the function "rollcall_refuse" is not as it should be$/,
    ],
    ['ALTER TABLE feed ALTER COLUMN title DROP NOT NULL', /^the column "title" of "feed" is not as it should be$/],
    [
      'ALTER TABLE feed ADD COLUMN theirs integer NOT NULL DEFAULT 1',
      /^the column "theirs" of "feed" does not belong there$/,
    ],
    ['ALTER TABLE event ENABLE ROW LEVEL SECURITY', /^the table "event" is not as it should be$/],
    [
      'CREATE UNIQUE INDEX theirs ON user_account (name)',
      /^the index "theirs" of "user_account" does not belong there$/,
    ],
  ])('finds what is lost by %s', async (sql, finding) => {
    const url = await temporaryDatabase()
    await lookAt(url, (client) => client.query(sql))
    expect((await damageOf(url))?.join('\n')).toMatch(finding)
  })

  it('takes no harm from what others add, in any schema, and changes nothing', async () => {
    const url = new URL(await temporaryDatabase({ empty: true }))
    url.searchParams.set('schema', 'user')
    await migratePostgres(url.href)
    await lookAt(url.href.replace(/\?.*/, ''), (client) =>
      client.query(
        'CREATE INDEX theirs ON "user".user_account (name); CREATE TABLE "user".theirs_too (n integer); CREATE TABLE feed (n integer)',
      ),
    )
    expect(await damageOf(url.href)).toEqual([])
    expect(await damageOf(url.href)).toEqual([])
  })
})
