import { describe, expect, it } from 'vitest'
import { UsageError } from '../../proving/shared/command.ts'
import { Ledger } from '../../proving/shared/ledger.ts'
import { readWorldOptions, USAGE } from './options.ts'
import { type Tool, whatIsMissing } from './pieces/tools.ts'
import { SCENARIOS } from './scenarios.ts'
import { Tally } from './tally.ts'

describe('the options of check:world', () => {
  it('run everything by default, and only what is named', () => {
    expect(readWorldOptions([])?.scenarios).toEqual(SCENARIOS)
    const chosen = readWorldOptions(['--only', 'patroni', '--switchovers', '50', '--kills', '20', '--seed', '7'])
    expect(chosen?.scenarios.map(({ name }) => name)).toEqual(['patroni'])
    expect(chosen).toMatchObject({ switchovers: 50, kills: 20, seed: 7 })
  })

  it('refuse what there is not, and say what there is', () => {
    expect(() => readWorldOptions(['--only', 'moon'])).toThrow(UsageError)
    expect(() => readWorldOptions(['--kills', 'few'])).toThrow('--kills must be a whole number')
    expect(readWorldOptions(['--help'])).toBeUndefined()
    for (const { name } of SCENARIOS) expect(USAGE).toContain(`  ${name} `)
  })
})

it('what is missing is named with the one command that installs all of it', () => {
  const missing = (name: string): Tool => ({ name, purpose: 'for a test', packages: [name], find: () => undefined })
  const there: Tool = { name: 'there', purpose: 'for a test', packages: ['there'], find: () => '/there' }
  expect(whatIsMissing([there])).toEqual([])
  expect(whatIsMissing([missing('one'), there, missing('other')])).toEqual([
    'one is missing, for a test.',
    'other is missing, for a test.',
    'On Debian: apt-get install --no-install-recommends one other',
  ])
})

describe('a tally', () => {
  const action = { kind: 'subscribe', name: 'Zoë' } as const

  it('counts what was done, refused, cut off and answered 500', () => {
    const ledger = new Ledger(() => 0, { proxied: true })
    const tally = new Tally(ledger)
    for (const status of [200, 503, 502, 500, undefined]) {
      const person = ledger.newPerson()
      ledger.sent(person, action)
      ledger.answered(person, action, status === undefined ? undefined : { status, body: '' })
    }
    expect({ ...tally }).toMatchObject({ done: 1, signUps: 1, refused: 2, faults: 1, cutOff: 1 })
    // A 500 is a broken promise; what a proxy answers is not.
    expect(ledger.findings.map(({ message }) => message).filter((message) => /answered 50\d/.test(message))).toEqual([
      expect.stringContaining('was answered 500'),
    ])
  })

  it('waits for the next 2xx', async () => {
    const ledger = new Ledger()
    const tally = new Tally(ledger)
    const answer = (status: number) => {
      const person = ledger.newPerson()
      ledger.sent(person, action)
      ledger.answered(person, action, { status, body: '' })
    }
    answer(200)
    const next = tally.doneAfter(performance.now(), 60_000)
    answer(503)
    answer(200)
    expect(await next).toBeGreaterThanOrEqual(0)
    expect(await tally.doneAfter(performance.now(), 0)).toBeUndefined()
  })
})
