import type { FeedName, PublicRequest, WebhookName } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { OPERATOR, openTestCli } from './terminal.ts'

const owing = async () => {
  const cli = openTestCli()
  for (const name of ['a', 'b', 'c']) await cli.subscribe(`${name}@example.com`)
  const park = async (id: number) => {
    await cli.storage.unitOfWork.run(async ({ outbox }) => {
      await outbox.claim({ owner: 'worker', limit: 10, leaseFor: 1_000 })
      const parked = { id, notBefore: undefined, attempted: true, error: '550 no\u001b[31m such mailbox' }
      await outbox.giveBack('worker', [parked])
    })
    cli.clock.advance(2_000)
  }
  const { items } = JSON.parse((await cli.run(['outbox', 'list', '--json'])).stdout)
  return { ...cli, park, ids: items.map(({ id }: { id: number }) => id) as number[] }
}

describe('rollcall outbox list', () => {
  it('lists what is queued, without an address', async () => {
    const { run, ids } = await owing()
    expect(ids).toHaveLength(3)
    const { stdout } = await run(['outbox', 'list', '--json'])
    expect(stdout).not.toContain('example.com')
    expect(JSON.parse(stdout).items[0]).toMatchObject({ kind: 'confirmation', attempts: 0, parked_at: null })
    expect((await run(['outbox', 'list'])).stdout).toMatch(
      /^\d+ +confirmation +\d+ +waiting +0 +2026-01-01T00:00:00Z$/m,
    )
  })

  it('shows people what kind of mail it is, how it stands with it, and when it is due', async () => {
    const { run, park, ids, storage, useCases, clock } = await owing()
    await park(ids[0]!)
    await storage.unitOfWork.run(async ({ outbox }) => {
      const [entry] = await outbox.claim({ owner: 'another', limit: 1, leaseFor: 1 })
      const postponed = { id: entry!.id, notBefore: clock.now() + 60_000, attempted: true, error: '451 try again' }
      await outbox.giveBack('another', [postponed])
    })
    await useCases.deliverOutbox.execute({ limit: 10 })
    clock.advance(3_600_000)
    await useCases.requestPreferences.execute({ email: 'c@example.com' })
    const [head, ...rows] = (await run(['outbox', 'list'])).stdout.trimEnd().split('\n')
    expect(head).toMatch(/^ID +KIND +SUBJECT +WEBHOOK +STATE +ATTEMPTS +DUE +LAST ERROR$/)
    expect(rows).toEqual([
      expect.stringMatching(/^\d+ +confirmation +\d+ +parked +1 +550 no\S+ such mailbox$/),
      expect.stringMatching(/^\d+ +confirmation +\d+ +retrying +\d +2026-01-01T00:01:02Z +451 try again$/),
      expect.stringMatching(/^\d+ +preferences +\d+ +waiting +0 +2026-01-01T01:00:02Z$/),
    ])
  })

  it('lists only what is parked with --parked, and shows what a mail server said as text', async () => {
    const { run, park, ids } = await owing()
    expect(await run(['outbox', 'list', '--parked'])).toMatchObject({ stdout: '', stderr: 'Nothing is parked.\n' })
    await park(ids[1]!)
    expect(JSON.parse((await run(['outbox', 'list', '--parked', '--json'])).stdout).items).toMatchObject([
      { id: ids[1] },
    ])
    expect((await run(['outbox', 'list', '--parked'])).stdout).toContain('550 no\\u001b[31m such mailbox')
  })
})

