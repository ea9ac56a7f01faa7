import { describe, expect, it } from 'vitest'
import {
  type AccountStatus,
  admit,
  type Channel,
  type Door,
  type Entry,
  operator,
  Unauthenticated,
} from '../src/index.ts'

const DOORS: readonly Door[] = ['operator', 'link', 'token']
const CHANNELS: readonly Channel[] = ['http', 'cli', 'library', 'console', 'scim']

const answerOf = (...given: Parameters<typeof admit>) => {
  try {
    return admit(...given)
  } catch (error) {
    return error as Unauthenticated
  }
}

/** A caller as roles, where they are from, and feeds; or the check that was failed. */
const outcome = (entry: Partial<Entry>, status: AccountStatus, channel: Channel = 'http'): string => {
  const answer = answerOf({ door: 'token', subject: 'ada', ...entry }, status, { channel, requestId: 'r-1' })
  if (answer instanceof Unauthenticated) return `refused: ${answer.failedCheck}`
  expect(answer).toMatchObject({ id: entry.subject ?? 'ada', channel, requestId: 'r-1' })
  const feeds = answer.feeds === undefined ? '' : ` of [${answer.feeds}]`
  return `${answer.roleSource} [${answer.roles}]${feeds}`
}

describe('an operator', () => {
  it('is one by the door, whatever is known of the name; everything else that came with it counts for nothing', () => {
    for (const channel of CHANNELS) {
      const entry = { door: 'operator', subject: 'operator:root', roles: ['x'], feeds: ['weekly'] } as const
      expect(outcome(entry, undefined, channel)).toBe('operator [admin]')
    }
    expect(operator('root')).toEqual({ id: 'operator:root', roles: ['admin'], roleSource: 'operator', channel: 'cli' })
  })

  it('is called one: at that door nobody comes in under the name of a user', () => {
    for (const subject of ['root', '', 'Operator:root'])
      expect(outcome({ door: 'operator', subject }, undefined)).toBe('refused: sub')
  })

  it.each(['operator:root', 'OPERATOR:root', 'operator:', '', '.', '..', 'two words', 'ä', '\ud800', 'x'.repeat(256)])(
    'is nobody by name: %j at any other door, over any channel, whatever the token or storage says',
    (subject) => {
      for (const door of ['link', 'token'] as const)
        for (const channel of CHANNELS)
          for (const status of [undefined, { roles: ['admin'] }, 'deleted'] as const)
            expect(outcome({ door, subject, roles: ['admin'] }, status, channel)).toBe('refused: sub')
    },
  )
})

it('lets a token in over the channel alone that it is for', () => {
  for (const channel of CHANNELS)
    for (const status of [undefined, { roles: ['admin'] }] as const) {
      const expected = channel === 'scim' ? /^(?:token \[provisioner\]|stored \[admin\])$/ : /^refused: channel$/
      expect(outcome({ roles: ['provisioner'], opens: 'scim' }, status, channel)).toMatch(expected)
    }
})

it('lets nobody in by a door that it does not know', () => {
  for (const door of ['', 'Operator', 'constructor', undefined])
    expect(outcome({ door: door as never, subject: 'operator:root', roles: ['admin'] }, { roles: ['admin'] })).toBe(
      'refused: sub',
    )
})

describe('a caller', () => {
  const DAY = { issuedAt: 10 }

  it.each<[string, Partial<Entry>, AccountStatus, string]>([
    ['has the roles of its token where it is not stored', { roles: ['auditor'] }, undefined, 'token [auditor]'],
    ['has no roles where nothing says any', {}, undefined, 'token []'],
    ['has its stored roles, not those of its token', { roles: ['admin'] }, { roles: ['auditor'] }, 'stored [auditor]'],
    ['has none after they were taken away', { roles: ['admin'] }, { roles: [] }, 'stored []'],
    ['is refused once deleted', { roles: ['admin'] }, 'deleted', 'refused: user'],
    ['is refused while suspended', { roles: ['admin'] }, 'suspended', 'refused: user'],
    ['is refused once its token is revoked', { roles: ['admin'] }, 'revoked', 'refused: revoked'],
    ['is refused with what was issued before', DAY, { roles: [], tokensNotBefore: 11 }, 'refused: user'],
    ['is refused with what was issued just then', DAY, { roles: [], tokensNotBefore: 10 }, 'refused: user'],
    ['is let in with what was issued after', DAY, { roles: [], tokensNotBefore: 9 }, 'stored []'],
    ['is refused with what says no time', {}, { roles: [], tokensNotBefore: 9 }, 'refused: user'],
    ['is refused with a time of 0', { issuedAt: 0 }, { roles: [], tokensNotBefore: 0 }, 'refused: user'],
  ])('%s', (_, entry, status, expected) => {
    for (const channel of CHANNELS) expect(outcome(entry, status, channel)).toBe(expected)
    // A link has no roles of its own, so that it speaks for stored users only.
    const byLink = status === undefined ? 'refused: user' : expected
    expect(outcome({ ...entry, door: 'link' }, status, 'console')).toBe(byLink)
  })

  const BOUND: readonly [claimed: string, feeds: string[] | undefined, stored: string | undefined, expected: string][] =
    [
      ['sender', ['a', 'b'], undefined, 'token [sender] of [a,b]'],
      ['', ['a'], 'sender', 'stored [sender] of [a]'],
      ['', ['a'], 'sender auditor', 'stored [sender] of [a]'],
      ['sender', ['a'], 'auditor', 'stored [] of [a]'],
      ['auditor', ['a'], undefined, 'token [] of [a]'],
      ['auditor sender', [], undefined, 'token [sender] of []'],
      ['sender', [], undefined, 'token [sender] of []'],
      ['', [], 'sender', 'stored [sender] of []'],
      ['sender', [], 'auditor', 'stored [] of []'],
      ['sender', ['a'], '', 'stored [] of [a]'],
      ['sender', undefined, undefined, 'token [sender]'],
      ['sender', undefined, 'auditor sender', 'stored [auditor,sender]'],
      ['auditor', [], undefined, 'token [auditor]'],
      ['', [], 'auditor', 'stored [auditor]'],
      ['admin sender', ['a'], undefined, 'token [admin,sender]'],
      ['sender', ['a'], 'admin', 'stored [admin]'],
    ]
  const namesIn = (text: string) => text.split(' ').filter((name) => name !== '')

  it.each(BOUND)(
    'with the roles "%s" and the feeds %j, stored with "%s", is %s',
    (claimed, feeds, stored, expected) => {
      const status = stored === undefined ? undefined : { roles: namesIn(stored) }
      const entry = { roles: namesIn(claimed), feeds }
      for (const channel of ['http', 'cli', 'library'] as const) expect(outcome(entry, status, channel)).toBe(expected)
      // The console shows all feeds.
      expect(outcome(entry, status, 'console')).toBe(expected.includes(' of [') ? 'refused: feeds' : expected)
    },
  )

  it('comes in by a door of three', () => {
    expect(DOORS.map((door) => outcome({ door, subject: 'ada' }, { roles: ['admin'] }))).toEqual([
      'refused: sub',
      'stored [admin]',
      'stored [admin]',
    ])
  })
})
