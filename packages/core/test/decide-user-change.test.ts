import { describe, expect, it } from 'vitest'
import {
  decideDeletion,
  decidePatch,
  decidePut,
  decideResumption,
  decideRoles,
  decideSuspension,
  type UserChange,
  type UserFacts,
} from '../src/users/decide-user-change.ts'
import type { User, UserId } from '../src/users/user.ts'

const NOW = 100

const ADA: User = {
  ...{ id: 'ada' as UserId, email: 'ada@example.com', emailKey: 'ada@example.com', name: 'Ada Lovelace', roles: [] },
  ...{ createdAt: 1, updatedAt: 2, lastSeenAt: 0 },
}
const OF_A_DIRECTORY = {
  ...{ userName: 'countess99', externalId: 'a.byron@example.com', formatted: 'Ada King, Countess' },
  ...{ givenName: 'Augusta', familyName: 'King' },
}
const ADMIN: User = { ...ADA, roles: ['admin'] }
const SUSPENDED: User = { ...ADA, suspendedAt: 50, tokensNotBefore: 50 }
const FIELDS = { email: 'new@example.com', emailKey: 'new@example.com', name: 'New', roles: ['auditor'] }

const ABSENT: UserFacts = { user: undefined, isDeleted: false, administrators: undefined }
const DELETED: UserFacts = { ...ABSENT, isDeleted: true }
/** What is stored; how many administrators there are was not looked at, unless it is given. */
const stored = (user: User, administrators?: number): UserFacts => ({ ...ABSENT, user, administrators })

const precondition = (user: User | undefined): boolean => user?.updatedAt === 1
const put =
  (fields = FIELDS, condition?: typeof precondition, suspended?: boolean) =>
  (facts: UserFacts) =>
    decidePut(facts, { id: ADA.id, read: () => fields, suspended, precondition: condition }, NOW)
const patch = (fields: Partial<typeof FIELDS>, condition?: typeof precondition) => (facts: UserFacts) =>
  decidePatch(facts, { read: () => fields, precondition: condition }, NOW)
const AUDITOR: User = { ...ADA, roles: ['auditor', 'sender'] }
const roles = (change: Parameters<typeof decideRoles>[1]) => (facts: UserFacts) => decideRoles(facts, change, NOW)
const suspend = (facts: UserFacts) => decideSuspension(facts, {}, NOW)
const resume = (facts: UserFacts) => decideResumption(facts, {}, NOW)
const remove = (facts: UserFacts) => decideDeletion(facts, {})

type Outcome = string | { readonly event: string; readonly user: User }

const outcomeOf = (decide: (facts: UserFacts) => UserChange, facts: UserFacts): Outcome => {
  try {
    const change = decide(facts)
    if (change.kind === 'store') return { event: change.event, user: change.user }
    return change.kind
  } catch (error) {
    return (error as Error).name
  }
}

const updated = (changes: Partial<User>, from: User = ADA): Outcome => ({
  event: 'user.updated',
  user: { ...from, ...changes, updatedAt: NOW },
})

type Row = [string, (facts: UserFacts) => UserChange, UserFacts, Outcome]