describe('sign-ups that are not carried out', () => {
  const parkedSignUp = async () => {
    const cli = await owing()
    const { storage, clock } = cli
    const feed = { feed: 'default' as FeedName, wording: 'w/1', fields: undefined }
    const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
    const asked: PublicRequest = {
      ...{ kind: 'sign-up', email: 'd@example.com', addressKey: 'd@example.com', name: '', locale: undefined, source },
      ...{ feeds: [feed], together: false },
    }
    await storage.unitOfWork.run(async ({ requests }) => {
      await requests.add({ at: clock.now(), address: undefined, asked })
      for (const { id } of await requests.take(1)) await requests.park(id, clock.now(), 'out of order')
    })
    return cli
  }

  it('come first in the list, without an address, a page at a time', async () => {
    const { run, park, ids } = await parkedSignUp()
    await park(ids[0]!)
    const parked = JSON.parse((await run(['outbox', 'list', '--parked', '--json'])).stdout).items
    expect(parked).toEqual([
      {
        id: 's4',
        kind: 'sign-up',
        created_at: expect.any(String),
        last_error: 'out of order',
        parked_at: expect.any(String),
      },
      expect.objectContaining({ id: ids[0] }),
    ])
    const seen: unknown[] = []
    for (let after: string | undefined = '0'; after; ) {
      const page: { items: { id: unknown }[]; next: string } = JSON.parse(
        (await run(['outbox', 'list', '--json', '--limit', '1', '--after', after])).stdout,
      )
      seen.push(...page.items.map(({ id }) => id))
      after = page.next
    }
    expect(seen).toEqual(['s4', ...ids])
  })

  it('are carried out by a retry', async () => {
    const { run, storage } = await parkedSignUp()
    const answer = await run(['outbox', 'retry', '--all-parked'])
    expect([answer.stdout.trim(), answer.exitCode]).toEqual(['1 sign-up will be carried out at once.', 0])
    expect((await storage.readers.subscriptions.list({ after: 0, limit: 9 })).items).toHaveLength(4)
    expect((await run(['outbox', 'retry', 's4'])).exitCode).toBe(3)
  })
})

const owingEvents = async () => {
  const cli = await owing()
  const { ids, clock, useCases, webhookTransport, putUser } = cli
  await useCases.putWebhook.execute({ name: 'shop', url: 'https://shop.example/' }, OPERATOR)
  webhookTransport.otherSide = async () => {
    throw new Error('The target answered 500.')
  }
  for (const id of ['x', 'y']) await putUser(id)
  await useCases.deliverEvents.advance({})
  await useCases.deliverEvents.finish()
  const park = async () => {
    await cli.storage.unitOfWork.run(async ({ webhookDeliveries }) => {
      await webhookDeliveries.retryAll('shop' as WebhookName, { parked: false })
      const claim = { webhook: 'shop' as WebhookName, owner: 'worker', limit: 1, leaseFor: 1_000 }
      const [delivery] = await webhookDeliveries.claim(claim)
      const parked = { id: delivery!.id, notBefore: undefined, attempted: true, error: 'The target answered 500.' }
      await webhookDeliveries.giveBack('worker', [parked])
    })
    clock.advance(2_000)
  }
  return { ...cli, park, mails: ids }
}

