import { describe, expect, it } from 'vitest'
import type { AuditRecord } from '../src/index.ts'
import { upTo } from './samples.ts'
import { fresh } from './storage-under-test.ts'

/** What came of it: `done`, or the name of the error that refused it. */
export type Outcome = string

/** One way in to the users: the library, HTTP, the command line. Everything is done as an administrator. */
export interface UserDriver {
  /** Creates the user, or replaces it. */
  put(id: string, roles: readonly string[]): Promise<Outcome>
  /** `as` is who asks, if this way in knows more callers than one: a stored administrator. */
  delete(id: string, as?: string): Promise<Outcome>
  /** The outcome of each, in the order of the ids. */
  deleteMany(ids: readonly string[]): Promise<readonly Outcome[]>
  restore(id: string): Promise<Outcome>
  /** Changes the roles, and nothing else. */
  patch(id: string, roles: readonly string[]): Promise<Outcome>
  suspend(id: string): Promise<Outcome>
  resume(id: string): Promise<Outcome>
}

export interface UsersUnderTest {
  readonly driver: UserDriver
  /** Another way in to the same users, as another process would have; the same one if there is no other. */
  another(): Promise<UserDriver>
  /** Every record of the trail, with the refusals so far. */
  audit(): Promise<readonly AuditRecord[]>
  dispose(): Promise<void>
}

export interface UserGuardOptions {
  /** How often two administrators delete each other. */
  readonly rounds: number
}

/** Opens a service without users, over whatever storage, whose deletions can be undone for `grace` milliseconds. */
export type OpenUsers = (settings: { readonly deleteGrace: number }) => Promise<UsersUnderTest>

const ADMIN = ['admin']
const MINUTE = 60_000

