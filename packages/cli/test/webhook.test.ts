import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const URL = 'https://shop.example/events'
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/

const withShop = async () => {
  const cli = openTestCli()
  const { stdout } = await cli.run(['webhook', 'put', 'shop', '--url', URL, '--json'])
  return { ...cli, created: JSON.parse(stdout) }
}

describe('rollcall webhook put', () => {
  it('creates a webhook, and shows its secret this once', async () => {
    const { run } = openTestCli()
    const { exitCode, stdout } = await run(['webhook', 'put', 'shop', '--url', URL])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Created webhook shop\. Its secret, shown this once: whsec_[A-Za-z0-9+/]{43}=\n$/)
    const again = await run([
      'webhook',
      'put',
      'shop',
      '--url',
      URL,
      '--type',
      'user.deleted',
      '--type',
      'user.created',
    ])
    expect(again.stdout).toBe('Replaced webhook shop.\n')
    const shown = JSON.parse((await run(['webhook', 'show', 'shop', '--json'])).stdout)
    expect(shown).toMatchObject({ url: URL, types: ['user.created', 'user.deleted'], enabled: true })
    for (const argv of [
      ['webhook', 'list'],
      ['webhook', 'show', 'shop'],
      ['audit', 'list'],
    ])
      expect((await run([...argv, '--json'])).stdout).not.toMatch(SECRET)
  })

  it('gives machines the same', async () => {
    const { created } = await withShop()
    expect(created).toEqual({
      created: true,
      webhook: {
        ...{ name: 'shop', url: URL, types: expect.any(Array), enabled: true },
        ...{ disabled_because: null, disabled_since: null, failing_since: null, previous_secret_until: null },
        ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
      },
      secret: expect.stringMatching(SECRET),
    })
  })

  it.each([[['webhook', 'put', 'shop']], [['webhook', 'put', 'shop', '--url', 'http://shop.example/']]])(
    'exits 2 for %j',
    async (argv) => {
      expect((await openTestCli().run(argv)).exitCode).toBe(2)
    },
  )
})

describe('rollcall webhook list and show', () => {
  it('show where events are sent, and why not', async () => {
    const { run, putUser, useCases, webhookTransport } = await withShop()
    expect((await openTestCli().run(['webhook', 'list'])).stderr).toBe('There are no webhooks.\n')
    await run(['webhook', 'put', 'off', '--url', 'https://off.example/', '--disabled'])
    const { WebhookGone } = await import('@rollcall/core')
    webhookTransport.otherSide = async () => {
      throw new WebhookGone('gone')
    }
    await putUser('ada')
    await useCases.deliverEvents.advance({})
    await useCases.deliverEvents.finish()
    const [, ...rows] = (await run(['webhook', 'list'])).stdout.trimEnd().split('\n')
    expect(rows).toEqual([
      expect.stringMatching(/^shop +https:\/\/shop\.example\/events +disabled: it answered 410 +2026-\S+ +2026-/),
      expect.stringMatching(/^off +https:\/\/off\.example\/ +disabled by hand +2026-/),
    ])
    webhookTransport.otherSide = async () => {
      throw new Error('no')
    }
    await run(['webhook', 'put', 'ill', '--url', 'https://ill.example/'])
    await putUser('bob')
    await useCases.deliverEvents.advance({})
    await useCases.deliverEvents.finish()
    expect((await run(['webhook', 'list'])).stdout).toMatch(
      /^ill +https:\/\/ill\.example\/ +failing +2026-01-01T00:00:00Z +2026-/m,
    )
    expect((await run(['webhook', 'show', 'ill'])).stdout).toMatch(
      /^State +failing\nFailing since +2026-01-01T00:00:00Z$/m,
    )
    const [, , ill] = JSON.parse((await run(['webhook', 'list', '--json'])).stdout).items
    expect(ill).toMatchObject({ name: 'ill', enabled: true, failing_since: '2026-01-01T00:00:00.000Z' })
    const shown = (await run(['webhook', 'show', 'shop'])).stdout
    expect(shown).toMatch(/^State +disabled: it answered 410$/m)
    expect(shown).toMatch(/^Disabled +2026-01-01T00:00:00Z$/m)
    expect(await run(['webhook', 'show', 'nobody'])).toMatchObject({
      exitCode: 3,
      stderr: 'error: There is no such webhook. Check the name, or create it.\n',
    })
  })
})

