import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answers, hangsUp, refuses, type Script, ScriptedServer } from './scripted-server.ts'
import { openTestCli, type Ran, type RunOptions } from './terminal.ts'

const TOKEN = 'a-secret-token'
const USER = {
  ...{ id: 'ada', email: 'ada@example.com', name: 'Ada', roles: [] },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
}
const RECEIPT = {
  ...{ user_id: 'ada', deleted_at: '2026-01-01T00:00:00.000Z', deleted_by: 'root', role_source: 'token' },
  ...{ channel: 'http', reason: null, audit_id: 1, audit_sequence: 1, erases_at: null, kept: [] },
  erased: { users: 1, roles: 0, subscriptions: 0, mails: 0, tokens: 0 },
}
const SHOW = ['user', 'show', 'ada', '--json']
const DELETE = ['user', 'delete', 'ada', '--yes', '--json']

const run = async (server: { readonly url: string }, argv: readonly string[], options?: RunOptions): Promise<Ran> => {
  const ran = await openTestCli().run([...argv, '--server', server.url, '--token', TOKEN], options)
  expect(ran.stdout + ran.stderr).not.toContain(TOKEN)
  return ran
}

const shown = expect.objectContaining({ exitCode: 0, stdout: `${JSON.stringify(USER)}\n` })

/** The first record of an export, and then nothing more. */
const halfAnExport =
  (then: (res: ServerResponse) => unknown = () => undefined): Script =>
  (req, res) => {
    res.writeHead(200, {
      'X-Request-Id': String(req.headers['x-request-id']),
      'Content-Type': 'application/x-ndjson',
    })
    res.write('{"id":1}\n', () => void then(res))
  }

it('is believed in no reason that every object inherits', async () => {
  const webhook = { name: 'shop', url: 'https://shop.example/', types: [], enabled: false, previous_secret_until: null }
  const times = { created_at: USER.created_at, updated_at: USER.updated_at, disabled_since: USER.created_at }
  for (const disabled_because of ['constructor', '__proto__', 'toString', 'something-new']) {
    await using server = await ScriptedServer.play(answers(200, { ...webhook, ...times, disabled_because }))
    const { stdout } = await run(server, ['webhook', 'show', 'shop'])
    expect(stdout).toMatch(new RegExp(`^State +disabled: ${disabled_because}$`, 'm'))
  }
})

// What follows waits for a second here and there, and all of it at once.
describe.concurrent('a server that is busy', () => {
  it.each([429, 503])('is asked again after %d, when it says so in seconds', async (status) => {
    await using server = await ScriptedServer.play(
      refuses(status, status === 429 ? 'TooManyRequests' : 'Unavailable', { 'Retry-After': '1' }),
      answers(200, USER),
    )
    expect(await run(server, ['user', 'show', 'ada'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('ada@example.com'),
      stderr: `The server is busy (${status}). Going on in 1 s.\n`,
    })
    expect(server.seen).toHaveLength(2)
  })

  it('is asked again when it says so with a date, by its own clock', async () => {
    const now = Date.UTC(2020, 0, 1)
    const dates = { Date: new Date(now).toUTCString(), 'Retry-After': new Date(now + 1_000).toUTCString() }
    await using server = await ScriptedServer.play(refuses(503, 'Unavailable', dates), answers(200, USER))
    expect(await run(server, SHOW)).toEqual({ ...shown.sample, stderr: '' })
  })

  it('is asked again also for what must not be done twice, since it has done nothing', async () => {
    await using server = await ScriptedServer.play(
      ...[refuses(410, 'UserDeleted'), refuses(503, 'Unavailable'), answers(200, USER)],
    )
    expect(await run(server, ['user', 'restore', 'ada', '--json'])).toEqual(shown)
    expect(server.seen.slice(1).map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{}'],
      ['POST', '{}'],
    ])
  })

  it('is left alone where it asks for more than some minutes', async () => {
    await using server = await ScriptedServer.play(refuses(429, 'TooManyRequests', { 'Retry-After': '3600' }))
    const { exitCode, stderr } = await run(server, SHOW)
    expect([exitCode, JSON.parse(stderr)]).toEqual([
      4,
      {
        error: 'TooManyRequests',
        message: 'The server is busy. Run the command again in 3600 s.',
      },
    ])
    expect(server.seen).toHaveLength(1)
  })

  it.each<[string, Script]>([
    ['asks for patience', refuses(503, 'Unavailable', { 'Retry-After': '100' })],
    ['says nothing at all', () => undefined],
  ])('is waited for no longer once Ctrl-C is pressed, where it %s', async (_, script) => {
    await using server = await ScriptedServer.play(script)
    const controller = new AbortController()
    const running = run(server, ['user', 'show', 'ada'], { signal: controller.signal })
    while (server.seen.length === 0) await sleep(5)
    await sleep(50)
    controller.abort()
    expect((await running).exitCode).toBe(130)
  })

  it('holds all requests up together, and says so once', async () => {
    let refused = 0
    const busyAtFirst: Script = (req, res) => {
      const users = Array.from({ length: 512 }, (_, n) => ({ id: `u${n}`, outcome: 'changed' }))
      const script = refused++ < 2 ? refuses(503, 'Unavailable', { 'Retry-After': '1' }) : answers(200, { users })
      script(req, res)
    }
    await using server = await ScriptedServer.play(busyAtFirst)
    const ids = Array.from({ length: 512 }, (_, n) => `u${n}`)
    const { exitCode, stderr } = await run(server, ['user', 'delete', ...ids, '--yes'])
    expect(exitCode).toBe(0)
    expect(stderr.match(/busy/g)).toHaveLength(1)
  })
})

