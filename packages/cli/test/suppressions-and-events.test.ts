import { describe, expect, it } from 'vitest'
import { OPERATOR, openTestCli } from './terminal.ts'

const refused = async () => {
  const cli = openTestCli()
  await cli.subscribe('ada@example.com')
  await cli.useCases.deliverOutbox.execute({ limit: 10 })
  const link = cli.transport.mails[0]!.links.refuse!
  const token = link.slice(link.lastIndexOf('/') + 1)
  const source = { via: 'link', clientAddress: undefined, userAgent: undefined }
  await cli.useCases.refuseSubscription.execute({ token, source })
  const [record] = (await cli.useCases.listSuppressions.execute({}, OPERATOR)).items
  return { ...cli, hash: String(record?.address) }
}

describe('rollcall suppression', () => {
  it('lists who gets no sign-up mail, by hash', async () => {
    const { run, hash } = await refused()
    expect((await run(['suppression', 'list'])).stdout).toMatch(
      new RegExp(`^ADDRESS +CAUSE +SINCE\n${hash} +refused +2026-01-01T00:00:00Z\n$`),
    )
    expect(JSON.parse((await run(['suppression', 'list', '--json'])).stdout)).toEqual({
      items: [{ address: hash, cause: 'refused', since: '2026-01-01T00:00:00.000Z', block: null }],
      next: null,
    })
  })

  it('lifts by address or by hash, once, and leaves no address in the trail', async () => {
    for (const how of ['address', 'hash']) {
      const { run, hash } = await refused()
      const given = how === 'hash' ? hash : 'ADA@example.com'
      const argv = ['suppression', 'lift', given]
      expect(await run(argv)).toEqual({ exitCode: 0, stdout: `Lifted the suppression of ${given}.\n`, stderr: '' })
      expect(await run(argv)).toMatchObject({
        exitCode: 3,
        stderr: expect.stringMatching(/^error: This address is not/),
      })
      expect((await run(['suppression', 'list'])).stderr).toBe('No address is suppressed.\n')
      const trail = (await run(['audit', 'list', '--json'])).stdout
      expect(JSON.parse(trail).items).toMatchObject([{ action: 'suppression.lift', target: hash, outcome: 'done' }])
      expect(trail).not.toContain('@')
    }
  })
})

describe('rollcall event list', () => {
  it('lists what happened, from any event on', async () => {
    const { run, putUser } = openTestCli()
    await putUser('ada')
    await putUser('bob')
    expect((await run(['event', 'list'])).stdout).toMatch(
      /^SEQUENCE +AT +TYPE +SUBJECT\n0000000000000001 +2026-01-01T00:00:00Z +user\.created +ada\n/,
    )
    const all = JSON.parse((await run(['event', 'list', '--json'])).stdout)
    expect([all.items.length, all.next]).toEqual([2, null])
    expect(all.items[0]).toMatchObject({ specversion: '1.0', source: 'https://rollcall.example', data: { id: 'ada' } })
    const rest = await run(['event', 'list', '--json', '--after', all.items[0].sequence])
    expect(JSON.parse(rest.stdout).items).toEqual([all.items[1]])
    const first = JSON.parse((await run(['event', 'list', '--json', '--limit', '1'])).stdout)
    expect(first.next).toBe('0000000000000001')
    expect((await run(['event', 'list', '--after', all.items[1].sequence])).stderr).toBe('Nothing happened.\n')
  })
})