const TABLE: Row[] = [
  [
    'a put of a new id',
    put(),
    ABSENT,
    { event: 'user.created', user: { id: ADA.id, createdAt: NOW, ...FIELDS, updatedAt: NOW } },
  ],
  [
    'a put of a new id, suspended',
    put(FIELDS, undefined, true),
    ABSENT,
    {
      event: 'user.created',
      user: { id: ADA.id, createdAt: NOW, ...FIELDS, suspendedAt: NOW, tokensNotBefore: NOW, updatedAt: NOW },
    },
  ],
  ['a put of a stored user', put(), stored(ADA), updated(FIELDS)],
  ['a put of a stored user, suspended if new', put(FIELDS, undefined, true), stored(ADA), updated(FIELDS)],
  ['a put of a deleted id', put(), DELETED, 'UserDeleted'],
  ['a put of what is not as the caller knows it', put(FIELDS, precondition), stored(ADA), 'PreconditionFailed'],
  ['a put of what is not there', put(FIELDS, precondition), ABSENT, 'PreconditionFailed'],
  ['a put of a suspended user, who stays so', put(), stored(SUSPENDED), updated(FIELDS, SUSPENDED)],
  ['a put that takes the role, not counted', put(), stored(ADMIN), 'unsure'],
  ['a put that takes it from the last', put(), stored(ADMIN, 1), 'LastAdministrator'],
  ['a put that takes it from one of two', put(), stored(ADMIN, 2), updated(FIELDS, ADMIN)],
  [
    'a put that leaves the role',
    put({ ...FIELDS, roles: ['admin'] }),
    stored(ADMIN),
    updated({ ...FIELDS, roles: ['admin'] }, ADMIN),
  ],
  [
    'a put that grants the role',
    put({ ...FIELDS, roles: ['admin'] }),
    stored(ADA),
    updated({ ...FIELDS, roles: ['admin'] }),
  ],

  ['a patch of one field', patch({ name: 'Countess' }), stored(ADA), updated({ name: 'Countess' })],
  ['a patch without a difference', patch({ name: ADA.name }), stored(ADA), 'none'],
  ['an empty patch of the last administrator', patch({}), stored(ADMIN, 1), 'none'],
  ['a patch of nobody', patch({ name: 'x' }), ABSENT, 'UserNotFound'],
  ['a patch of a deleted user', patch({ name: 'x' }), DELETED, 'UserDeleted'],
  ['a patch of what is not as the caller knows it', patch({}, precondition), stored(ADA), 'PreconditionFailed'],
  ['a patch that takes the role from the last', patch({ roles: [] }), stored(ADMIN, 1), 'LastAdministrator'],
  [
    'a patch that takes the role of a suspended one',
    patch({ roles: [] }),
    stored({ ...ADMIN, suspendedAt: 5 }, 1),
    updated({ roles: [] }, { ...ADMIN, suspendedAt: 5 }),
  ],

  [
    'a role that is given',
    roles({ add: ['form', 'form'] }),
    stored(AUDITOR),
    updated({ roles: ['auditor', 'form', 'sender'] }, AUDITOR),
  ],
  ['a role that is taken', roles({ remove: ['sender'] }), stored(AUDITOR), updated({ roles: ['auditor'] }, AUDITOR)],
  ['a role that is given and taken', roles({ add: ['sender'], remove: ['sender'] }), stored(AUDITOR), 'none'],
  ['a role that is there', roles({ add: ['auditor'] }), stored(AUDITOR), 'none'],
  ['a role that is not', roles({ remove: ['admin'] }), stored(AUDITOR), 'none'],
  ['roles of nobody', roles({ add: ['auditor'] }), ABSENT, 'UserNotFound'],
  ['roles of a deleted user', roles({ add: ['auditor'] }), DELETED, 'UserDeleted'],
  [
    'roles by a reason that names the user',
    roles({ add: ['form'], reason: 'for Ada Lovelace' }),
    stored(ADA),
    'InvalidInput',
  ],
  ['roles of one who is not as the caller knows it', roles({ precondition }), stored(ADA), 'PreconditionFailed'],
  ['the role that is taken, not counted', roles({ remove: ['admin'] }), stored(ADMIN), 'unsure'],
  ['the role that is taken from the last', roles({ remove: ['admin'] }), stored(ADMIN, 1), 'LastAdministrator'],

  [
    'a suspension',
    suspend,
    stored(ADA),
    { event: 'user.suspended', user: { ...ADA, suspendedAt: NOW, tokensNotBefore: NOW, updatedAt: NOW } },
  ],
  [
    'a suspension of one whose tokens may say that they are of the next second',
    suspend,
    stored({ ...ADA, tokensNotBefore: 50 }),
    { event: 'user.suspended', user: { ...ADA, suspendedAt: NOW, tokensNotBefore: 1_000, updatedAt: NOW } },
  ],
  [
    'a suspension whose reason names the user',
    (facts) => decideSuspension(facts, { reason: 'Ada Lovelace has left' }, NOW),
    stored(ADA),
    'InvalidInput',
  ],
  ['a suspension of one who is', suspend, stored(SUSPENDED), 'none'],
  ['a suspension of nobody', suspend, ABSENT, 'UserNotFound'],
  ['a suspension of an administrator, not counted', suspend, stored(ADMIN), 'unsure'],
  ['a suspension of the last', suspend, stored(ADMIN, 1), 'LastAdministrator'],
  [
    'a resumption',
    resume,
    stored(SUSPENDED),
    { event: 'user.resumed', user: { ...ADA, tokensNotBefore: NOW, updatedAt: NOW } },
  ],
  [
    'a resumption that forgets no earlier limit',
    resume,
    stored({ ...SUSPENDED, tokensNotBefore: 500 }),
    { event: 'user.resumed', user: { ...ADA, tokensNotBefore: 500, updatedAt: NOW } },
  ],
  [
    'a resumption whose reason names the user',
    (facts) => decideResumption(facts, { reason: 'Ada Lovelace is back' }, NOW),
    stored(SUSPENDED),
    'InvalidInput',
  ],
  ['a resumption of one who is not suspended', resume, stored(ADA), 'none'],
  ['a resumption of a deleted user', resume, DELETED, 'UserDeleted'],

  ['a deletion', remove, stored(ADA), 'delete'],
  ['a deletion of nobody', remove, ABSENT, 'UserNotFound'],
  ['a deletion of a deleted user', remove, DELETED, 'UserDeleted'],
  ['a deletion of an administrator, not counted', remove, stored(ADMIN), 'unsure'],
  ['a deletion of the last', remove, stored(ADMIN, 1), 'LastAdministrator'],
  ['a deletion of one of two', remove, stored(ADMIN, 2), 'delete'],
  ['a deletion of a suspended administrator', remove, stored({ ...ADMIN, suspendedAt: 5 }, 1), 'delete'],
  [
    'a deletion of what is not as the caller knows it',
    (facts) => decideDeletion(facts, { precondition }),
    stored(ADA),
    'PreconditionFailed',
  ],
  [
    'a deletion whose reason names the user',
    (facts) => decideDeletion(facts, { reason: 'Ada Lovelace asked' }),
    stored(ADA),
    'InvalidInput',
  ],
  ...['asked by countess99', 'a.byron@example.com left', 'Ada King, Countess', 'Augusta King'].map(
    (reason): Row => [
      `a deletion whose reason has what a directory calls the user: ${reason}`,
      (facts) => decideDeletion(facts, { reason }),
      stored({ ...ADA, provisioned: OF_A_DIRECTORY }),
      'InvalidInput',
    ],
  ),
  [
    'a deletion whose reason has the id, which stays anyway',
    (facts) => decideDeletion(facts, { reason: 'ada has left' }),
    stored({ ...ADA, name: '', provisioned: { userName: 'ada', externalId: 'ada' } }, 1),
    'delete',
  ],
]

describe('a change of a user', () => {
  it.each(TABLE)('is decided: %s', (_, decide, facts, expected) => {
    expect(outcomeOf(decide, facts)).toEqual(expected)
  })

  it('reads the fields only once the condition holds', () => {
    const read = () => {
      throw new RangeError('read')
    }
    expect(outcomeOf((facts) => decidePut(facts, { id: ADA.id, read, precondition }, NOW), stored(ADA))).toBe(
      'PreconditionFailed',
    )
    expect(outcomeOf((facts) => decidePatch(facts, { read, precondition }, NOW), stored(ADA))).toBe(
      'PreconditionFailed',
    )
    expect(outcomeOf((facts) => decidePut(facts, { id: ADA.id, read }, NOW), DELETED)).toBe('UserDeleted')
  })
})
