import { chmod, mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ran } from './run-in-process.ts'
import { Home } from './running-service.ts'

const COMMANDS = [['user', 'list'], ['token', 'issue', '--subject', 'ada', '--role', 'admin'], ['migrate'], ['serve']]

/** One sentence on standard error, nothing on standard output, and exit code 4. */
const refused = (sentence: RegExp): Partial<Ran> => ({
  code: 4,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^error: [^\\n]*${sentence.source}[^\\n]*\\n$`)),
})

describe('a .env that cannot be read', () => {
  it('is said in one sentence by every command that needs settings, and help goes without them', async () => {
    await using home = await Home.make()
    await mkdir(path.join(home.folder, '.env'))
    for (const command of COMMANDS) expect(await home.run(...command)).toMatchObject(refused(/\.env cannot be read/))
    for (const option of ['--help', '--version'])
      expect(await home.run(option)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/./) })
  })
})

/** A data folder with all that the first use makes. */
const begin = async (home: Home): Promise<void> => {
  await home.run('migrate')
  await home.run('user', 'list')
}

describe('the secret', () => {
  it('is refused when it is missing or another than the database was begun with, and no new one is made', async () => {
    await using home = await Home.make()
    const file = path.join(home.folder, 'data/secret')
    await begin(home)
    await rename(file, `${file}.kept`)
    for (const command of [['user', 'list'], ['serve']])
      expect(await home.run(...command)).toMatchObject(refused(/secret .* is missing.*copy/))
    await expect(stat(file)).rejects.toThrow('ENOENT')
    await writeFile(file, 'f'.repeat(64), { mode: 0o600 })
    for (const command of [['user', 'list'], ['serve']])
      expect(await home.run(...command)).toMatchObject(refused(/is not the one .*copy/))
    expect(await home.runWith({ SECRET: 'f'.repeat(64) }, 'user', 'list')).toMatchObject(
      refused(/ROLLCALL_SECRET is not the one/),
    )
    await rename(`${file}.kept`, file)
    expect(await home.run('user', 'list')).toMatchObject({ code: 0, stderr: 'No user was found.\n' })
  })
})

describe.skipIf(process.platform === 'win32')('permissions', () => {
  it('that keep others out of the data folder are said in one sentence by every command', async () => {
    await using home = await Home.make()
    await begin(home)
    const folder = path.join(home.folder, 'data')
    await chmod(folder, 0o000)
    try {
      for (const ran of await Promise.all(COMMANDS.map((command) => home.runUnprivileged({}, ...command))))
        expect(ran).toMatchObject(refused(/cannot be reached .*permissions/))
    } finally {
      await chmod(folder, 0o700)
    }
  })

  it('that keep a database from being written stop a server with one sentence, and let a command read', async () => {
    await using home = await Home.make({ LOG_LEVEL: 'silent' })
    await begin(home)
    const folder = path.join(home.folder, 'data')
    await chmod(path.join(folder, 'rollcall.db'), 0o400)
    expect(await home.runUnprivileged({}, 'serve')).toMatchObject({
      ...refused(/rollcall\.db cannot be opened for writing/),
      stdout: expect.not.stringContaining('Rollcall'),
    })
    expect(await home.runUnprivileged({}, 'user', 'list')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^No user was found\.\nwarning: who read lists is not on record: .*\n$/),
    })
  })

  it('that keep the secret from being made are said in one sentence', async () => {
    await using home = await Home.make()
    const [data, elsewhere] = ['data', 'elsewhere'].map((name) => path.join(home.folder, name)) as [string, string]
    for (const folder of [data, elsewhere]) await mkdir(folder, { mode: 0o700 })
    await chmod(data, 0o500)
    const settings = { DATABASE_URL: `sqlite:${path.join(elsewhere, 'rollcall.db')}` }
    expect(await home.runUnprivileged(settings, 'migrate')).toMatchObject({ code: 0 })
    expect(await home.runUnprivileged(settings, 'user', 'list')).toMatchObject(
      refused(/secret .* cannot be made \(EACCES\)/),
    )
    expect(await readdir(data)).toEqual([])
  })
})

describe('a database', () => {
  it('that is a folder is said to be one by every command', async () => {
    await using home = await Home.make()
    const settings = { DATABASE_URL: `sqlite:${home.folder}/folder` }
    await mkdir(path.join(home.folder, 'folder'), { mode: 0o700 })
    for (const command of COMMANDS)
      expect(await home.runWith(settings, ...command)).toMatchObject(refused(/folder is a folder/))
  })

  it('is not moved to itself, by whatever name it goes', async () => {
    await using home = await Home.make()
    await begin(home)
    await symlink('data', path.join(home.folder, 'link'))
    for (const [from, to] of [
      ['sqlite:data/rollcall.db', 'sqlite:./link/rollcall.db'],
      ['postgres://a@db.invalid/x', 'postgres://a@db.invalid/x'],
    ] as const)
      expect(await home.run('migrate-data', '--from', from, '--to', to)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: 'error: --from and --to name the same database. Name another to move to.\n',
      })
  })
})

describe('the folder of pages', () => {
  it('stops the server where a file in it cannot be used, naming file and key, and is served where it can', async () => {
    await using home = await Home.make()
    await begin(home)
    const folder = path.join(home.folder, 'data/pages')
    await mkdir(folder)
    await writeFile(path.join(folder, 'nl.json'), '{"signUp": {"sumbit": "Aanmelden"}}')
    expect(await home.run('serve')).toMatchObject(refused(/pages\/nl\.json: 'signUp\.sumbit' is not known/))
    await writeFile(path.join(folder, 'nl.json'), '{"signUp": {"submit": "Aanmelden"}}')
    await writeFile(path.join(folder, 'theme.css'), '@import "https://example.com/x.css";')
    expect(await home.run('serve')).toMatchObject(refused(/pages\/theme\.css loads something from elsewhere/))
    await writeFile(path.join(folder, 'theme.css'), ':root { --accent: #7a1f5c }')
    await home.serveInProcess()
    const page = await fetch(`${home.url}/subscribe`, { headers: { 'Accept-Language': 'nl' } })
    const text = await page.text()
    expect(text).toMatch(/<html lang="nl" dir="ltr">[\s\S]*--accent: #7a1f5c[\s\S]*>Aanmelden<\/button>/)
  })
})
