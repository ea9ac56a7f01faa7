import { chmod, cp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { auditAnchorContract } from '@rollcall/core/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditAnchorFile } from '../src/audit-anchor-file.ts'
import { Home } from './running-service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const anchorOf = (home: Home): string => path.join(home.folder, 'data/audit-anchor')
const numberIn = async (file: string): Promise<number> => Number(/^\d+-(\d+)\./.exec(await readFile(file, 'utf8'))?.[1])
const verify = async (home: Home, settings = {}) => {
  const { code, stdout, stderr } = await home.runWith(settings, 'audit', 'verify', '--json')
  return { code, ...JSON.parse(stdout), stderr }
}
const put = async (home: Home, ...ids: string[]) => {
  for (const id of ids) expect((await home.run('user', 'put', id, '--email', `${id}@example.com`)).code, id).toBe(0)
}

/** What a person can do who may write to the database, and has neither the secret nor the data folder. */
const tamper = (home: Home, ...statements: string[]): void => {
  const db = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'))
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'audit%'")
  for (const { name } of triggers.all()) db.exec(`DROP TRIGGER ${name}`)
  for (const statement of statements) db.exec(statement)
  db.close()
}
const cutAfter = (sequence: number): string[] => [
  `DELETE FROM audit_record WHERE sequence > ${sequence}`,
  `DELETE FROM audit_seal WHERE last > ${sequence}`,
  `UPDATE instance SET value = (SELECT first || '-' || last || '.' || hash || '.' || at || '.' || mac FROM audit_seal
    ORDER BY last DESC LIMIT 1) WHERE name = 'audit-head'`,
]

let sealed: Home
beforeAll(async () => {
  sealed = await Home.make()
  await sealed.run('migrate')
  for (const ids of [['ada'], ['bob', 'eve']]) {
    await put(sealed, ...ids)
    await (await sealed.serveInProcess()).stop()
  }
})
afterAll(() => sealed[Symbol.asyncDispose]())

/** Two seals: at record 1, and at record 3. */
const withSeals = async (): Promise<Home> => {
  const home = await Home.make()
  await cp(sealed.folder, home.folder, { recursive: true })
  return home
}

auditAnchorContract(async () => {
  const file = path.join(await temporaryFolder(), 'anchor')
  return { anchor: auditAnchorFile(file), again: () => auditAnchorFile(file) }
})

describe('a trail that is rolled back without the secret', () => {
  it('is found where the head is an older seal and the rest is gone', async () => {
    await using home = await withSeals()
    expect(await verify(home)).toMatchObject({ code: 0, records: 3 })
    tamper(home, ...cutAfter(1), "DELETE FROM user_account WHERE id <> 'ada'")
    expect(await verify(home)).toMatchObject({ code: 3, records: 1, broken: { sequence: 2, fault: 'cut' } })
    // A server that runs on it does not take the shorter trail for the true one.
    await put(home, 'mallory')
    await (await home.serveInProcess()).stop()
    expect(await verify(home)).toMatchObject({ code: 3 })
    expect(await numberIn(anchorOf(home))).toBe(3)
  })

  it('is found where all of it is gone, and users are not', async () => {
    await using home = await withSeals()
    await rm(anchorOf(home), { force: true })
    tamper(home, 'DELETE FROM audit_record', 'DELETE FROM audit_seal', "DELETE FROM instance WHERE name = 'audit-head'")
    expect(await verify(home)).toMatchObject({ code: 3, broken: { sequence: 1, fault: 'emptied' } })
  })

  it('is found where a command that ended wrote what was cut', async () => {
    await using home = await withSeals()
    await put(home, 'joe')
    tamper(home, 'DELETE FROM audit_record WHERE sequence > 3', "DELETE FROM user_account WHERE id = 'joe'")
    expect(await verify(home)).toMatchObject({ code: 3, broken: { sequence: 4, fault: 'cut' } })
  })
})

describe('the roles of users', () => {
  it('that were changed past the service are found', async () => {
    await using home = await withSeals()
    const statement = "INSERT INTO user_role SELECT 'admin', seq FROM user_account WHERE id = 'bob'"
    tamper(home, "UPDATE user_account SET roles = '[\"admin\"]' WHERE id = 'bob'", statement)
    expect((await home.run('user', 'show', 'bob')).stdout).toContain('admin')
    const found = await verify(home)
    expect(found).toMatchObject({ code: 3, broken: { sequence: 2, fault: 'roles', user: 'bob' } })
    expect(found.stderr).toContain("The user 'bob' is gone or has other roles than record 2 says.")
  })
})

describe('the seal that is kept outside the database', () => {
  it('is made for a database that has none yet, for this user alone', async () => {
    await using home = await withSeals()
    await rm(anchorOf(home))
    expect(await verify(home)).toMatchObject({ code: 0, anchor: null })
    await (await home.serveInProcess()).stop()
    expect(await numberIn(anchorOf(home))).toBe(3)
    expect((await stat(anchorOf(home))).mode & 0o777).toBe(0o600)
    expect(await verify(home)).toMatchObject({ code: 0, anchor: 3 })
  })

  it('is where the setting says, and an older one is no fault', async () => {
    await using home = await withSeals()
    const older = await readFile(anchorOf(home), 'utf8')
    const elsewhere = { AUDIT_ANCHOR: path.join(home.folder, 'anchor-elsewhere') }
    await put(home, 'joe')
    await writeFile(elsewhere.AUDIT_ANCHOR, older)
    expect(await verify(home, elsewhere)).toMatchObject({ code: 0, anchor: 3, records: 4 })
    await (await home.serveInProcess(elsewhere)).stop()
    expect(await numberIn(elsewhere.AUDIT_ANCHOR)).toBe(4)
  })

  it('is not taken where it is damaged, and stays as it is', async () => {
    await using home = await withSeals()
    await writeFile(anchorOf(home), 'nothing of use\n')
    const found = await verify(home)
    expect(found).toMatchObject({ code: 3, records: 3, broken: { fault: 'anchor' } })
    expect(found.stderr).toMatch(
      /\(ROLLCALL_AUDIT_ANCHOR\) is not a seal .* wrote that file.* by --since\. .* remove the file/,
    )
    await (await home.serveInProcess()).stop()
    expect(await readFile(anchorOf(home), 'utf8')).toBe('nothing of use\n')
  })

  it('must have a folder', async () => {
    await using home = await Home.make({ AUDIT_ANCHOR: 'nowhere/anchor' })
    const refused = await home.run('serve')
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('ROLLCALL_AUDIT_ANCHOR') })
  })

  it('must not be a folder, whoever may write to it', async () => {
    const folder = await temporaryFolder()
    await chmod(folder, 0o1777)
    await using home = await Home.make({ AUDIT_ANCHOR: folder })
    const stderr = `error: ROLLCALL_AUDIT_ANCHOR: ${folder} is a folder. Name a file in it.\n`
    expect(await home.run('serve')).toMatchObject({ code: 4, stderr })
    expect((await home.run('doctor')).stdout).not.toContain('chmod')
  })

  it('is renewed by a restore', async () => {
    await using home = await withSeals()
    expect((await home.run('backup', 'b.db')).code).toBe(0)
    await put(home, 'joe')
    await (await home.serveInProcess()).stop()
    await rm(path.join(home.folder, 'data/rollcall.db'))
    expect((await home.run('restore', 'b.db', '--yes', '--without-tombstones')).code).toBe(0)
    expect(await verify(home)).toMatchObject({ code: 0, records: 7, anchor: 7 })
  })
})
