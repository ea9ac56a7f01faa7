import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const opened = async () => {
  const cli = openTestCli()
  await cli.putUser('root', ['admin'])
  await cli.putUser('eve', ['admin', 'auditor'])
  const shown = async (...argv: string[]) => JSON.parse((await cli.run([...argv, '--json'])).stdout)
  return { ...cli, shown }
}

describe('rollcall user set', () => {
  it('changes what is given, and keeps the rest', async () => {
    const { run, shown } = await opened()
    const argv = ['user', 'set', 'eve', '--email', 'eve.mail@example.com']
    expect(await run(argv)).toEqual({ exitCode: 0, stdout: 'Changed user eve.\n', stderr: '' })
    expect(await shown('user', 'show', 'eve')).toMatchObject({
      ...{ email: 'eve.mail@example.com', name: 'Name of eve', roles: ['admin', 'auditor'] },
    })
    await run(['user', 'set', 'eve', '--name', '', '--role', 'auditor'])
    expect(await shown('user', 'show', 'eve')).toMatchObject({ name: '', roles: ['auditor'] })
    const { stdout } = await run(['user', 'set', 'eve', '--no-role', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ id: 'eve', roles: [] })
  })

  it.each([
    [
      ['eve', '--email', 'eve@example.org', '--reason', 'asked'],
      '--reason goes with --add-role and --remove-role only.',
    ],
    [
      ['eve', '--name', 'Eve', '--dry-run', '--reason', 'x'],
      '--dry-run and --reason go with --add-role and --remove-role only.',
    ],
    [['eve', 'ada', '--name', 'Eve'], '--email, --name and --role are for one user: give one id.'],
  ])('says which option does not go: %j', async (options, sentence) => {
    const { run } = await opened()
    expect(await run(['user', 'set', ...options])).toMatchObject({ exitCode: 2, stderr: `error: ${sentence}\n` })
  })

  it('exits 2 without anything to change, and 3 for no such user and for the last administrator', async () => {
    const { run } = await opened()
    expect(await run(['user', 'set', 'eve'])).toMatchObject({
      ...{ exitCode: 2, stderr: 'error: Say what to change: give at least one option. See --help.\n' },
    })
    expect((await run(['user', 'set', 'none', '--name', 'x'])).exitCode).toBe(3)
    await run(['user', 'set', 'eve', '--no-role'])
    const last = await run(['user', 'set', 'root', '--no-role'])
    expect([last.exitCode, last.stderr]).toEqual([3, expect.stringContaining('last administrator')])
  })
})

describe('rollcall feed set', () => {
  it('changes what is given, and keeps the rest', async () => {
    const { run, shown } = await opened()
    await run(['feed', 'put', 'news', '--title', 'The news', '--language', 'de', '--return-url', 'https://a.example/'])
    expect((await run(['feed', 'set', 'news', '--closed'])).stdout).toBe('Changed feed news.\n')
    expect(await shown('feed', 'show', 'news')).toMatchObject({
      ...{ title: 'The news', language: 'de', return_urls: ['https://a.example/'], open: false },
    })
    await run(['feed', 'set', 'news', '--open', '--language', '', '--no-return-url', '--wording', 'Yes'])
    expect(await shown('feed', 'show', 'news')).toMatchObject({
      ...{ title: 'The news', language: null, return_urls: [], open: true, wordings: [{ text: 'Yes' }] },
    })
    expect((await run(['feed', 'set', 'news', '--open', '--closed'])).exitCode).toBe(2)
    expect((await run(['feed', 'set', 'none', '--open'])).exitCode).toBe(3)
  })
})

describe('rollcall webhook set', () => {
  it('changes what is given, and keeps the rest', async () => {
    const { run, shown } = await opened()
    const url = 'https://shop.example.com/events'
    await run(['webhook', 'put', 'shop', '--url', url, '--type', 'user.created'])
    expect((await run(['webhook', 'set', 'shop', '--disabled'])).stdout).toBe('Changed webhook shop.\n')
    expect(await shown('webhook', 'show', 'shop')).toMatchObject({ url, types: ['user.created'], enabled: false })
    await run(['webhook', 'set', 'shop', '--enabled', '--no-type', '--url', `${url}/2`])
    const changed = await shown('webhook', 'show', 'shop')
    expect(changed).toMatchObject({ url: `${url}/2`, enabled: true })
    expect(changed.types.length).toBeGreaterThan(5)
  })
})

describe('a put that takes something away', () => {
  const EVE = ['user', 'put', 'eve', '--email', 'eve@example.com']
  const SAID =
    "This takes the roles 'admin' and 'auditor' and the name away from user eve; `rollcall user set` keeps what it is not given.\n"
  const QUESTION = 'Replace this user all the same?'

  it('says so, and asks on a terminal', async () => {
    const { run, shown } = await opened()
    const refused = await run(EVE, { answers: [[QUESTION, 'n\r']] })
    expect([refused.exitCode, refused.stdout]).toEqual([3, ''])
    expect(refused.stderr).toContain(SAID)
    expect(refused.stderr).toMatch(/error: Nothing was changed, because it was not confirmed\.\n$/)
    expect(await shown('user', 'show', 'eve')).toMatchObject({ roles: ['admin', 'auditor'] })
    const agreed = await run(EVE, { answers: [[QUESTION, 'y\r']] })
    expect([agreed.exitCode, agreed.stdout]).toEqual([0, 'Replaced user eve.\n'])
    expect(await shown('user', 'show', 'eve')).toMatchObject({ name: '', roles: [] })
  })

  it('says so and goes on with --yes, and without a terminal', async () => {
    for (const [argv, options] of [
      [EVE, {}],
      [[...EVE, '--yes'], { answers: [] }],
    ] as const) {
      const { run } = await opened()
      expect(await run(argv, options)).toEqual({ exitCode: 0, stdout: 'Replaced user eve.\n', stderr: SAID })
    }
  })

  it('says nothing where nothing is lost, or the user is new', async () => {
    const { run } = await opened()
    const whole = [...EVE, '--name', 'Eve', '--role', 'auditor', '--role', 'admin']
    expect(await run(whole, { answers: [] })).toEqual({ exitCode: 0, stdout: 'Replaced user eve.\n', stderr: '' })
    const other = await run(['user', 'put', 'ann', '--email', 'ann@example.com'], { answers: [] })
    expect(other).toEqual({ exitCode: 0, stdout: 'Created user ann.\n', stderr: '' })
  })

  it('names what a feed and a webhook lose', async () => {
    const { run } = await opened()
    await run([
      ...['feed', 'put', 'news', '--title', 'The news', '--description', 'x', '--language', 'de'],
      ...['--sender', 'a@example.com', '--confirmed-url', 'https://a.example/ok', '--home-url', 'https://a.example/'],
      ...['--return-url', 'https://a.example/', '--return-url', 'https://b.example/'],
    ])
    const { stderr } = await run(['feed', 'put', 'news', '--closed', '--return-url', 'https://b.example/'])
    expect(stderr).toBe(
      "This takes the title, the description, the language, the sender, the confirmed URL, the home URL and the return URL 'https://a.example/' away from feed news; `rollcall feed set` keeps what it is not given.\n",
    )
    const webhook = ['webhook', 'put', 'shop', '--url', 'https://shop.example.com/']
    await run([...webhook, '--type', 'user.created', '--type', 'user.deleted'])
    expect((await run([...webhook, '--type', 'user.deleted'])).stderr).toBe(
      "This takes the event type 'user.created' away from webhook shop; `rollcall webhook set` keeps what it is not given.\n",
    )
    expect((await run(webhook)).stderr).toBe('')
  })
})
