import { Unavailable } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { examinePostgres } from '../../src/postgres/index.ts'
import { putTombstone } from '../a-tombstone.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { openStorage, temporaryDatabase } from './temporary-storage.ts'

const REFUSE = (code: string) =>
  `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'could not extend file: No space left on device' USING ERRCODE = '${code}'; END $$;
  CREATE FUNCTION refuse_table() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'could not extend file: No space left on device' USING ERRCODE = '${code}'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON identity FOR EACH ROW EXECUTE FUNCTION refuse();
  CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS', 'CREATE TABLE')
    EXECUTE FUNCTION refuse_table()`
const MAKE_ROOM = 'DROP EVENT TRIGGER full_disk; DROP TRIGGER full_disk ON identity'

/** Answers as a server does that has no room for another page of any table. */
const withFullDisk = async (code: string) => {
  const url = await temporaryDatabase()
  const run = (text: string) => lookAt(url, (client) => client.query(text))
  await run(REFUSE(code))
  return { url, run }
}

describe('a server whose disk takes no writes', () => {
  it.each(['53100', '58030'])(
    'is not ready from the first write on that fails by %s until one succeeds',
    async (code) => {
      const { url, run } = await withFullDisk(code)
      const { unitOfWork, readers } = await openStorage(url)
      expect(await readers.outbox.health()).toMatchObject({ parked: false })
      await expect(unitOfWork.run(putTombstone('one'))).rejects.toBeInstanceOf(Unavailable)
      for (let asked = 0; asked < 50; asked++) await expect(readers.outbox.health()).rejects.toBeInstanceOf(Unavailable)
      // What is read is there all the time.
      expect(await readers.outbox.depth()).toEqual({ waiting: 0, parked: 0 })
      await run(MAKE_ROOM)
      await expect.poll(() => readers.outbox.health().catch(() => undefined)).toBeDefined()
      await unitOfWork.run(putTombstone('two'))
      const tables = await run("SELECT FROM pg_class WHERE relname LIKE '%trial%'")
      expect(tables.rows).toHaveLength(0)
    },
  )

  it('is tried once a second, however often it is asked', async () => {
    const { url, run } = await withFullDisk('53100')
    await run(
      'CREATE SEQUENCE tries; CREATE OR REPLACE FUNCTION refuse_table() RETURNS event_trigger LANGUAGE plpgsql AS ' +
        "$$ BEGIN PERFORM nextval('tries'); RAISE 'full' USING ERRCODE = '53100'; END $$",
    )
    const { unitOfWork, readers } = await openStorage(url)
    await expect(unitOfWork.run(putTombstone('one'))).rejects.toBeInstanceOf(Unavailable)
    const began = performance.now()
    for (let asked = 0; asked < 100; asked++)
      await Promise.all([1, 2, 3].map(() => expect(readers.outbox.health()).rejects.toBeInstanceOf(Unavailable)))
    const { rows } = await run('SELECT last_value::integer AS tries FROM tries')
    expect(rows[0].tries).toBeLessThanOrEqual(2 + (performance.now() - began) / 1_000)
  })

  it('is as ready as before for a role that may not make tables, which cannot try it', async () => {
    const { url, run } = await withFullDisk('53100')
    const name = `least_${process.pid}`
    await run(`CREATE ROLE ${name} LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name};
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${name}`)
    onTestFinished(async () => {
      await run(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
    })
    await run('DROP EVENT TRIGGER full_disk')
    const { unitOfWork, readers } = await openStorage(Object.assign(new URL(url), { username: name }).href)
    await expect(unitOfWork.run(putTombstone('one'))).rejects.toBeInstanceOf(Unavailable)
    expect(await readers.outbox.health()).toBeDefined()
  })

  it('is found by a look at the database, with what to do', async () => {
    const { url, run } = await withFullDisk('53100')
    await expect(examinePostgres(url)).rejects.toThrow(/has no room on its disk\. Make room/)
    await run(MAKE_ROOM)
    await (await examinePostgres(url)).close()
  })
})
