import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

/** Milliseconds: how often it looks for mails that should not be there. */
const SWEEP = 3_000
const OTHERS = /The mails in \S+ belong to another database\. Set ROLLCALL_DATABASE_URL to theirs/

const signUp = async (home: Home): Promise<void> => {
  const before = (await home.mails()).length
  expect((await home.signUp(`${randomUUID()}@example.com`)).status).toBe(200)
  await eventually(async () => (await home.mails()).length === before + 1, 'that the mail is written')
}

/** A service that has written a mail, and was stopped. */
const withMail = async (): Promise<Home> => {
  const home = await Home.make()
  const server = await home.serveInProcess()
  await signUp(home)
  await server.stop()
  return home
}

const TYPO = { DATABASE_URL: 'sqlite:./typo.db' }

describe('mails as files', () => {
  it('are never removed by a service on another database, which does not start', async () => {
    await using home = await withMail()
    const before = await home.mails()
    expect(await home.runWith(TYPO, 'serve')).toMatchObject({ code: 4, stderr: expect.stringMatching(OTHERS) })
    await rm(path.join(home.folder, 'data/mail/.database'))
    expect(await home.runWith(TYPO, 'serve')).toMatchObject({ code: 4, stderr: expect.stringMatching(OTHERS) })
    expect(await home.mails()).toEqual(before)
    await home.serveInProcess()
    await signUp(home)
  })

  it('may be begun by another database once they were moved away, which is then not the one before', async () => {
    await using home = await withMail()
    const [folder, aside] = [path.join(home.folder, 'data/mail'), path.join(home.folder, 'aside')]
    const before = await home.mails()
    await rename(folder, aside)
    await mkdir(folder, { mode: 0o700 })
    await copyFile(path.join(aside, '.database'), path.join(folder, '.database'))
    await (await home.serveInProcess(TYPO)).stop()
    await rm(folder, { recursive: true })
    await rename(aside, folder)
    expect(await home.runWith(TYPO, 'serve')).toMatchObject({ code: 4, stderr: expect.stringMatching(OTHERS) })
    expect(await home.mails()).toEqual(before)
  })

  it('that a crash has left of an erased subscription are swept, also from a folder of before they had an owner', async () => {
    await using home = await withMail()
    const folder = path.join(home.folder, 'data/mail')
    const [mail] = await home.mails()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const owned of [true, false]) {
      await writeFile(path.join(folder, '7.left.eml'), 'Dear Maria')
      if (!owned) {
        await rm(path.join(folder, '.database'))
        const database = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'))
        database.exec("DELETE FROM instance WHERE name = 'mail-owner'")
        database.close()
      }
      const server = await home.serveInProcess()
      await vi.advanceTimersByTimeAsync(SWEEP)
      await eventually(async () => (await home.mails()).length === 1, 'that what was left is swept')
      expect(await home.mails()).toEqual([mail])
      await server.stop()
    }
    expect(await readdir(folder)).toContain('.database')
  })

  it('are those of a backup that is restored', async () => {
    await using home = await withMail()
    expect((await home.run('backup', 'copy.db')).code).toBe(0)
    await rm(path.join(home.folder, 'data/rollcall.db'))
    expect((await home.run('restore', 'copy.db', '--yes', '--without-tombstones')).code).toBe(0)
    const before = await home.mails()
    await home.serveInProcess()
    await signUp(home)
    expect(await home.mails()).toEqual(expect.arrayContaining(before))
  })
})