describe('rollcall webhook rotate', () => {
  it('shows the new secret this once, and until when the old one signs', async () => {
    const { run, created } = await withShop()
    const { stdout } = await run(['webhook', 'rotate', 'shop'])
    expect(stdout).toMatch(
      /^The new secret of shop, shown this once: whsec_\S{44} The old one signs until 2026-01-02T00:00:00Z\.\n$/,
    )
    expect(stdout).not.toContain(created.secret)
    expect((await run(['webhook', 'show', 'shop'])).stdout).toMatch(/^Old secret until +2026-01-02T00:00:00Z$/m)
    expect((await run(['webhook', 'rotate', 'shop', '--revoke'])).stdout).toContain('The old one signs no more.')
    expect(JSON.parse((await run(['webhook', 'rotate', 'shop', '--json'])).stdout)).toMatchObject({
      webhook: { name: 'shop' },
      secret: expect.stringMatching(SECRET),
    })
  })
})

describe('rollcall webhook delete', () => {
  it('asks first, and does it then', async () => {
    const { run } = await withShop()
    const no = await run(['webhook', 'delete', 'shop'], { answers: [['permanently?', 'n\n']] })
    expect([no.exitCode, (await run(['webhook', 'show', 'shop'])).exitCode]).toEqual([3, 0])
    const yes = await run(['webhook', 'delete', 'shop'], { answers: [['permanently?', 'y\n']] })
    expect(yes.stdout).toBe('Deleted webhook shop.\n')
    expect((await run(['webhook', 'show', 'shop'])).exitCode).toBe(3)
  })

  it('needs --yes without a terminal', async () => {
    const { run } = await withShop()
    expect((await run(['webhook', 'delete', 'shop'])).exitCode).toBe(2)
    expect(JSON.parse((await run(['webhook', 'delete', 'shop', '--yes', '--json'])).stdout)).toEqual({
      name: 'shop',
      outcome: 'deleted',
    })
    expect((await run(['webhook', 'delete', 'shop', '--yes'])).exitCode).toBe(3)
  })
})

describe('rollcall webhook redeliver', () => {
  it('sends events again, and says which', async () => {
    const { run, putUser, useCases, webhookTransport } = await withShop()
    for (const id of ['a', 'b', 'c']) await putUser(id)
    await useCases.deliverEvents.advance({})
    await useCases.deliverEvents.finish()
    const redeliver = (...argv: string[]) => run(['webhook', 'redeliver', 'shop', ...argv])
    expect((await redeliver('--after', '0000000000000002')).stdout).toBe(
      'Everything after 0000000000000002 will be sent to shop again.\n',
    )
    await useCases.deliverEvents.advance({})
    await useCases.deliverEvents.finish()
    expect(webhookTransport.messages).toHaveLength(4)
    expect((await redeliver('--since', '2026-01-01T00:00:01Z')).stdout).toBe(
      'shop was not sent any event after that one yet: they will be sent in their order.\n',
    )
    expect((await redeliver('--parked')).stdout).toBe('0 events will be sent to shop again.\n')
    expect(JSON.parse((await redeliver('--since', '2026-01-01', '--json')).stdout)).toEqual({
      ...{ webhook: 'shop', after: '0000000000000000', retried: 0 },
    })
  })

  it('says if the webhook must be enabled first', async () => {
    const { run, putUser, useCases } = await withShop()
    for (const id of ['a', 'b']) await putUser(id)
    await useCases.deliverEvents.advance({})
    await useCases.deliverEvents.finish()
    const redeliver = async (...argv: string[]) => (await run(['webhook', 'redeliver', 'shop', ...argv])).stdout
    expect(await redeliver('--after', '0')).toBe('Everything that is still stored will be sent to shop again.\n')
    await run(['webhook', 'set', 'shop', '--disabled'])
    expect(await redeliver('--after', '0')).toBe(
      'shop was not sent any event after that one yet: they will be sent in their order once it is enabled.\n',
    )
    expect(await redeliver('--parked')).toBe('0 events will be sent to shop again once it is enabled.\n')
  })

  it.each([[[]], [['--parked', '--after', '1']], [['--after', '?']], [['--since', 'yesterday']]])(
    'exits 2 for %j',
    async (argv) => {
      const { run } = await withShop()
      expect((await run(['webhook', 'redeliver', 'shop', ...argv])).exitCode).toBe(2)
    },
  )
})
