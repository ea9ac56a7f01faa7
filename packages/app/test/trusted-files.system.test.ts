import { chmod, chown, mkdir, mkdtemp, rename, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

const STRANGER = 12_345
const asRoot = process.getuid?.() === 0

const COMMANDS = [
  ['migrate'],
  ['user', 'list'],
  ['token', 'issue', '--subject', 'ada'],
  ['key', 'rotate'],
  ['audit', 'verify'],
  ['backup', '../copy.db'],
  ['restore', '../copy.db', '--without-tombstones', '--yes'],
  ['migrate-data', '--from', 'sqlite:data/rollcall.db', '--to', 'sqlite:other/rollcall.db'],
  // Where the others are not refused, this one would go on serving.
  ['serve'],
]

describe.skipIf(process.platform === 'win32')('what the service believes', () => {
  let home: Home
  const at = (name: string): string => path.join(home.folder, name)
  const refusal = (text: string) => ({ code: 4, stdout: '', stderr: expect.stringContaining(text) })

  beforeEach(async () => {
    home = await Home.make()
    await home.run('migrate')
    await home.token('ada', 'admin')
  })
  afterEach(async () => await home[Symbol.asyncDispose]())

  describe.each([
    ['data', 0o755, 0o703],
    ['data/secret', 0o644, 0o602],
    ['data/link-keys.json', 0o644, 0o602],
    ['data/signing-keys.json', 0o604, 0o666],
    ['data/rollcall.db', 0o644, 0o606],
  ])('%s', (name, ...modes) => {
    it('is refused by every command where everybody may read or write it, with the command that closes it', async () => {
      for (const mode of modes) {
        await chmod(at(name), mode)
        const remedy = `Close it: chmod ${name === 'data' ? 700 : 600} ${at(name)}`
        for (const command of COMMANDS)
          expect([command, await home.run(...command)]).toEqual([command, expect.objectContaining(refusal(remedy))])
      }
      await chmod(at(name), name === 'data' ? 0o700 : 0o600)
      expect(await home.run('user', 'list')).toMatchObject({ code: 0 })
    })

    it.skipIf(!asRoot)('is refused by every command where another user owns it', async () => {
      await chown(at(name), STRANGER, STRANGER)
      for (const command of COMMANDS) {
        const ran = await home.run(...command)
        expect([command, ran]).toEqual([command, expect.objectContaining(refusal('belongs to another user (12345)'))])
        expect(ran.stderr).toContain(`Run this as that user: sudo -u '#${STRANGER}' rollcall ...\n`)
      }
    })

    it('gives a warning where the group has access, as in a volume of Kubernetes', async () => {
      await chmod(at(name), name === 'data' ? 0o2770 : 0o660)
      const ran = await home.run('user', 'list')
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: .* is open to its group\. /) })
      const service = await home.serveInProcess()
      expect(service.log).toContain(`${at(name)} is open to its group.`)
      expect(await home.run('doctor')).toMatchObject({ stdout: expect.stringContaining('is open to its group') })
    })
  })

  it.skipIf(!asRoot)('is refused on one line where all of it is of another user', async () => {
    const names = ['secret', 'link-keys.json', 'signing-keys.json', 'rollcall.db', 'audit-anchor']
    for (const name of ['', ...names]) await chown(at(`data/${name}`), STRANGER, STRANGER)
    expect((await home.run('user', 'list')).stderr).toBe(
      `error: The data folder ${at('data')} belongs to another user (${STRANGER}), who can change it. ` +
        `So does what is in it: ${names.join(', ')}. Run this as that user: sudo -u '#${STRANGER}' rollcall ...\n`,
    )
    const { stdout } = await home.run('doctor')
    expect(stdout.split('\n').filter((line) => line.startsWith('failed'))).toEqual([
      expect.stringMatching(/^failed +data folder: .* belongs to another user/),
    ])
  })

  it.skipIf(!asRoot)('is refused where it is a link to what another user has', async () => {
    await rename(at('data/secret'), at('elsewhere'))
    await chown(at('elsewhere'), STRANGER, STRANGER)
    await symlink(at('elsewhere'), at('data/secret'))
    expect(await home.run('user', 'list')).toMatchObject(refusal('belongs to another user (12345)'))
  })

  it('is refused in a seal of the audit trail that everybody may write', async () => {
    await chmod(at('data/audit-anchor'), 0o644)
    expect(await home.run('user', 'list')).toMatchObject({ code: 0 })
    await chmod(at('data/audit-anchor'), 0o606)
    expect(await home.run('audit', 'verify')).toMatchObject(refusal(`chmod o-w ${at('data/audit-anchor')}`))
  })

  it('is refused in several files at once, each on a line of its own with its command', async () => {
    for (const name of ['data', 'data/secret']) await chmod(at(name), 0o755)
    expect((await home.run('user', 'list')).stderr).toBe(
      `error: The data folder ${at('data')} is open to other users. Close it: chmod 700 ${at('data')}\n` +
        `The secret in ${at('data/secret')} is open to other users. Close it: chmod 600 ${at('data/secret')}\n`,
    )
  })

  it.each(['-wal', '-shm', '-journal'])('is refused in a file %s that everybody may write', async (ending) => {
    await chmod(at('data/rollcall.db'), 0o660)
    await writeFile(at(`data/rollcall.db${ending}`), '')
    await chmod(at(`data/rollcall.db${ending}`), 0o666)
    expect(await home.run('user', 'list')).toMatchObject(refusal(`chmod 600 ${at(`data/rollcall.db${ending}`)}`))
  })

  it('is refused in a database elsewhere, in a folder that everybody may write', async () => {
    const folder = await mkdtemp(at('elsewhere-'))
    await rename(at('data/rollcall.db'), path.join(folder, 'rollcall.db'))
    await chmod(folder, 0o755)
    const settings = { DATABASE_URL: `sqlite:${folder}/rollcall.db` }
    expect(await home.runWith(settings, 'user', 'list')).toMatchObject({ code: 0 })
    await chmod(folder, 0o777)
    expect(await home.runWith(settings, 'user', 'list')).toMatchObject(refusal(`chmod o-w ${folder}`))
  })

  it('is never to be closed in a place that is for everybody, such as /tmp, but to be put into a folder of its own', async () => {
    await mkdir(at('tmp'))
    await chmod(at('tmp'), 0o1777)
    for (const [settings, text] of [
      [
        { DATA_DIR: 'tmp' },
        `The data folder ${at('tmp')} is a place that everybody may write to. Set ROLLCALL_DATA_DIR to a folder within it, such as ${at('tmp/rollcall')}.`,
      ],
      [
        { DATABASE_URL: 'sqlite:tmp/x.db' },
        `The folder of the database ${at('tmp')} is a place that everybody may write to. Name a file in a folder of its own, such as sqlite:${at('tmp/rollcall/rollcall.db')}.`,
      ],
      [
        { DATABASE_URL: 'sqlite:tmp' },
        `The database ${at('tmp')} is a folder. Name a file, such as sqlite:${at('tmp/rollcall/rollcall.db')}.`,
      ],
    ] as const)
      for (const command of [['migrate'], ['user', 'list'], ['serve']]) {
        const ran = await home.runWith(settings, ...command)
        expect(ran).toMatchObject(refusal(`error: ${text}\n`))
        expect(ran.stderr).not.toContain('chmod')
      }
  })

  it('is not told to close what is no file or no folder', async () => {
    for (const [settings, text] of [
      [
        { DATABASE_URL: 'sqlite:.' },
        `The database ${home.folder} is a folder. Name a file, such as sqlite:${at('rollcall.db')}.`,
      ],
      [{ DATABASE_URL: 'sqlite:/dev/null' }, 'The database /dev/null is no ordinary file. Name another.'],
      [
        { DATA_DIR: 'data/rollcall.db' },
        `The data folder ${at('data/rollcall.db')} is no folder. Set ROLLCALL_DATA_DIR to another.`,
      ],
    ] as const) {
      const ran = await home.runWith(settings, 'migrate')
      expect(ran).toMatchObject(refusal(`error: ${text}\n`))
      expect(ran.stderr).not.toContain('chmod')
    }
  })

  it('is refused in the target of a move', async () => {
    await writeFile(at('target.db'), '', { mode: 0o666 })
    await chmod(at('target.db'), 0o666)
    const move = ['migrate-data', '--from', 'sqlite:data/rollcall.db', '--to', 'sqlite:target.db']
    expect(await home.run(...move)).toMatchObject(refusal('chmod 600'))
  })

  it('is refused in `.env`, which says where everything is', async () => {
    await writeFile(at('.env'), 'ROLLCALL_TRACE=off\n', { mode: 0o600 })
    expect(await home.run('user', 'list')).toMatchObject({ code: 0 })
    for (const mode of [0o644, 0o602]) {
      await chmod(at('.env'), mode)
      for (const command of [...COMMANDS, ['doctor']])
        expect([command, await home.run(...command)]).toEqual([command, expect.objectContaining(refusal('chmod 600'))])
    }
    await chmod(at('.env'), 0o640)
    expect(await home.run('user', 'list')).toMatchObject({ code: 0, stderr: expect.stringContaining('to its group') })
    if (!asRoot) return
    await chmod(at('.env'), 0o600)
    await chown(at('.env'), STRANGER, STRANGER)
    expect(await home.run('user', 'list')).toMatchObject(refusal('belongs to another user (12345)'))
  })

  it('may be a secret that a container mounts, which everybody may read and only root may change', async () => {
    await writeFile(at('database'), `sqlite:${at('data/rollcall.db')}\n`)
    const run = () => home.runWith({ DATABASE_URL_FILE: at('database') }, 'user', 'list')
    await chmod(at('database'), 0o444)
    const name = `The file of ROLLCALL_DATABASE_URL_FILE, ${at('database')}`
    const warned = { code: 0, stderr: expect.stringContaining(`warning: ${name} is open to other users.`) }
    expect(await run()).toMatchObject(asRoot ? warned : refusal('chmod 600'))
    await chmod(at('database'), 0o446)
    expect(await run()).toMatchObject(refusal(`${name} is open to other users. Close it: chmod 600`))
    if (!asRoot) return
    await chmod(at('database'), 0o400)
    await chown(at('database'), STRANGER, STRANGER)
    expect(await run()).toMatchObject(refusal(`${name} belongs to another user`))
  })

  it('may be the secret of the console at an identity provider, which is one as well', async () => {
    await writeFile(at('client'), 'a secret of the console\n')
    await chmod(at('client'), 0o444)
    const provider = { AUTH_ISSUER: 'https://id.example.com', AUTH_AUDIENCE: 'rollcall', CONSOLE_CLIENT_ID: 'console' }
    const run = () => home.runWith({ ...provider, CONSOLE_CLIENT_SECRET_FILE: at('client') }, 'user', 'list')
    const said = `The file of ROLLCALL_CONSOLE_CLIENT_SECRET_FILE, ${at('client')} is open to other users.`
    expect(await run()).toMatchObject(asRoot ? { code: 0, stderr: expect.stringContaining(said) } : refusal(said))
  })

  it('may be a setting without a secret in a file that everybody may read', async () => {
    await writeFile(at('sender'), 'Club <club@example.com>\n')
    await chmod(at('sender'), 0o644)
    const run = () => home.runWith({ MAIL_FROM_FILE: at('sender') }, 'user', 'list')
    expect(await run()).toMatchObject({ code: 0, stderr: 'No user was found.\n' })
    await chmod(at('sender'), 0o666)
    expect(await run()).toMatchObject(refusal(`chmod o-w ${at('sender')}`))
    const said = `The file of ROLLCALL_MAIL_FROM_FILE, ${at('sender')} is open to other users.`
    const checked = await home.runWith({ MAIL_FROM_FILE: at('sender') }, 'doctor', '--json')
    expect(checked).toMatchObject({ code: 3, stdout: expect.stringContaining(said) })
  })

  it.each(['pages', 'templates'])('are words in %s that only their writer may change', async (folder) => {
    await mkdir(at(`data/${folder}`), { mode: 0o755 })
    const file = at(`data/${folder}/readme.txt`)
    await writeFile(file, '')
    await chmod(file, 0o666)
    expect(await home.run('user', 'list')).toMatchObject(refusal(`chmod o-w ${file}`))
    await chmod(file, 0o644)
    await chmod(at(`data/${folder}`), 0o777)
    expect(await home.run('user', 'list')).toMatchObject(refusal(`chmod o-w ${at(`data/${folder}`)}`))
  })

  it('is refused in a mail folder that everybody may read: its links confirm', async () => {
    await mkdir(at('data/mail'), { recursive: true })
    await chmod(at('data/mail'), 0o755)
    expect(await home.run('user', 'list')).toMatchObject(refusal(`chmod 700 ${at('data/mail')}`))
  })
})
