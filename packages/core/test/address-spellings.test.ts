import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { publishedAboutAddress, publishedEvent } from '../src/index.ts'
import { ADMIN, deliver, lastMailOf, type Service } from './cast.ts'
import { bounce } from './feedback.ts'
import { askToMove, carryOut, tokenOf } from './moves.ts'
import { ask, download, linkOf, withThree } from './preferences.ts'
import { block, confirmed, recipientsOf } from './recipients.ts'
import { bytesOf, exportFile, importFile } from './transfers.ts'
import { deliverEvents, putWebhook } from './webhooks.ts'

/** As somebody pastes it; what goes on the wire; and what mailboxes are known by. */
const PASTED = '\u202a ANN@BÜCHER.example\u2060\u00a0\n'
const WIRE = 'ANN@xn--bcher-kva.example'
const KEY = WIRE.toLowerCase()

const emailsIn = (value: unknown): readonly unknown[] =>
  [...JSON.stringify(value).matchAll(/"email":"(.*?)"/g)].map(([, email]) => email)

describe('an address that was pasted with what is not seen', () => {
  it('is handed on as it goes on the wire, whoever reads', async () => {
    const at = openMemoryService()
    await putWebhook(at)
    await confirmed(at, PASTED)
    expect(lastMailOf(at).to).toBe(WIRE)
    expect(emailsIn(await recipientsOf(at))).toEqual([WIRE])
    const { items } = await at.useCases.listEvents.execute({}, ADMIN)
    expect(emailsIn(items.map(publishedEvent))).toEqual([WIRE, WIRE])
    await deliverEvents(at)
    expect(at.webhookTransport.messages.map(({ body }) => emailsIn(JSON.parse(body)))).toEqual([[WIRE], [WIRE]])
    for (const format of ['ndjson', 'csv']) expect(await exportFile(at, { format })).toContain(WIRE)
    const stored = await download(at, await linkOf(at, PASTED))
    expect(new Set(emailsIn(publishedAboutAddress(stored)))).toEqual(new Set([WIRE]))
    const { email } = await at.useCases.explainSubscriptions.execute({ email: PASTED }, ADMIN)
    expect(email).toBe(WIRE)
  })

  it('is the same from a file, from a change of address, and of a user', async () => {
    const at = openMemoryService()
    const evidence = { status: 'confirmed', confirmed_at: '2024-01-31', consent: 'at the fair' }
    expect((await importFile(at, [{ email: PASTED, ...evidence }])).refused).toEqual([])
    expect(emailsIn(await recipientsOf(at))).toEqual([WIRE])
    const user = await at.useCases.putUser.execute({ userId: 'ann', email: PASTED, name: '', roles: [] }, ADMIN)
    expect(user.user).toMatchObject({ email: WIRE, emailKey: KEY })
    for (const query of [PASTED.trimEnd(), 'ann@bücher.example', 'ANN@xn--', 'ann'])
      expect((await at.useCases.listUsers.execute({ query }, ADMIN)).items).toHaveLength(1)

    const { at: moving } = await withThree()
    await askToMove(moving, await linkOf(moving), PASTED)
    await deliver(moving)
    expect(lastMailOf(moving).to).toBe(WIRE)
    await carryOut(moving, tokenOf(moving, 'move'))
    expect(emailsIn(await recipientsOf(moving))).toEqual([WIRE])
  })

  it('is found by who asks for it so', async () => {
    const at = openMemoryService()
    const id = await confirmed(at, KEY)
    const { items } = await at.useCases.listSubscriptions.execute({ email: PASTED }, ADMIN)
    expect(items.map((one) => one.id)).toEqual([id])
    expect((await at.useCases.findPerson.execute({ text: PASTED }, ADMIN)).subscriptions).toEqual([id])
    at.clock.advance(3_600_000)
    await ask(at, PASTED)
    await deliver(at)
    expect(lastMailOf(at)).toMatchObject({ kind: 'preferences', to: KEY })
  })

  it('is stopped, bounced and let go again', async () => {
    const at = openMemoryService()
    await confirmed(at, KEY)
    const body = bytesOf(`email,cause\n"${PASTED}",complaint\n`)
    for await (const line of await at.useCases.importSuppressions.execute({ format: 'csv', body }, ADMIN))
      expect(line).toMatchObject({ imported: 1, refused: 0 })
    expect(await recipientsOf(at)).toHaveLength(2)
    await at.useCases.liftSuppression.execute({ address: PASTED }, ADMIN)
    expect(await recipientsOf(at)).toHaveLength(3)
    const { subscription: _, ...item } = bounce(1)
    await at.useCases.recordFeedback.execute({ items: [{ ...item, address: PASTED }] }, ADMIN)
    expect(await recipientsOf(at)).toHaveLength(2)
    await at.useCases.liftUndeliverable.execute({ address: PASTED }, ADMIN)
    expect(await recipientsOf(at)).toHaveLength(3)
  })
})

describe('what cannot be read as an address', () => {
  const NONE = ['Ann <ann@example.com>', 'ann@example.com, bob@example.com', 'ann@example.com\u0000', 'ann', ' \u200b']
  const check = (at: Service, addresses: readonly string[]) =>
    at.useCases.checkSuppressions.execute({ addresses }, ADMIN)

  it('is told by the check, whatever is blocked', async () => {
    const at = openMemoryService()
    await block(at, 'ann@example.com')
    expect(await check(at, [...NONE, 'ann@example.com', ...NONE])).toMatchObject({
      ...{ blocked: ['ann@example.com'], unread: NONE },
    })
  })

  it('is refused by name in feedback and in a list of suppressions', async () => {
    const at = openMemoryService()
    for (const address of NONE) {
      const items = [
        { kind: 'complaint', address: 'bob@example.com' },
        { kind: 'complaint', address },
      ]
      const refusal = { details: [{ field: 'items.1.address' }] }
      await expect(at.useCases.recordFeedback.execute({ items }, ADMIN)).rejects.toMatchObject(refusal)
      const body = bytesOf(`${JSON.stringify({ email: address, cause: 'complaint' })}\n`)
      const lines = []
      for await (const line of await at.useCases.importSuppressions.execute({ format: 'ndjson', body }, ADMIN))
        lines.push(line)
      expect(lines).toMatchObject([
        { line: 1, details: [{ field: 'email' }] },
        { imported: 0, refused: 1 },
      ])
    }
    expect((await check(at, ['bob@example.com'])).blocked).toEqual([])
  })

  it('is no disguise for the apostrophe of a spreadsheet', async () => {
    const at = openMemoryService()
    const { refused } = await importFile(at, `email\n"\u200b'+ann@example.com"\n`, { format: 'csv' })
    expect(refused).toMatchObject([{ line: 2, details: [{ field: 'email' }] }])
  })
})
