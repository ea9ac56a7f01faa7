import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { examineSqlite } from '../src/sqlite/index.ts'
import { lookAt, makeDatabase, newDatabase, newFolder, openStorage } from './temporary-storage.ts'

const EVENT = { type: 'user.created', subject: 'ada', at: 1_000 } as const

/** Every file of the folder with what is in it, but for the index of the log, which belongs to who has it open. */
const contentsOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.dirname(file))
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(path.join(path.dirname(file), name)))
          .digest('hex'),
      ]),
  )

const NO_TRAIL = {
  ...{ seal: undefined, before: undefined, sealed: [], last: 0 },
  ...{ unsealed: 0, unsealedSince: undefined },
}

/** Everything that can be asked, once. */
const look = async (file: string) => {
  const examination = await examineSqlite(file)
  try {
    const { missing } = examination
    if (missing.length > 0) return { missing }
    return {
      ...{ missing, damage: await examination.damage(), trail: await examination.trailEnd() },
      ...{ newest: await examination.newest(), secret: await examination.recall('secret-fingerprint') },
      health: await examination.outbox.health(),
    }
  } finally {
    await examination.close()
  }
}

describe('an examination of a database file', () => {
  it('finds what is there, and leaves every byte and no file more', async () => {
    const file = await newDatabase()
    const before = contentsOf(file)
    expect(await look(file)).toEqual({
      ...{ missing: [], damage: [], trail: NO_TRAIL },
      ...{ newest: undefined, secret: undefined, health: { parked: false, dueSince: undefined } },
    })
    expect(contentsOf(file)).toEqual(before)
    expect(readdirSync(path.dirname(file))).toEqual(['rollcall.db'])
  })

  it('goes on beside a server, and sees what that has committed', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    await storage.settle('secret-fingerprint', 'abc')
    await storage.unitOfWork.run(async ({ events }) => events.append(EVENT))
    expect(await look(file)).toMatchObject({ newest: 1_000, secret: 'abc' })
    await storage.unitOfWork.run(async ({ events }) => events.append({ ...EVENT, at: 2_000 }))
    expect(await look(file)).toMatchObject({ newest: 2_000 })
  })

  it('reads the log that a dead server left, and leaves it for the next one', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    await storage.unitOfWork.run(async ({ events }) => events.append(EVENT))
    // As the files are when the process is killed.
    const copy = path.join(newFolder(), 'data', 'rollcall.db')
    mkdirSync(path.dirname(copy))
    for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${copy}${ending}`)
    const before = contentsOf(copy)
    expect(await look(copy)).toMatchObject({ newest: 1_000 })
    expect(contentsOf(copy)).toEqual(before)
  })

  it('reports damage, and a file that is not a database, or lacks its tables', async () => {
    const file = await newDatabase()
    const root = lookAt(file, (database) =>
      database.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'mail_cap'").pluck().get(),
    )
    writeSync(openSync(file, 'r+'), 'damaged '.repeat(512), ((root ?? 0) - 1) * 4096)
    await expect(look(file)).rejects.toMatchObject({ name: 'StorageNotUsable', problem: 'damaged' })
    const text = path.join(newFolder(), 'text.db')
    writeSync(openSync(text, 'w'), 'this is no database, whatever its name says. '.repeat(50))
    await expect(examineSqlite(text)).rejects.toMatchObject({ name: 'StorageNotUsable', problem: 'damaged' })
    const empty = path.join(newFolder(), 'empty.db')
    makeDatabase(empty)
    expect((await look(empty)).missing.length).toBeGreaterThan(0)
    await expect(examineSqlite(path.join(newFolder(), 'none.db'))).rejects.toMatchObject({ name: 'StorageNotUsable' })
  })
})
