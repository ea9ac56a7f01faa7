import { expect, it } from 'vitest'
import { type KeySuccession, KeysNotRotatable, LINK_KEY_ID, type LinkKeyPurpose, type LinkKeys } from '../src/index.ts'
import { outcomesOf, upTo } from './samples.ts'
import { portSuite } from './storage-under-test.ts'

export interface LinkKeysUnderTest {
  readonly keys: LinkKeys
  /** The same keys, as another process or the next start finds them. */
  again(): Promise<LinkKeys>
  dispose(): Promise<void>
}

const PURPOSES = Object.keys({
  confirm: true,
  refuse: true,
  unsubscribe: true,
  manage: true,
  preferences: true,
  move: true,
  undo: true,
  'bounce-address': true,
} satisfies Record<LinkKeyPurpose, true>) as LinkKeyPurpose[]

const UNTIL = 1_900_000_000_000

export const linkKeysContract = portSuite<LinkKeysUnderTest>('link keys', (under) => {
  const rotate = async (succession: Partial<KeySuccession> = {}) => {
    const key = await under().keys.makeKey()
    await key.takeOver({ revoke: false, verifyUntil: UNTIL, ...succession })
    return key.keyId
  }
  const signature = (keys: LinkKeys = under().keys, purpose: LinkKeyPurpose = 'confirm') => {
    const { id, hmac } = keys.current
    return { id, mac: hmac(purpose, 'text'), purpose }
  }
  const isGood = ({ id, mac, purpose }: ReturnType<typeof signature>, keys = under().keys) =>
    keys.find(id)?.hmac(purpose, 'text') === mac

  it('have short ids, and one that signs and is found', () => {
    const { current, find } = { current: under().keys.current, find: (id: string) => under().keys.find(id) }
    expect(current.id).toMatch(LINK_KEY_ID)
    expect(current.timedUntil).toBeUndefined()
    expect(find(current.id)?.hmac('confirm', 'x')).toBe(current.hmac('confirm', 'x'))
    for (const id of ['', 'zzzz', `${current.id}0`, ' ', '__proto__']) expect(find(id)).toBeUndefined()
  })

  it('sign each purpose and text differently, and the same again', () => {
    const { hmac } = under().keys.current
    const all = PURPOSES.flatMap((purpose) => ['', 'a', 'A', 'ü', 'confirm'].map((text) => hmac(purpose, text)))
    expect(new Set(all).size).toBe(PURPOSES.length * 5)
    for (const mac of all) expect(mac).toMatch(/^[0-9a-f]{64}$/)
    expect(hmac('confirm', 'a')).toBe(hmac('confirm', 'a'))
  })

  it('are the same for another process and after a start', async () => {
    const made = signature()
    await rotate()
    const now = signature()
    const again = await under().again()
    expect(again.current.id).toBe(now.id)
    for (const one of [made, now]) expect(isGood(one, again)).toBe(true)
  })

  it('that were made and have not taken over change nothing', async () => {
    const before = signature()
    const { keyId } = await under().keys.makeKey()
    expect(signature()).toEqual(before)
    expect(under().keys.find(keyId)).toBeUndefined()
  })

  it('that take over sign; those before stay for what never expires, and have the earliest end that was set', async () => {
    const before = [signature()]
    await rotate()
    before.push(signature())
    await rotate({ verifyUntil: UNTIL + 1_000_000 })
    for (const one of before) expect(isGood(one)).toBe(true)
    expect(under().keys.current.timedUntil).toBeUndefined()
    expect(before.map(({ id }) => under().keys.find(id)?.timedUntil)).toEqual([UNTIL, UNTIL + 1_000_000])
  })

  it('are nowhere any more once they are revoked, whenever they were retired', async () => {
    const before = [signature()]
    await rotate()
    before.push(signature())
    const keyId = await rotate({ revoke: true })
    for (const keys of [under().keys, await under().again()]) {
      for (const one of before) expect(isGood(one, keys)).toBe(false)
      for (const { id } of before) expect(keys.find(id)).toBeUndefined()
      expect(keys.current.id).toBe(keyId)
    }
  })

  it('have an id each, also after a revocation', async () => {
    const ids = [under().keys.current.id, await rotate(), await rotate({ revoke: true }), await rotate()]
    expect(new Set(ids).size).toBe(4)
  })

  it('may take over many at once: each of them does, or is refused and changes nothing', async () => {
    const before = signature()
    const { values, errors } = await outcomesOf(upTo(5).map(() => rotate()))
    for (const error of errors) expect(error).toBeInstanceOf(KeysNotRotatable)
    expect(new Set(values).size).toBe(5 - errors.length)
    expect(values).toContain(under().keys.current.id)
    for (const id of values) expect(under().keys.find(id)).toBeDefined()
    expect(isGood(before)).toBe(true)
  })
})