/** What guards users, whichever way a command comes. */
export const userGuardsContract = (open: OpenUsers, { rounds }: UserGuardOptions): void => {
  describe('the last administrator', () => {
    const users = fresh(() => open({ deleteGrace: 0 }))
    const driver = () => users().driver
    const demote = (id: string, by = driver()) => by.put(id, ['auditor'])
    const refusals = async () => (await users().audit()).filter(({ outcome }) => outcome === 'LastAdministrator')

    it('cannot be deleted, demoted or suspended, and each attempt is in the trail by name', async () => {
      await driver().put('ada', ADMIN)
      await driver().put('bob', [])
      const outcomes = [await driver().delete('ada'), await demote('ada'), await driver().suspend('ada')]
      expect(outcomes).toEqual(outcomes.map(() => 'LastAdministrator'))
      expect(await refusals()).toMatchObject([
        { action: 'user.delete', target: 'ada' },
        { action: 'user.put', target: 'ada' },
        { action: 'user.suspend', target: 'ada' },
      ])
      expect(await driver().delete('bob')).toBe('done')
    })

    it('can be replaced as long as it stays one, and goes once there is another', async () => {
      await driver().put('ada', ADMIN)
      expect(await driver().put('ada', ['admin', 'auditor'])).toBe('done')
      await driver().put('bob', ADMIN)
      expect(await demote('ada')).toBe('done')
      expect(await driver().delete('bob')).toBe('LastAdministrator')
      await driver().put('ada', ADMIN)
      expect(await driver().delete('bob')).toBe('done')
    })

    it('stays where all of them are deleted in bulk', async () => {
      const ids = upTo(20).map((n) => `admin-${n}`)
      for (const id of ids) await driver().put(id, ADMIN)
      const outcomes = await driver().deleteMany(['missing', ...ids])
      expect(outcomes[0]).toBe('UserNotFound')
      expect(outcomes.slice(1).toSorted()).toEqual(['LastAdministrator', ...Array(19).fill('done')])
      expect(await refusals()).toHaveLength(1)
    })

    it('stays where two at once are deleted or demoted by two ways in', async () => {
      const other = await users().another()
      for (const [name, both] of [
        ['deletions', (a: string, b: string) => [driver().delete(a), other.delete(b)]],
        ['demotions', (a: string, b: string) => [demote(a), demote(b, other)]],
        ['a deletion and a demotion', (a: string, b: string) => [driver().delete(a), demote(b, other)]],
      ] as const) {
        const [a, b] = [`a of ${name}`, `b of ${name}`].map((id) => id.replaceAll(' ', '-')) as [string, string]
        await driver().put(a, ADMIN)
        await driver().put(b, ADMIN)
        await demote('c')
        const outcomes = await Promise.all(both(a, b))
        expect([name, ...outcomes.toSorted()]).toEqual([name, 'LastAdministrator', 'done'])
        // The remaining one must not stand in for the two of the next turn.
        await driver().put('c', ADMIN)
        for (const id of [a, b]) await driver().delete(id)
      }
    })

    it(`is one of two, whichever, when they delete each other ${rounds} times`, { timeout: 120_000 }, async () => {
      const other = await users().another()
      const unexpected: string[] = []
      let survivor = 'admin-0'
      await driver().put(survivor, ADMIN)
      for (const round of upTo(rounds)) {
        const rival = `admin-${round}`
        await driver().put(rival, ADMIN)
        const outcomes = await Promise.all([driver().delete(rival, survivor), other.delete(survivor, rival)])
        // The caller deleted first may be refused before its request is looked at.
        const oneIsLeft = outcomes.includes('done') && outcomes.some((one) => LOST.has(one))
        if (!oneIsLeft) unexpected.push(`${round}: ${outcomes.join(', ')}`)
        if (outcomes[1] === 'done') survivor = rival
      }
      expect(unexpected).toEqual([])
      expect(await driver().delete(survivor)).toBe('LastAdministrator')
    })
  })

  describe('a suspended user', () => {
    const users = fresh(() => open({ deleteGrace: 0 }))
    const driver = () => users().driver

    it('does not count as an administrator until it is resumed', async () => {
      await driver().put('ada', ADMIN)
      expect(await driver().suspend('ada')).toBe('LastAdministrator')
      await driver().put('bob', ADMIN)
      expect(await driver().suspend('ada')).toBe('done')
      const refused = [
        await driver().suspend('bob'),
        await driver().delete('bob'),
        await driver().put('bob', []),
        await driver().patch('bob', []),
        ...(await driver().deleteMany(['bob'])),
      ]
      expect(refused).toEqual(refused.map(() => 'LastAdministrator'))
      expect(await driver().resume('ada')).toBe('done')
      expect(await driver().suspend('bob')).toBe('done')
      expect(await driver().delete('ada')).toBe('LastAdministrator')
    })

    it('can be changed, suspended again and deleted, and stays suspended meanwhile', async () => {
      await driver().put('bob', ADMIN)
      await driver().put('ada', ADMIN)
      const done = [
        await driver().suspend('ada'),
        await driver().suspend('ada'),
        await driver().put('ada', []),
        await driver().patch('ada', ADMIN),
      ]
      expect(done).toEqual(done.map(() => 'done'))
      expect(await driver().delete('bob')).toBe('LastAdministrator')
      expect(await driver().delete('ada')).toBe('done')
      expect([await driver().suspend('ada'), await driver().resume('ada')]).toEqual(['UserDeleted', 'UserDeleted'])
      expect(await driver().suspend('missing')).toBe('UserNotFound')
    })

    it('is one of two, where two ways in suspend one another at once', async () => {
      const other = await users().another()
      for (const round of upTo(5)) {
        const [a, b] = [`a${round}`, `b${round}`]
        await driver().put(a, ADMIN)
        await driver().put(b, ADMIN)
        if (round > 0) await driver().suspend('c')
        const outcomes = await Promise.all([driver().suspend(a), other.suspend(b)])
        expect(outcomes.toSorted()).toEqual(['LastAdministrator', 'done'])
        await driver().put('c', ADMIN)
        await driver().resume('c')
        for (const id of [a, b]) expect(await driver().delete(id)).toBe('done')
      }
    })
  })

  describe('the id of a deleted user', () => {
    const users = fresh(() => open({ deleteGrace: 0 }))
    const driver = () => users().driver

    it('never comes back: it cannot be put, deleted or restored', async () => {
      await driver().put('ada', [])
      expect(await driver().delete('ada')).toBe('done')
      const again = [
        await driver().put('ada', []),
        await driver().put('ada', ADMIN),
        await driver().delete('ada'),
        await driver().restore('ada'),
        ...(await driver().deleteMany(['ada'])),
      ]
      expect(again).toEqual(again.map(() => 'UserDeleted'))
      const other = await users().another()
      expect(await other.put('ada', [])).toBe('UserDeleted')
    })

    it('never comes back either where it is put while it is deleted', async () => {
      const other = await users().another()
      for (const round of upTo(10)) {
        const id = `ada-${round}`
        await driver().put(id, [])
        const [deleted] = await Promise.all([driver().delete(id), other.put(id, [])])
        expect(deleted).toBe('done')
        expect(await other.put(id, [])).toBe('UserDeleted')
      }
    })

    it('is another matter than one that there never was', async () => {
      expect([await driver().delete('missing'), await driver().restore('missing')]).toEqual([
        'UserNotFound',
        'UserNotFound',
      ])
    })
  })

  describe('a user whose deletion can be undone', () => {
    const users = fresh(() => open({ deleteGrace: MINUTE }))
    const driver = () => users().driver

    it('is deleted for everybody else, and comes back whole when it is restored', async () => {
      await driver().put('ada', [])
      expect(await driver().delete('ada')).toBe('done')
      expect([await driver().put('ada', []), await driver().delete('ada')]).toEqual(['UserDeleted', 'UserDeleted'])
      expect(await driver().restore('ada')).toBe('done')
      expect(await driver().delete('ada')).toBe('done')
    })

    it('does not count as an administrator until it is restored', async () => {
      await driver().put('ada', ADMIN)
      await driver().put('bob', ADMIN)
      expect(await driver().delete('ada')).toBe('done')
      expect(await driver().delete('bob')).toBe('LastAdministrator')
      expect(await driver().restore('ada')).toBe('done')
      expect(await driver().delete('bob')).toBe('done')
      expect(await driver().delete('ada')).toBe('LastAdministrator')
    })

    it('is an administrator all the while, or not at all, for a caller that is deleted while the user is restored', async () => {
      const other = await users().another()
      await driver().put('ada', ADMIN)
      await driver().put('bob', ADMIN)
      await driver().delete('ada')
      const [restored, deleted] = await Promise.all([other.restore('ada'), driver().delete('bob')])
      expect(restored).toBe('done')
      expect(await driver().delete('ada')).toBe(deleted === 'done' ? 'LastAdministrator' : 'done')
    })
  })
}

const LOST: ReadonlySet<Outcome> = new Set(['LastAdministrator', 'Unauthenticated'])
