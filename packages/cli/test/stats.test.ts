import { describe, expect, it } from 'vitest'
import { sparkline } from '../src/sparkline.ts'
import { OPERATOR, openTestCli, Screen } from './terminal.ts'

const signedUp = async () => {
  const cli = openTestCli()
  await cli.useCases.putFeed.execute({ name: 'news' }, OPERATOR)
  for (const name of ['ada', 'bob', 'cyd']) await cli.subscribe(`${name}@example.com`)
  await cli.useCases.deliverOutbox.execute({ limit: 10 })
  const link = cli.transport.mails[0]?.links.confirm ?? ''
  const source = { via: 'link', clientAddress: undefined, userAgent: undefined }
  await cli.useCases.confirmSubscription.execute({ token: link.slice(link.lastIndexOf('/') + 1), source })
  return cli
}

describe('rollcall stats', () => {
  it('says how many there are, and what there was in each period', async () => {
    const { run } = await signedUp()
    const { stdout, exitCode } = await run(['stats', '--from', '2025-12-31', '--to', '2026-01-01'])
    expect([exitCode, stdout.replace(/ +/g, ' ').split('\n')]).toEqual([
      0,
      [
        'All feeds now: 1 confirmed, 2 pending, 0 ended.',
        '',
        'DAY REQUESTED MAILED CONFIRMED ENDED BOUNCED COMPLAINED TURNED AWAY IMPORTED',
        '2025-12-31 0 0 0 0 0 0 0 0',
        '2026-01-01 3 3 1 0 0 0 0 0',
        '',
        'WHAT TOTAL',
        'requested 3',
        'mailed 3',
        'confirmed 1',
        ...['ended', 'bounced', 'complained', 'turned away', 'imported'].map((what) => `${what} 0`),
        '',
      ],
    ])
  })

  it('draws how it went on a terminal', async () => {
    const { run } = await signedUp()
    const screen = new Screen({ isTTY: true, columns: 100 })
    await run(['stats', '--from', '2025-12-30', '--to', '2026-01-01'], { stdout: screen })
    expect(screen.text).toMatch(/^requested +3 +▁▁█$/m)
    expect(screen.text).toMatch(/^ended +0 +▁▁▁$/m)
  })

  it('is a document with --json, with each cause and rule', async () => {
    const { run } = await signedUp()
    const document = JSON.parse((await run(['stats', '--by', 'month', '--feed', 'default', '--json'])).stdout)
    expect(document).toMatchObject({
      feed: 'default',
      by: 'month',
      subscriptions: { pending: 2, confirmed: 1, ended: 0 },
    })
    expect(document.periods).toHaveLength(12)
    expect(document.periods.at(-1)).toMatchObject({
      requested: 3,
      ended: { unsubscribed: 0 },
      turned_away: { mail_cap: 0 },
    })
    expect(JSON.parse((await run(['stats', '--feed', 'news', '--json'])).stdout).subscriptions.pending).toBe(0)
  })

  it('says what is wrong with what it is given', async () => {
    const { run } = openTestCli()
    for (const [option, value] of [
      ['--feed', 'none'],
      ['--from', '1.1.2026'],
      ['--by', 'year'],
    ] as const) {
      const { exitCode, stderr } = await run(['stats', option, value])
      expect([option, exitCode, stderr]).toEqual([option, expect.any(Number), expect.stringMatching(/^error: /)])
      expect(exitCode).not.toBe(0)
    }
  })
})

describe('a line of bars', () => {
  it.each([
    [[], ''],
    [[0, 0], '▁▁'],
    [[0, 1, 7], '▁▂█'],
    [[1_000_000, 1], '█▂'],
  ])('%j is %s', (numbers, line) => {
    expect(sparkline(numbers)).toBe(line)
  })

  it('is no longer than there is room for, and leaves nothing out', () => {
    const line = sparkline(Array.from({ length: 400 }, (_, n) => (n === 399 ? 5 : 0)))
    expect(line).toBe(`${'▁'.repeat(39)}█`)
  })
})