describe('rollcall outbox, of events', () => {
  it('lists them behind the mails, by their type, subject and webhook', async () => {
    const { run, park } = await owingEvents()
    await park()
    const [head, ...rows] = (await run(['outbox', 'list'])).stdout.trimEnd().split('\n')
    expect(head).toMatch(/^ID +KIND +SUBJECT +WEBHOOK +STATE/)
    expect(rows).toHaveLength(5)
    expect(rows.slice(3)).toEqual([
      expect.stringMatching(/^e1 +user\.created +x +shop +parked +1 +The target answered 500\.$/),
      expect.stringMatching(
        /^e2 +user\.created +y +shop +retrying +0 +2026-01-01T00:00:0\dZ +The target answered 500\.$/,
      ),
    ])
    const { items } = JSON.parse((await run(['outbox', 'list', '--parked', '--json'])).stdout)
    expect(items).toEqual([
      {
        ...{ id: 'e1', kind: 'user.created', webhook: 'shop', subject: 'x', sequence: '0000000000000004', attempts: 1 },
        last_error: 'The target answered 500.',
        created_at: '2026-01-01T00:00:00.000Z',
        not_before: '2026-01-01T00:00:00.000Z',
        parked_at: '2026-01-01T00:00:00.000Z',
      },
    ])
  })

  it('lists those of a disabled webhook as such, due at no time', async () => {
    const { run } = await owingEvents()
    await run(['webhook', 'set', 'shop', '--disabled'])
    expect((await run(['outbox', 'list'])).stdout).toMatch(
      /^e2 +user\.created +y +shop +disabled +\d +The target answered 500\.$/m,
    )
  })

  it('sends them once their webhook is enabled again, and says so', async () => {
    const { run, park, mails } = await owingEvents()
    await run(['webhook', 'put', 'off', '--url', 'https://off.example/', '--disabled'])
    expect((await run(['outbox', 'retry', 'e2'])).stdout).toBe('1 event will be sent at once.\n')
    await park()
    await run(['webhook', 'set', 'shop', '--disabled'])
    expect((await run(['outbox', 'retry', 'e2', String(mails[0]), 'e99'])).stdout).toBe(
      '1 mail will be sent at once. 1 event will be sent once the webhook shop is enabled again.\n',
    )
    expect((await run(['outbox', 'retry', '--all-parked'])).stdout).toBe(
      '1 event will be sent once the webhook shop is enabled again.\n',
    )
  })

  it('goes on where a list ended, from the mails to the events', async () => {
    const { run, mails } = await owingEvents()
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const seen: unknown[] = []
      let pages = 0
      for (let after: string[] = []; pages === 0 || after.length > 0; pages++) {
        const { stdout } = await run(['outbox', 'list', '--json', '--limit', String(limit), ...after])
        const { items, next } = JSON.parse(stdout)
        seen.push(...items.map(({ id }: { id: unknown }) => id))
        after = next === null ? [] : ['--after', next]
      }
      expect(seen).toEqual([...mails, 'e1', 'e2'])
      expect(pages).toBe(Math.ceil(5 / limit))
    }
    for (const wrong of ['?', '1.5', '1e400', '-1', ''])
      expect([wrong, (await run(['outbox', 'list', '--after', wrong])).exitCode]).toEqual([wrong, 2])
  })

  it('sends them at once, by their ids or with all that is parked', async () => {
    const { run, park, mails, useCases, webhookTransport } = await owingEvents()
    const { stdout } = await run(['outbox', 'retry', 'e2', String(mails[0])])
    expect(stdout).toBe('1 mail and 1 event will be sent at once.\n')
    await park()
    expect((await run(['outbox', 'retry', '--all-parked'])).stdout).toBe('1 event will be sent at once.\n')
    const missing = await run(['outbox', 'retry', 'e1', 'e99', '--json'])
    expect([missing.exitCode, JSON.parse(missing.stdout)]).toEqual([3, { retried: 1, not_found: ['e99'] }])
    webhookTransport.otherSide = async () => {}
    await useCases.deliverEvents.advance({})
    await useCases.deliverEvents.finish()
    expect(webhookTransport.messages).toHaveLength(2)
  })
})

describe('rollcall outbox retry', () => {
  it('makes the named mails due at once', async () => {
    const { run, park, ids } = await owing()
    await park(ids[0]!)
    const { exitCode, stdout } = await run(['outbox', 'retry', String(ids[0]), String(ids[1])])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '2 mails will be sent at once.\n' })
    expect((await run(['outbox', 'list', '--parked'])).stdout).toBe('')
  })

  it('takes all that are parked', async () => {
    const { run, park, ids } = await owing()
    for (const id of ids.slice(1)) await park(id)
    expect(JSON.parse((await run(['outbox', 'retry', '--all-parked', '--json'])).stdout)).toEqual({
      retried: 2,
      not_found: [],
    })
    expect((await run(['outbox', 'retry', '--all-parked'])).stdout).toBe('0 mails and 0 events will be sent at once.\n')
  })

  it('exits 3 and names the mails that are not there', async () => {
    const { run, ids } = await owing()
    const { exitCode, stdout, stderr } = await run(['outbox', 'retry', String(ids[0]), '4711', '--json'])
    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toEqual({ retried: 1, not_found: [4711] })
    expect(JSON.parse(stderr)).toMatchObject({ error: 'NotFound', message: expect.stringContaining('4711') })
  })

  it.each([[[]], [['1', '--all-parked']], [['one']]])('exits 2 for %j', async (args) => {
    expect((await openTestCli().run(['outbox', 'retry', ...args])).exitCode).toBe(2)
  })
})
