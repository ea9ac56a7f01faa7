import { describe, expect, it } from 'vitest'
import { Ledger } from './ledger.ts'
import type { AcceptedMail } from './mailbox.ts'
import type { Action } from './model.ts'
import { isAs, type Observed, type Person } from './person.ts'

const SIGN_UP: Action = { kind: 'subscribe', name: 'Ada' }
const ERASE: Action = { kind: 'delete-user', subscriptions: 'erase' }
const PUT: Action = { kind: 'put-user', name: 'Ada' }

const NOTHING: Observed = {
  ...{ subscription: undefined, second: undefined, moved: undefined },
  ...{ user: 'none', undeliverable: false },
}
const subscribed = (status: string, name = 'Ada'): Observed => ({ ...NOTHING, subscription: { status, name } })

const body = ({ email }: Person, id = 7): string =>
  JSON.stringify({ subscription: { name: 'Ada', email, id, feed: 'default' } })

const make = () => {
  const clock = { now: 0 }
  const ledger = new Ledger(() => clock.now)
  const person = ledger.newPerson()
  const done = (action: Action, status: number, text = ''): void => {
    ledger.sent(person, action)
    ledger.answered(person, action, { status, body: text })
  }
  const mail = (messageId: string, at: number, more: Partial<AcceptedMail> = {}): AcceptedMail => {
    return {
      messageId,
      to: person.email,
      begunAt: at,
      acceptedAt: at,
      processNumber: 0,
      cutOff: false,
      text: '',
      ...more,
    }
  }
  const broken = (): string[] => ledger.findings.map(({ invariant }) => invariant)
  return { clock, ledger, person, done, mail, broken }
}

describe('what a person may have come to', () => {
  it('is what was answered, and nothing else', () => {
    const { person, done } = make()
    done(SIGN_UP, 200, body(person))
    expect(person.observed(NOTHING)).toBe(false)
    expect(person.observed(subscribed('confirmed'))).toBe(false)
    expect(person.observed(subscribed('pending', 'Bob'))).toBe(false)
    expect(person.observed(subscribed('pending'))).toBe(true)
  })

  it('is one of two if an answer is missing, and one of them once it was seen', () => {
    const { ledger, person } = make()
    ledger.sent(person, SIGN_UP)
    ledger.answered(person, SIGN_UP, undefined)
    expect(person.possible).toHaveLength(2)
    expect(person.observed(NOTHING)).toBe(true)
    expect(person.observed(subscribed('pending'))).toBe(false)
  })

  it('has a user who is suspended as long as that was answered', () => {
    const { person, done } = make()
    const is = (suspended: boolean) => person.observed({ ...NOTHING, user: { name: 'Ada', suspended } })
    done(PUT, 201)
    done({ kind: 'suspend-user' }, 200)
    expect([is(false), is(true)]).toEqual([false, true])
    done(PUT, 204)
    expect([is(false), is(true)]).toEqual([false, true])
    done({ kind: 'resume-user' }, 200)
    expect([is(true), is(false)]).toEqual([false, true])
    done(ERASE, 204)
    done({ kind: 'suspend-user' }, 410)
  })

  it('has moved wholly or not at all', () => {
    const { ledger, person, done } = make()
    done(SIGN_UP, 200, body(person))
    done({ kind: 'confirm' }, 200)
    ledger.sent(person, { kind: 'move' })
    ledger.answered(person, { kind: 'move' }, undefined)
    const moved = { status: 'confirmed', name: 'Ada' }
    const is = (status: string, more: Partial<Observed>): boolean =>
      person.possible.some((state) => isAs(state, { ...subscribed(status), movesRecorded: 0, ...more }))
    expect([is('confirmed', {}), is('ended', { moved, movesRecorded: 2 })]).toEqual([true, true])
    expect([is('ended', {}), is('confirmed', { moved }), is('ended', { moved, movesRecorded: 1 })]).not.toContain(true)
  })

  it('is in all feeds of a form, or in none', () => {
    const { ledger, person } = make()
    const action: Action = { kind: 'subscribe-to-feeds', name: 'Ada' }
    ledger.sent(person, action)
    ledger.answered(person, action, undefined)
    const is = (seen: Observed, second: Observed['second']): boolean =>
      person.possible.some((state) => isAs(state, { ...seen, second }))
    const second = { status: 'pending', name: 'Ada' }
    expect([is(NOTHING, undefined), is(subscribed('pending'), second)]).toEqual([true, true])
    expect([is(NOTHING, second), is(subscribed('pending'), undefined)]).toEqual([false, false])
  })

  it('is what was reported of its mails', () => {
    const { person, done } = make()
    done(SIGN_UP, 200, body(person))
    done({ kind: 'bounce' }, 204)
    expect(person.observed(subscribed('pending'))).toBe(false)
    expect(person.observed({ ...subscribed('pending'), undeliverable: true })).toBe(true)
  })

  it('is never what was erased', () => {
    const { person, done } = make()
    done(PUT, 201)
    done(SIGN_UP, 200, body(person))
    done(ERASE, 204)
    expect(person.observed(subscribed('pending'))).toBe(false)
    expect(person.observed({ ...NOTHING, user: { name: 'Ada', suspended: false } })).toBe(false)
    expect(person.observed({ ...NOTHING, user: 'deleted' })).toBe(true)
  })
})

describe('the ledger reports', () => {
  it('an answer that could not be', () => {
    const { done, broken } = make()
    done(ERASE, 204)
    expect(broken()).toEqual(['I1'])
  })

  it('an answer that says something else, and an id that changes', () => {
    const { person, done, broken } = make()
    done(SIGN_UP, 200, body(person).replace('Ada', 'Bob'))
    done(SIGN_UP, 200, body(person))
    done(SIGN_UP, 200, body(person, 8))
    expect(broken()).toEqual(['I1', 'I2'])
  })

  it('a mail for an unknown address', () => {
    const { ledger, mail, broken } = make()
    ledger.received(mail('<1>', 1, { to: 'unknown@example.com' }))
    expect(broken()).toEqual(['I2'])
  })

  it('a mail that comes twice, but not if the process died in between, or the relay hung up', () => {
    const { clock, ledger, mail, broken } = make()
    ledger.received(mail('<1>', 1, { cutOff: true }))
    ledger.received(mail('<1>', 2))
    clock.now = 10
    ledger.died()
    ledger.received(mail('<1>', 20, { processNumber: 1 }))
    expect(broken()).toEqual([])
    expect(ledger.longestWindow).toBe(8)
    ledger.received(mail('<1>', 21, { processNumber: 1 }))
    expect(broken()).toEqual(['I4'])
  })

  it('a mail to who was erased, unless its dialogue had begun', () => {
    const { clock, ledger, mail, done, broken } = make()
    done(PUT, 201)
    clock.now = 100
    done(ERASE, 204)
    ledger.received(mail('<1>', 200, { begunAt: 99 }))
    expect(broken()).toEqual([])
    ledger.received(mail('<1>', 302, { processNumber: 1, begunAt: 301 }))
    expect(broken()).toContain('I5')
  })

  it('another mail to the same address too soon', () => {
    const { ledger, mail, broken } = make()
    ledger.received(mail('<1>', 0))
    ledger.received(mail('<2>', 60_000))
    expect(broken()).toEqual(['I6'])
  })
})