describe.concurrent('a connection that is lost', () => {
  it('is made again for what can be asked twice', async () => {
    await using server = await ScriptedServer.play(hangsUp, answers(200, USER))
    expect(await run(server, SHOW)).toEqual(shown)
    await using putting = await ScriptedServer.play(hangsUp, answers(201, USER))
    expect((await run(putting, ['user', 'put', 'ada', '--email', 'ada@example.com'])).exitCode).toBe(0)
  })

  it('is made again when a gateway has lost it', async () => {
    const gateway: Script = (_, res) => res.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
    await using server = await ScriptedServer.play(gateway, answers(200, USER))
    expect(await run(server, SHOW)).toEqual(shown)
  })

  it('is made again for changes of many, under the same name', async () => {
    const changed = answers(200, {
      users: [
        { id: 'a', outcome: 'changed' },
        { id: 'b', outcome: 'changed' },
      ],
    })
    await using server = await ScriptedServer.play(hangsUp, changed)
    expect((await run(server, ['user', 'suspend', 'a', 'b', '--yes'])).exitCode).toBe(0)
    const [first, second] = server.seen.map(({ method, headers }) => [method, headers['x-request-id']])
    expect(first).toEqual(['POST', expect.stringMatching(/^run-/)])
    expect(second).toEqual(first)
  })

  it('is the end of what must not be done twice', async () => {
    await using adding = await ScriptedServer.play(hangsUp, refuses(412, 'PreconditionFailed'))
    const added = await run(adding, ['user', 'add', 'ada', '--email', 'ada@example.com', '--json'])
    expect([added.exitCode, JSON.parse(added.stderr).error, adding.seen.length]).toEqual([4, 'ServerNotReachable', 1])
    await using server = await ScriptedServer.play(refuses(410, 'UserDeleted'), hangsUp, answers(200, USER))
    const { exitCode, stderr } = await run(server, ['user', 'restore', 'ada', '--json'])
    expect([exitCode, JSON.parse(stderr).error, server.seen.length]).toEqual([4, 'ServerNotReachable', 2])
  })

  it('leaves a deletion done by us where the receipt names our request, and by others where it does not', async () => {
    for (const [owner, exitCode] of [['ours', 0] as const, ['theirs', 3] as const]) {
      let first = ''
      const remember: Script = (req, res) => {
        first = String(req.headers['x-request-id'])
        hangsUp(req, res)
      }
      const receipt: Script = (req, res) =>
        answers(200, { ...RECEIPT, request_id: owner === 'ours' ? first : 'theirs' })(req, res)
      await using server = await ScriptedServer.play(remember, refuses(410, 'UserDeleted'), receipt)
      const ran = await run(server, DELETE)
      expect(ran.exitCode).toBe(exitCode)
      expect(server.seen.slice(0, 2).map(({ method, headers }) => [method, headers['x-request-id']])).toEqual([
        ['DELETE', first],
        ['DELETE', first],
      ])
      if (owner === 'theirs') expect(JSON.parse(ran.stderr).error).toBe('UserDeleted')
    }
  })

  it('leaves what is gone by then as ordered', async () => {
    await using server = await ScriptedServer.play(hangsUp, refuses(404, 'SubscriptionNotFound'))
    expect((await run(server, ['subscription', 'erase', '12', '--yes'])).exitCode).toBe(0)
    await using never = await ScriptedServer.play(refuses(404, 'SubscriptionNotFound'))
    expect((await run(never, ['subscription', 'erase', '12', '--yes'])).exitCode).toBe(3)
  })

  it('in the middle of an export ends it, and says that what came is not all', async () => {
    const brokenOff = halfAnExport((res) => setTimeout(() => res.destroy(), 20))
    await using server = await ScriptedServer.play(brokenOff)
    const { exitCode, stdout, stderr } = await run(server, ['subscription', 'export', '--json'])
    expect([exitCode, stdout, JSON.parse(stderr).error]).toEqual([4, '{"id":1}\n', 'ConnectionLost'])
    expect(server.seen).toHaveLength(1)
  })

  it('was never there: that is said at once', async () => {
    const server = await ScriptedServer.play(hangsUp)
    const { url } = server
    await server[Symbol.asyncDispose]()
    expect(await run({ url }, ['user', 'list'])).toMatchObject({
      exitCode: 4,
      stderr: `error: The server ${url} cannot be reached (ECONNREFUSED). Nothing listens there: check the address, and whether the server runs.\n`,
    })
  })

  it('is waited for as long as an answer takes', async () => {
    const slowly: Script = (req, res) => void setTimeout(() => answers(200, USER)(req, res), 300)
    await using server = await ScriptedServer.play(slowly)
    expect(await run(server, SHOW)).toEqual(shown)
  })
})

