import { describe, expect, it, vi } from 'vitest'
import { feedName } from '../contract/samples.ts'
import { admitAgain } from '../src/access/admit.ts'
import { partsFor, stillFor } from '../src/access/run-for.ts'
import {
  AccessControl,
  type AccountStatus,
  admit,
  type Caller,
  type Channel,
  type Door,
  type Entry,
  operator,
  type Readers,
  type Stores,
  TablePolicy,
  Unauthenticated,
  type UnitOfWork,
} from '../src/index.ts'
import { DeleteUserUseCase } from '../src/users/delete-user-use-case.ts'
import { ADMIN } from './cast.ts'

const DOORS: readonly Door[] = ['operator', 'link', 'token']
const CHANNELS: readonly Channel[] = ['http', 'cli', 'library', 'console', 'scim']

/** A caller as roles, where they are from, and feeds; or the check that was failed. */
const told = (admitted: () => Caller, expected: Partial<Caller>): string => {
  try {
    const { roleSource, roles, feeds, ...answer } = admitted()
    expect(answer).toMatchObject(expected)
    return `${roleSource} [${roles}]${feeds === undefined ? '' : ` of [${feeds}]`}`
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error
    // It says what is wrong, and what to do.
    expect(error.message).toMatch(/^Th.+\. (Ask|Get|Use) .+\.$/)
    return `refused: ${error.failedCheck}`
  }
}

const outcome = (entry: Partial<Entry>, status: AccountStatus, channel: Channel = 'http'): string => {
  const circumstances = { channel, requestId: 'r-1' }
  const given = { door: 'token', subject: 'ada', ...entry } as const
  return told(() => admit(given, status, circumstances), { id: given.subject, ...circumstances })
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

describe('a caller that was admitted before', () => {
  const SENDS = { roles: ['sender'], feeds: [feedName('a')] }
  it.each<[string, Partial<Caller>, AccountStatus, string]>([
    [
      'is an operator still, whatever is stored by that name',
      { roleSource: 'operator' },
      'deleted',
      'operator [admin]',
    ],
    ['is as it was, known by its token alone', {}, undefined, 'token [admin]'],
    ['is as a host has made it, whose names are its own', { id: 'Ada L.' }, undefined, 'token [admin]'],
    ['has the roles that were stored since', {}, { roles: ['auditor'] }, 'stored [auditor]'],
    ['is bound to its feeds still', SENDS, undefined, 'token [sender] of [a]'],
    ['is bound to its feeds, once stored, too', SENDS, { roles: ['sender'] }, 'stored [sender] of [a]'],
    ['has lost a role', { roleSource: 'stored' }, { roles: [] }, 'stored []'],
    ['was deleted', {}, 'deleted', 'refused: user'],
    ['was suspended', { roleSource: 'stored' }, 'suspended', 'refused: user'],
    ['has a token that was revoked', { roleSource: 'stored' }, 'revoked', 'refused: revoked'],
    ['was removed by its host', { roleSource: 'stored' }, undefined, 'refused: user'],
    ['came before it was suspended', { issuedAt: 5 }, { roles: [], tokensNotBefore: 5 }, 'refused: user'],
    ['came after that', { issuedAt: 6 }, { roles: [], tokensNotBefore: 5 }, 'stored []'],
    ['came with nothing that has a time', {}, { roles: [], tokensNotBefore: 5 }, 'stored []'],
  ])('%s', (_, changes, status, expected) => {
    const caller: Caller = {
      id: 'ada',
      roles: ['admin'],
      roleSource: 'token',
      channel: 'http',
      tokenId: 't',
      ...changes,
    }
    expect(told(() => admitAgain(caller, status), { id: caller.id, channel: 'http', tokenId: 't' })).toBe(expected)
  })
})

it('asks the policy once about other roles, however many parts come after', async () => {
  const users = { callerStatus: async () => ({ roles: ['admin'] }), accountStatus: async () => ({ roles: ['admin'] }) }
  const policy = new TablePolicy()
  const decide = vi.spyOn(policy, 'decide')
  const run = vi.fn<UnitOfWork['run']>((work) => work({ users } as unknown as Stores))
  const ports = {
    access: new AccessControl(policy, { note: () => undefined }),
    unitOfWork: { run } as UnitOfWork,
    readers: { users } as unknown as Readers,
  }
  const caller: Caller = { ...ADMIN, id: 'ada', roles: ['auditor', 'admin'], roleSource: 'stored' }
  const runPart = partsFor(ports, DeleteUserUseCase, caller)
  for (const part of [1, 2, 3]) expect(await runPart(async () => part)).toBe(part)
  expect([decide.mock.calls.length, run.mock.calls.length]).toEqual([1, 4])
  const requireStill = stillFor(ports, DeleteUserUseCase, caller)
  for (const _ of [1, 2, 3]) await requireStill()
  expect(decide).toHaveBeenCalledTimes(2)
})
