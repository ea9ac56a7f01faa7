import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Fixture } from '../shared/fixture.ts'
import type { Action } from '../shared/model.ts'
import type { Person } from '../shared/person.ts'
import { Random } from '../shared/random.ts'
import { owedTo, Scenario } from '../shared/scenario.ts'
import { damageOf } from '../shared/store.ts'

const SIGN_UP: Action = { kind: 'subscribe', name: 'Ada' }
const PUT: Action = { kind: 'put-user', name: 'Ada' }
const ERASE: Action = { kind: 'delete-user', subscriptions: 'erase' }

// The check itself. What the ledger is told here, the service was not asked, or the other way round.
it('finds every promise that seems to be broken', async () => {
  await using fixture = await Fixture.create()
  const scenario = new Scenario(fixture, new Random(1), 1, { awaitsCopies: false })
  const service = await scenario.begin()
  const { ledger, client } = fixture

  const really = (person: Person, action: Action) => fixture.act(person, action)
  const only = (person: Person, action: Action, status: number): void => {
    ledger.sent(person, action)
    person.answered(action, status, performance.now())
    ledger.acknowledged++
  }
  const honest = ledger.newPerson()
  await really(honest, SIGN_UP)
  await really(honest, PUT)
  await scenario.examine(true)
  expect(ledger.findings).toEqual([])

  const expected: [invariant: string, about: string][] = []
  const plant = (invariant: string, about = ledger.newPerson()): Person => {
    expected.push([invariant, about.email])
    return about
  }
  // Answered, and not there.
  only(plant('I1'), SIGN_UP, 200)
  only(plant('I1'), PUT, 201)
  const renamed = plant('I1')
  await really(renamed, SIGN_UP)
  only(renamed, { ...SIGN_UP, name: 'Grace' }, 200)
  // There, and never asked for.
  await client.ask(SIGN_UP, { email: 'stranger@example.com', userId: '' }, '')
  expected.push(['I2', 'stranger@example.com'])
  // Erased, and there.
  const erased = plant('I5')
  await really(erased, PUT)
  await really(erased, SIGN_UP)
  only(erased, ERASE, 204)
  // Confirmed, and nobody has pressed the button.
  const confirmed = plant('I8')
  await really(confirmed, SIGN_UP)
  await client.ask({ kind: 'confirm' }, confirmed, await ledger.mailbox.comingToken(confirmed.email, 'confirm'))
  await scenario.examine(true)
  const found = expected.filter(([invariant, about]) =>
    ledger.findings.some((finding) => finding.invariant === invariant && finding.message.includes(about)),
  )
  expect(found).toEqual(expected)
  expect(ledger.findings.filter(({ message }) => message.includes(honest.email))).toEqual([])

  // A relay that says it has the mail, and drops it.
  const { received } = ledger
  ledger.received = () => undefined
  const unmailed = ledger.newPerson()
  await really(unmailed, SIGN_UP)
  while ((await fixture.outbox()).some(({ subscription_id }) => subscription_id === unmailed.id)) await sleep(100)
  await sleep(500)
  ledger.received = received
  expect(owedTo(ledger)).toContain(unmailed)

  // Bytes of the database that the service did not write.
  await service?.kill()
  const file = path.join(fixture.target.home.data, 'rollcall.db')
  expect(damageOf(file)).toEqual([])
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(40_000, 7), 0, 40_000, 16_384)
  closeSync(descriptor)
  expect(() => expect(damageOf(file)).toEqual([])).toThrow()
})