describe('a server that says nothing', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Time passes by leaps, and only while nothing is on its way: as many pieces of an answer as there will be have come. */
  const patiently = async (
    server: ScriptedServer,
    argv: readonly string[],
    pieces = 0,
  ): Promise<{ ran: Ran; seconds: number }> => {
    let [begun, received, over] = [0, 0, false]
    const begin = () => void begun++
    const receive = () => void received++
    subscribe('undici:request:create', begin)
    subscribe('undici:request:bodyChunkReceived', receive)
    const ended = run(server, argv).finally(() => {
      over = true
    })
    let seconds = 0
    while (!over) {
      if (begun > 0 && server.seen.length >= begun && received >= pieces) {
        vi.advanceTimersByTime(1_000)
        seconds++
      }
      await sleep(5)
    }
    unsubscribe('undici:request:create', begin)
    unsubscribe('undici:request:bodyChunkReceived', receive)
    return { ran: await ended, seconds }
  }
  const silent: Script = () => undefined

  it('is asked twice for what only reads, and then given up', async () => {
    await using server = await ScriptedServer.play(silent)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { ran, seconds } = await patiently(server, SHOW)
    expect([ran.exitCode, JSON.parse(ran.stderr)]).toEqual([
      4,
      {
        error: 'ServerNotReachable',
        message: `The server ${server.url} cannot be reached (timed out). No answer came in time: try again, and see how the server is.`,
      },
    ])
    expect(server.seen).toHaveLength(2)
    expect(seconds).toBeGreaterThanOrEqual(60)
  })

  it('in the middle of an export ends it', async () => {
    await using server = await ScriptedServer.play(halfAnExport())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { ran } = await patiently(server, ['subscription', 'export', '--json'], 1)
    expect([ran.exitCode, ran.stdout, JSON.parse(ran.stderr).error]).toEqual([4, '{"id":1}\n', 'ConnectionLost'])
  })
})

