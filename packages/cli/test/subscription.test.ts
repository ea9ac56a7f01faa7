import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const WHY = ['--reason', 'asked for it by letter']
const emailsOf = (stdout: string): string[] => JSON.parse(stdout).items.map(({ email }: { email: string }) => email)

describe('rollcall subscription list', () => {
  const filled = async () => {
    const cli = openTestCli()
    await cli.run(['feed', 'put', 'news'])
    await cli.subscribe('ada@example.com', 'default', 'Ada')
    await cli.subscribe('bob@example.com', 'news')
    const id = await cli.subscribe('ADA@example.com', 'news')
    await cli.run(['subscription', 'confirm', String(id), ...WHY])
    return cli
  }

  it('shows a line each to people, and the whole record to machines', async () => {
    const { run } = await filled()
    const lines = (await run(['subscription', 'list'])).stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^ID +E-MAIL +NAME +FEED +STATUS +CREATED$/)
    expect(lines[1]).toMatch(/^\d+ +ada@example\.com +Ada +default +pending +2026-01-01T00:00:00Z$/)
    const { items, next } = JSON.parse((await run(['subscription', 'list', '--json', '--limit', '1'])).stdout)
    expect(Object.keys(items[0])).toEqual([
      ...['name', 'email', 'id', 'feed', 'status', 'locale', 'created_at', 'confirmed_at', 'ended_at'],
    ])
    expect(emailsOf((await run(['subscription', 'list', '--json', '--after', next])).stdout)).toEqual([
      'bob@example.com',
      'ADA@example.com',
    ])
  })

  it('filters by feed, status and address', async () => {
    const { run } = await filled()
    const emails = async (...options: string[]) =>
      emailsOf((await run(['subscription', 'list', '--json', ...options])).stdout)
    expect(await emails('--feed', 'news')).toEqual(['bob@example.com', 'ADA@example.com'])
    expect(await emails('--status', 'confirmed')).toEqual(['ADA@example.com'])
    expect(await emails('--email', 'ada@EXAMPLE.com')).toEqual(['ada@example.com', 'ADA@example.com'])
    expect(await emails('--email', 'ada@example.com', '--status', 'pending')).toEqual(['ada@example.com'])
  })

  it.each([
    ['--feed', 'none'],
    ['--status', 'gone'],
    ['--email', 'nonsense'],
  ])('exits 2 for %s %s', async (option, value) => {
    const { exitCode, stderr } = await openTestCli().run(['subscription', 'list', option, value])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(new RegExp(`^error: '${option.slice(2)}': `))
  })
})

describe('rollcall subscription show', () => {
  it('shows the record and the ledger', async () => {
    const { run, subscribe } = openTestCli()
    const id = await subscribe('ada@example.com', 'default', 'Ada')
    await run(['subscription', 'confirm', String(id), ...WHY])
    const { stdout } = await run(['subscription', 'show', String(id)])
    expect(stdout).toMatch(/^ID +\d+\nE-mail +ada@example\.com\nName +Ada\nFeed +default\nStatus +confirmed\n/)
    expect(stdout).toMatch(/\n\nAT +CONSENT +BY +WORDING/)
    expect(stdout).toMatch(/^2026-01-01T00:00:00Z +requested +form +double-opt-in\/1$/m)
    expect(stdout).toMatch(/^2026-01-01T00:00:00Z +confirmed +caller:operator:tester +double-opt-in\/1$/m)
    const document = JSON.parse((await run(['subscription', 'show', String(id), '--json'])).stdout)
    expect(document).toMatchObject({ id, status: 'confirmed', consent: [{ deed: 'requested' }, { deed: 'confirmed' }] })
  })

  it('exits 3 when there is no such subscription', async () => {
    for (const id of ['1', 'x', '-1'])
      expect(await openTestCli().run(['subscription', 'show', '--', id])).toEqual({
        exitCode: 3,
        stdout: '',
        stderr: 'error: There is no such subscription. Check the id.\n',
      })
  })
})

