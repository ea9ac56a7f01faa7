import { chmod, chown } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { answers, ScriptedServer } from './scripted-server.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli } from './terminal.ts'

const EMPTY = answers(200, { items: [], next: null })
const AT = '2026-01-01T00:00:00.000Z'
const LIST = ['user', 'list']
const refusal = (text: string) => ({ exitCode: 2, stdout: '', stderr: expect.stringContaining(text) })

describe('options that go with every command', () => {
  it('stand anywhere on the line', async () => {
    await using server = await ScriptedServer.play(EMPTY)
    const options = ['--server', server.url, '--token=abc', '--json']
    const { run, opened } = openTestCli()
    for (let at = 0; at <= LIST.length; at++) {
      const argv = [...LIST.slice(0, at), ...options, ...LIST.slice(at)]
      expect(await run(argv)).toEqual({ exitCode: 0, stdout: '{"items":[\n],"next":null}\n', stderr: '' })
    }
    expect(opened.times).toBe(0)
    expect(server.seen).toHaveLength(3)
    expect(server.seen[0]).toMatchObject({
      url: '/users?limit=200',
      headers: { authorization: 'Bearer abc', 'user-agent': 'rollcall/1.2.3' },
    })
  })

  it('are refused where they do not go together', async () => {
    const { run } = openTestCli()
    expect(await run([...LIST, '--token', 'abc'])).toMatchObject(refusal('go with --server'))
    expect(await run([...LIST, '--insecure-http'])).toMatchObject(refusal('go with --server'))
    const both = ['--token', 'a', '--token-file', 'b']
    expect(await run([...LIST, '--server', 'https://a.example', ...both])).toMatchObject(refusal('not both'))
  })

  it('leave no command without JSON, whatever is wrong with it', async () => {
    const { run } = openTestCli()
    for (const argv of [['--json'], ['user', '--json'], ['--json', 'usr'], ['help', 'nosuch', '--json']]) {
      const { exitCode, stdout, stderr } = await run(argv)
      expect([argv, exitCode, stdout]).toEqual([argv, 2, ''])
      expect(jsonLines(stderr)).toEqual([{ error: 'UsageError', message: expect.stringMatching(/See `rollcall/) }])
    }
  })
})

describe('--server', () => {
  it.each([
    ['news.example.com', 'give the address of a server'],
    ['ftp://news.example.com', 'give the address of a server'],
    ['https://me:secret@news.example.com', 'without a user'],
    ['https://news.example.com/?token=abc', 'without a user, a query'],
    ['http://news.example.com', 'use https'],
  ])('is refused: %s', async (server, why) => {
    const { run } = openTestCli()
    const ran = await run([...LIST, '--server', server, '--token', 'abc'])
    expect(ran).toMatchObject(refusal(why))
    expect(ran.stderr).not.toContain('secret')
  })

  it('takes plain http elsewhere with --insecure-http', async () => {
    const { run } = openTestCli()
    const argv = [...LIST, '--server', 'http://nobody.invalid', '--token', 'abc', '--insecure-http']
    expect(await run(argv)).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('cannot be reached') })
  })

  it('may have a path of its own, with or without a slash at the end', async () => {
    await using server = await ScriptedServer.play(EMPTY)
    for (const end of ['/base', '/base/'])
      await openTestCli().run([...LIST, '--server', `${server.url}${end}`, '--token', 'abc'])
    expect(server.seen.map(({ url }) => url)).toEqual(['/base/users?limit=200', '/base/users?limit=200'])
  })

  it.each([
    [['serve'], 'Serving'],
    [['migrate'], 'Migrating'],
    [['token', 'issue', '--subject', 'a'], 'Issuing a token'],
    [['key', 'rotate'], 'Rotating keys'],
    [['outbox', 'list'], 'Listing the outbox'],
    [['outbox', 'retry', '1'], 'Retrying mails and events'],
    [['audit', 'verify'], 'Verifying the audit trail'],
    [['feed', 'embed', 'news'], 'Making a form'],
    [['backup', 'b.db'], 'Backing up'],
    [['restore', 'b.db'], 'Restoring'],
    [['doctor'], 'A check-up'],
    [['secret', 'rotate'], 'Rotating keys'],
    [['console', 'login'], 'Logging in to the console'],
    [['console', 'sessions'], 'Looking at sessions of the console'],
    [['mail', 'list'], 'Listing mails'],
    [['mail', 'show', '--last'], 'Showing a mail'],
    [['migrate-data', '--from', 'a', '--to', 'b'], 'Moving data'],
  ])('is refused with %j, which only the machine of the service can do', async (argv, what) => {
    const { run, opened } = openTestCli()
    expect(await run([...argv, '--server', 'https://a.example', '--token', 'abc'])).toEqual({
      ...{ exitCode: 2, stdout: '' },
      stderr: `error: ${what} is not possible over HTTP. Run it on the machine of the service, without --server.\n`,
    })
    expect(opened.times).toBe(0)
    const help = (await run([...argv, '--help'])).stdout
    expect(help).not.toContain('--server <url>')
    expect(help).toContain('Runs on the machine of the service only: not with --server or ROLLCALL_SERVER.\n')
  })
})

describe('ROLLCALL_SERVER and ROLLCALL_TOKEN_FILE', () => {
  const folder = temporaryFolder()
  const openWith = async (server: string) => {
    const tokenFile = await folder.write('token', 'abc\n')
    return openTestCli({ remoteDefaults: () => ({ server, tokenFile }) })
  }

  it('stand in for the options', async () => {
    await using server = await ScriptedServer.play(EMPTY)
    const { run, opened } = await openWith(server.url)
    expect((await run(LIST)).exitCode).toBe(0)
    expect((await run([...LIST, '--token', 'def'])).exitCode).toBe(0)
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer abc', 'Bearer def'])
    expect(opened.times).toBe(0)
  })

  it('give the token of one server to no other', async () => {
    await using other = await ScriptedServer.play(EMPTY)
    const { run } = await openWith('https://a.example')
    const reason = `goes with ROLLCALL_SERVER, which is https://a.example: give the token of ${other.url} by --token-file`
    expect(await run([...LIST, '--server', other.url])).toMatchObject(refusal(reason))
    expect(await run([...LIST, '--server', `${other.url}/base`])).toMatchObject(refusal(`${other.url}/base`))
    expect((await run([...LIST, '--server', other.url, '--token', 'def'])).exitCode).toBe(0)
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer def'])
  })

  it.each([
    ['', '/'],
    ['/', ''],
    ['/base/', '/base'],
    ['', '//'],
  ])('are of the same server with %j and --server with %j at the end', async (here, there) => {
    await using server = await ScriptedServer.play(EMPTY, answers(204))
    const { run } = await openWith(`${server.url.replace('http', 'HTTP')}${here}`)
    expect(await run([...LIST, '--server', `${server.url}${there}`])).toMatchObject({ exitCode: 0 })
    const deletion = ['user', 'delete', '--from', '-', '--yes', '--server', `${server.url}${there}`]
    expect((await run(deletion, { stdin: 'ada\n' })).exitCode).not.toBe(2)
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer abc']))
  })

  it('go together with nothing where only the token is set, and no server', async () => {
    const { run, opened } = openTestCli({ remoteDefaults: () => ({ tokenFile: '/nowhere' }) })
    expect((await run(LIST)).exitCode).toBe(0)
    expect(opened.times).toBe(1)
  })

  it.each([
    [['user', 'delete', 'ada', 'brian', '--yes']],
    [['user', 'delete', '--from', '-', '--yes']],
    [['subscription', 'erase', '1', '2', '--yes']],
    [['feed', 'delete', 'news', '--subscriptions', 'erase', '--yes']],
  ])('do not name the server well enough for %j', async (argv) => {
    await using server = await ScriptedServer.play(answers(204))
    const { run } = await openWith(server.url)
    expect(await run(argv, { stdin: 'ada\nbrian\n' })).toMatchObject(refusal(`add --server ${server.url}`))
    expect(server.seen).toHaveLength(0)
    expect((await run([...argv, '--server', server.url], { stdin: 'ada\n' })).exitCode).not.toBe(2)
    expect(server.seen[0]).toMatchObject({ headers: { authorization: 'Bearer abc' } })
  })

  it('are not shown with what may be secret in them', async () => {
    const { run } = await openWith('https://me:secret@a.example/')
    for (const argv of [
      LIST,
      ['user', 'delete', 'ada', 'brian', '--yes'],
      [...LIST, '--server', 'https://b.example'],
    ]) {
      const { exitCode, stderr } = await run(argv)
      expect([exitCode, stderr]).toEqual([2, expect.not.stringContaining('secret')])
    }
  })

  it('are named where a person is asked', async () => {
    const times = { created_at: AT, confirmed_at: null, ended_at: null }
    const subscription = { id: 1, feed: 'default', email: 'ada@example.com', name: 'Ada', locale: null, ...times }
    await using server = await ScriptedServer.play(answers(200, { ...subscription, status: 'pending' }))
    const { run } = await openWith(server.url)
    const { stderr } = await run(['subscription', 'erase', '1'], { answers: [['Erase this', 'n\n']] })
    expect(stderr).toContain(`This is on the server ${server.url} of ROLLCALL_SERVER.`)
  })

  it('are refused with what only the machine of the service can do', async () => {
    const { run } = await openWith('https://a.example')
    expect(await run(['key', 'rotate'])).toMatchObject(refusal('without ROLLCALL_SERVER.'))
    expect(await run(['backup', 'copy.db'])).toMatchObject(refusal('without ROLLCALL_SERVER.'))
  })

  it('mean nothing to what needs no service', async () => {
    const point = { auditRecord: 1, event: 1, subscriptions: 1, users: 1 }
    const verified = { ...point, file: 'copy.db', bytes: 1, digest: 'same', files: [] } as const
    const defaults = { server: 'https://a.example', tokenFile: '/nowhere' }
    const { run } = openTestCli({ remoteDefaults: () => defaults, verifyBackup: async () => verified })
    for (const argv of [
      ['completion', 'bash'],
      ['backup', '--verify', 'copy.db'],
      ['--version'],
      ['--help'],
      ['help', 'user', 'list'],
      ['user', 'list', '--help'],
    ])
      expect([argv, await run(argv)]).toMatchObject([argv, { exitCode: 0, stderr: '' }])
    expect((await run(['completion', '--help'])).stdout).not.toContain('machine of the service')
    const named = ['completion', 'bash', '--server', 'https://a.example', '--token', 'x']
    expect(await run(named)).toMatchObject(refusal('Completion needs no server. Leave out --server.'))
  })
})

describe('an access token', () => {
  const folder = temporaryFolder()
  it('comes from a file or from standard input, without the line break at its end', async () => {
    const file = await folder.write('token', 'abc\n')
    await using server = await ScriptedServer.play(EMPTY)
    for (const [tokenFile, stdin] of [
      [file, ''],
      ['-', 'def\r\n'],
    ] as const)
      await openTestCli().run([...LIST, '--server', server.url, '--token-file', tokenFile], { stdin })
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer abc', 'Bearer def'])
  })

  it.each([
    [[], 'needs an access token'],
    [['--token', ''], 'needs an access token'],
    [['--token', 'top secret'], 'This is not an access token'],
    [['--token', `secret${'x'.repeat(9_000)}`], 'This is not an access token'],
    [['--token', 'secret\r\nX-Evil: 1'], 'This is not an access token'],
    [['--token-file', '/nowhere/token'], "Cannot read '/nowhere/token'"],
  ])('is refused, and never repeated: %j', async (options, why) => {
    const ran = await openTestCli().run([...LIST, '--server', 'https://a.example', ...options])
    expect(ran).toMatchObject(refusal(why))
    expect(ran.stderr).not.toContain('secret')
  })

  describe.skipIf(process.platform === 'win32')('in a file', () => {
    const open = async (mode: number) => {
      const file = await folder.write('token', 'abc\n')
      await chmod(file, mode)
      const server = await ScriptedServer.play(EMPTY)
      const { run } = openTestCli({ remoteDefaults: () => ({ server: server.url, tokenFile: file }) })
      const named = ['--server', server.url, '--token-file', file]
      return { file, server, run, ways: [LIST, [...LIST, ...named], [...LIST, '--json', ...named]] }
    }

    it.each([0o644, 0o604, 0o602, 0o666, 0o622])(
      'that everybody may read or write (%o) is not obeyed',
      async (mode) => {
        const { file, server, run, ways } = await open(mode)
        await using _ = server
        for (const argv of ways)
          expect([argv, await run(argv)]).toEqual([
            argv,
            {
              exitCode: 4,
              stdout: '',
              stderr: expect.stringContaining(`is open to other users. Close it: chmod 600 ${file}`),
            },
          ])
        expect(server.seen).toEqual([])
      },
    )

    it.skipIf(process.getuid?.() !== 0)('of another user is not obeyed', async () => {
      const { file, server, run } = await open(0o600)
      await using _ = server
      await chown(file, 12_345, 12_345)
      expect(await run(LIST)).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('belongs to another user') })
      expect(server.seen).toEqual([])
    })

    it.each([0o660, 0o640, 0o620])('that its group may read or write (%o) gives a warning', async (mode) => {
      const { file, server, run } = await open(mode)
      await using _ = server
      const warning = `warning: The file ${file}, which holds an access token, is open to its group. `
      expect(await run(LIST)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(warning) })
      expect((await run([...LIST, '--json'])).exitCode).toBe(0)
    })

    it('is read as far as a token can be long', async () => {
      await using server = await ScriptedServer.play(EMPTY)
      const argv = [...LIST, '--server', server.url, '--token-file', '/dev/zero']
      expect(await openTestCli().run(argv)).toMatchObject(refusal('This is not an access token: it is too long'))
    })
  })

  it('does not come from the input that the list of ids comes from', async () => {
    const argv = ['user', 'delete', '--from', '-', '--yes', '--server', 'https://a.example', '--token-file', '-']
    expect(await openTestCli().run(argv, { stdin: 'ada\n' })).toMatchObject(refusal('standard input'))
  })
})