describe('a server that is no Rollcall, or not the right one', () => {
  const html =
    (status: number): Script =>
    (_, res) =>
      res.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Welcome to nginx</h1>')
  const json =
    (status: number, body: object): Script =>
    (_, res) =>
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

  it.each([
    ['a page', html(200)],
    ['a page for what is not there', html(404)],
    ['JSON of its own', json(200, { hello: 'world' })],
    ['an error of its own', answers(404, { detail: 'Not found' })],
    ['nothing but yes', ((_, res) => res.writeHead(204).end()) satisfies Script],
    ['another endpoint', refuses(404, 'NotFound')],
  ])('is recognised by its answer: %s', async (_, script) => {
    await using server = await ScriptedServer.play(script)
    for (const argv of [SHOW, DELETE]) {
      const { exitCode, stdout, stderr } = await run(server, argv)
      expect([exitCode, stdout, JSON.parse(stderr).error]).toEqual([4, '', 'UnexpectedAnswer'])
      expect(stderr).toContain('This is not how a Rollcall server answers')
    }
  })

  it('may be above the path that was given, which is said', async () => {
    await using server = await ScriptedServer.play(refuses(404, 'NotFound'))
    const { exitCode, stderr } = await run({ url: `${server.url}/users` }, SHOW)
    expect([exitCode, JSON.parse(stderr).error]).toEqual([4, 'UnexpectedAnswer'])
    expect(stderr).toContain("Every request went below '/users': leave that out of --server")
  })

  it('that sends elsewhere is not followed, and the token goes nowhere else', async () => {
    await using other = await ScriptedServer.play(answers(200, USER))
    await using server = await ScriptedServer.play(answers(307, undefined, { Location: `${other.url}/users/ada?x` }))
    expect(await run(server, ['user', 'show', 'ada'])).toMatchObject({
      exitCode: 4,
      stderr: `error: The server ${server.url} redirects to ${other.url}, which is not followed. If that is the right server, give it with --server.\n`,
    })
    expect(other.seen).toEqual([])
  })

  it('that has an untrusted certificate gets nothing, and the message says what to do', async () => {
    await using server = await ScriptedServer.playEncrypted(answers(200, USER))
    const { exitCode, stderr } = await run(server, ['user', 'show', 'ada'])
    expect(exitCode).toBe(4)
    expect(stderr).toMatch(/\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/)
    expect(server.seen).toEqual([])
  })

  it('that speaks no TLS is distinguished from one that does', async () => {
    await using server = await ScriptedServer.play(answers(200, USER))
    const { exitCode, stderr } = await run({ url: server.url.replace('http:', 'https:') }, ['user', 'list'])
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('does not speak TLS there')])
  })

  it('that speaks no HTTP is reported at once, and not asked again', async () => {
    let asked = 0
    const greeting: Script = (_, res) => {
      asked++
      res.socket?.end('220 mail.example.com ESMTP\r\n')
    }
    await using server = await ScriptedServer.play(greeting)
    for (const argv of [SHOW, DELETE]) {
      const { exitCode, stderr } = await run(server, argv)
      expect([exitCode, JSON.parse(stderr).error]).toEqual([4, 'ServerNotReachable'])
      expect(stderr).toContain('does not speak HTTP there')
    }
    expect(asked).toBe(2)
  })

  it('at a port that programs are kept from fails with what to do', async () => {
    const { exitCode, stderr } = await run({ url: 'http://127.0.0.1:6000' }, ['user', 'list'])
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('let the server have another')])
  })

  it('that fails is reported with the name of the request in its log', async () => {
    const failing = answers(500, { error: 'InternalError', message: 'Something went wrong.', request_id: 'abc' })
    await using server = await ScriptedServer.play(failing)
    expect(await run(server, ['user', 'list'])).toMatchObject({
      exitCode: 1,
      stderr: 'error: The server says: Something went wrong. (request_id abc)\n',
    })
  })
})
