import { describe, expect, it } from 'vitest'
import { OPERATOR, openTestCli } from './terminal.ts'

/** With 102 complaints of one sender, of which two wait. */
const withFeedback = async () => {
  const cli = openTestCli({}, { bounceAddress: 'bounces@news.example.com' })
  const items = []
  for (let n = 0; n < 102; n++) {
    const id = await cli.subscribe(`a${n}@example.com`)
    items.push({ kind: 'bounce', subscription: String(id), status: '5.1.1' })
  }
  await cli.useCases.recordFeedback.execute({ items }, { ...OPERATOR, id: 'mailer' })
  return cli
}

describe('rollcall feedback', () => {
  it('lists what waits, and carries it out or drops it by id', async () => {
    const { run } = await withFeedback()
    expect((await run(['feedback', 'list'])).stdout).toMatch(
      /^ID +CALLER +KIND +STATUS +SUBSCRIPTION +ADDRESS +AT\n1 +mailer +bounce +5\.1\.1 +\d+ +[0-9a-f]{32} +2026-01-01T00:00:00Z\n2 /,
    )
    const listed = JSON.parse((await run(['feedback', 'list', '--json'])).stdout)
    expect(listed.items[0]).toMatchObject({ id: 1, caller: 'mailer', kind: 'bounce', feeds: null })
    expect(await run(['feedback', 'accept', '1', '7'])).toMatchObject({
      exitCode: 0,
      stdout: 'Carried out 1 report.\n',
    })
    expect(await run(['feedback', 'drop', '2', '--json'])).toMatchObject({ stdout: '{"decided":1}\n' })
    expect((await run(['feedback', 'list'])).stderr).toBe('No feedback waits.\n')
  })

  it('decides on all that waits, or on all of one caller', async () => {
    const { run } = await withFeedback()
    const decide = (...options: string[]) => run(['feedback', 'accept', '--all', ...options])
    expect((await decide('--caller', 'another')).stdout).toBe('Carried out 0 reports.\n')
    expect((await decide('--caller', 'mailer')).stdout).toBe('Carried out 2 reports.\n')
  })

  it('says how it is used', async () => {
    const { run } = openTestCli()
    for (const argv of [['accept'], ['accept', '1', '--all'], ['accept', 'x'], ['drop', '1', '--caller', 'x'], ['dsn']])
      expect([argv, (await run(['feedback', ...argv])).exitCode]).toEqual([argv, 2])
  })
})

describe('rollcall feedback dsn', () => {
  it('reads a report on standard input, and says what became of it', async () => {
    const { run, subscribe, useCases, transport, reportParser } = openTestCli(
      {},
      { bounceAddress: 'bounces@news.example.com' },
    )
    await subscribe('ada@example.com')
    await useCases.deliverOutbox.execute({ limit: 1 })
    reportParser.report = { kind: 'bounce', failure: { permanent: true, status: '5.1.1' }, id: 'x' }
    const dsn = (recipient: string) => run(['feedback', 'dsn', '--recipient', recipient], { stdin: 'a report' })
    const recipient = transport.mails[0]?.returnTo ?? ''
    expect(await dsn(recipient)).toEqual({ exitCode: 0, stdout: 'Recorded a bounce.\n', stderr: '' })
    expect(reportParser.read.at(-1)).toEqual(Buffer.from('a report'))
    expect((await run(['undeliverable', 'list', '--json'])).stdout).toContain('"undeliverable"')
    expect(await dsn('ada@example.com')).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Ignored/) })
  })

  it('reads no more than shows that a message is too long', async () => {
    const { run, reportParser } = openTestCli({}, { bounceAddress: 'bounces@news.example.com' })
    const stdin = new Uint8Array(3 * 1024 * 1024)
    await run(['feedback', 'dsn', '--recipient', 'bounces@news.example.com'], { stdin })
    expect(reportParser.read.at(-1)?.length).toBeLessThan(2 * 1024 * 1024)
  })
})

describe('rollcall undeliverable', () => {
  it('lists addresses by hash, and lifts one by address or by hash', async () => {
    const { run } = await withFeedback()
    const list = async (...options: string[]) =>
      JSON.parse((await run(['undeliverable', 'list', '--json', ...options])).stdout).items
    expect(await list()).toHaveLength(100)
    expect(await list('--state', 'failing')).toEqual([])
    const argv = ['undeliverable', 'lift', 'A0@example.com']
    expect(await run(argv)).toEqual({ exitCode: 0, stdout: 'Mails go to A0@example.com again.\n', stderr: '' })
    expect(await run(argv)).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/^error: Nothing is known/) })
    const [{ address: next }] = await list()
    expect((await run(['undeliverable', 'lift', next])).exitCode).toBe(0)
  })
})