describe('rollcall subscription confirm and end', () => {
  it('do so once, and say what was so already', async () => {
    const { run, subscribe } = openTestCli()
    const id = String(await subscribe('ada@example.com'))
    const act = async (verb: string) => (await run(['subscription', verb, id, ...WHY])).stdout
    expect(await act('confirm')).toBe(`Confirmed subscription ${id}.\n`)
    expect(await act('confirm')).toBe(`Subscription ${id} was confirmed already.\n`)
    expect(await act('end')).toBe(`Ended subscription ${id}.\n`)
    expect(await act('end')).toBe(`Subscription ${id} had ended already.\n`)
    const again = JSON.parse((await run(['subscription', 'end', id, ...WHY, '--json'])).stdout)
    expect(again).toMatchObject({ changed: false, subscription: { id: Number(id), status: 'ended' } })
    const refused = await run(['subscription', 'confirm', id, ...WHY, '--json'])
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' })
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: 'SubscriptionEnded' })
  })

  it.each(['confirm', 'end'])('%s needs a reason that does not say whose it is', async (verb) => {
    const { run, subscribe } = openTestCli()
    const id = String(await subscribe('ada@example.com', 'default', 'Ada Lovelace'))
    const missing = await run(['subscription', verb, id])
    expect(missing.exitCode).toBe(2)
    expect(missing.stderr).toMatch(/^error: Required option '--reason <text>' not specified\./)
    for (const reason of ['', 'Ada Lovelace called', 'ada@example.com']) {
      const { exitCode, stderr } = await run(['subscription', verb, id, '--reason', reason])
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^error: 'reason': /)
    }
  })
})

describe('rollcall subscription erase', () => {
  const ONE = 'Erase this subscription permanently?'
  const withTwo = async () => {
    const cli = openTestCli()
    const ids = [await cli.subscribe('ada@example.com', 'default', 'Ada'), await cli.subscribe('bob@example.com')]
    const left = async () => emailsOf((await cli.run(['subscription', 'list', '--json'])).stdout)
    return { ...cli, ids: ids.map(String), left }
  }

  it('shows whose it is, and erases after a yes', async () => {
    const { run, ids, left } = await withTwo()
    const [id = ''] = ids
    const ran = await run(['subscription', 'erase', id, ...WHY], { answers: [[ONE, 'y\r']] })
    expect(ran.stderr).toContain(`Subscription ${id}: Ada, ada@example.com. Feed default, pending.\n`)
    expect([ran.exitCode, ran.stdout]).toEqual([0, `Erased subscription ${id}.\n`])
    expect(await left()).toEqual(['bob@example.com'])
    expect((await run(['audit', 'list'])).stdout).toMatch(/subscription\.erase +\d+ +done +asked for it by letter$/m)
  })

  it('erases nothing after a no, or where the number is not typed', async () => {
    const { run, ids, left } = await withTwo()
    const no = await run(['subscription', 'erase', ids[0]!], { answers: [[ONE, 'n\r']] })
    const other = await run(['subscription', 'erase', ...ids], { answers: [['Type 2 to erase', '1\r']] })
    for (const { exitCode, stderr } of [no, other]) {
      expect(exitCode).toBe(3)
      expect(stderr).toMatch(/error: Nothing was deleted, because it was not confirmed\.\n$/)
    }
    expect(await left()).toHaveLength(2)
  })

  it('asks nothing without a subscription, and with --yes', async () => {
    const { run, ids, left } = await withTwo()
    expect((await run(['subscription', 'erase', '1'], { answers: [] })).exitCode).toBe(3)
    expect(await run(['subscription', 'erase', ids[0]!, '--yes', '--json'])).toMatchObject({
      exitCode: 0,
      stdout: `{"id":"${ids[0]}","outcome":"erased"}\n`,
    })
    expect(await left()).toHaveLength(1)
  })

  it('goes on past those that are refused, reports which, and exits 3', async () => {
    const { run, ids, left } = await withTwo()
    const argv = ['subscription', 'erase', '1', ids[0]!, ids[1]!, ids[1]!, '--yes', '--reason', 'not for Ada']
    const { exitCode, stdout, stderr } = await run(argv)
    expect([exitCode, stdout]).toEqual([3, 'Erased 1 subscription.\n'])
    expect(stderr.split('\n')).toEqual([
      'Not erased: 1. There is no such subscription. Check the id.',
      expect.stringMatching(`^Not erased: ${ids[0]}\\. 'reason': Leave out the owner's name`),
      '',
    ])
    expect(await left()).toEqual(['ada@example.com'])
    const json = await run(['subscription', 'erase', '1', ids[0]!, '--yes', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      erased: [ids[0]],
      refused: [{ id: '1', error: 'SubscriptionNotFound' }],
    })
    expect(json.exitCode).toBe(3)
  })

  it('exits 2 without a terminal, and 130 when it is interrupted', async () => {
    const { run, ids, left } = await withTwo()
    const alone = await run(['subscription', 'erase', ids[0]!])
    expect(alone.exitCode).toBe(2)
    expect(alone.stderr).toMatch(/^error: There is no terminal to ask on\. Add --yes/)
    const stopped = await run(['subscription', 'erase', ...ids, '--yes'], { signal: AbortSignal.abort() })
    expect(stopped.exitCode).toBe(130)
    expect(await left()).toHaveLength(2)
  })
})
