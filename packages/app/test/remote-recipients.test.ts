import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'
import { OPERATOR, RemoteService } from './remote-service.ts'

const SOURCE = { via: 'form', clientAddress: '203.0.113.0/24', userAgent: 'Firefox' }
let service: RemoteService
let run: Awaited<ReturnType<RemoteService['commandLine']>>

beforeEach(async () => {
  service = await RemoteService.open()
  run = await service.commandLine()
})
afterEach(() => service[Symbol.asyncDispose]())

const confirmed = async (email: string, feed = 'default'): Promise<string> => {
  const { useCases } = service.composition
  const { id } = await useCases.subscribe.execute({ email, feed, name: '=Name', source: SOURCE })
  await useCases.confirmOnBehalf.execute({ subscriptionId: String(id), reason: 'by letter' }, OPERATOR)
  return String(id)
}

/** Without when it was read. */
const timeless = <Ran extends { readonly stdout: string }>({ stdout, ...ran }: Ran) => ({
  ...ran,
  stdout: stdout.replace(/"at":"[^"]+"/, '"at":""'),
})

const LIST = 'email,cause\nbob@example.com,unsubscribed\neve@example.com,bounce\nx,complaint\n'

describe('recipients and suppressions over HTTP', () => {
  it('are printed as on the machine of the service, to the byte, with the same exit code', async () => {
    const ada = await confirmed('ada@example.com')
    const bob = await confirmed('bob@example.com')
    const argvs = [
      ['recipient', 'list', 'default'],
      ['recipient', 'list', 'no-such'],
      ['recipient', 'list', '..'],
      ['recipient', 'check', 'default', ada, bob, '12'],
      ['recipient', 'check', 'default', ada],
      ['recipient', 'check', 'default', 'x'],
      ['recipient', 'check', 'default'],
      ['recipient', 'check', 'no-such', ada],
      ['suppression', 'check', 'ada@example.com', 'bob@example.com', 'eve@example.com'],
      ['suppression', 'check', 'ada@example.com'],
      ['suppression', 'check', ' eve@example.com\u2060', 'Eve <eve@example.com>', ''],
      ['suppression', 'check', ''],
      ['suppression', 'check'],
    ]
    const same = async () => {
      for (const command of argvs)
        for (const argv of [command, [...command, '--json']])
          expect([argv, timeless(await run(argv))]).toEqual([argv, timeless(await service.runHere(argv))])
    }
    await same()
    const dry = ['suppression', 'import', '-', '--format', 'csv', '--dry-run']
    const options = { stdin: LIST }
    expect(await run(dry, options)).toEqual(await service.runHere(dry, options))
    const taken = await run(['suppression', 'import', '-', '--format', 'csv', '--json'], options)
    expect([taken.exitCode, jsonLines(taken.stdout)]).toMatchObject([
      3,
      [
        { line: 4, error: 'InvalidInput' },
        { rows: 3, imported: 2, unchanged: 0, refused: 1, blocked: 1, undeliverable: 1, interrupted: false },
      ],
    ])
    await same()
    expect((await run(['recipient', 'check', 'default', ada, bob])).stdout).toMatch(
      new RegExp(`^ID +MAY BE WRITTEN TO\n${ada} +yes\n${bob} +no: blocked\n$`),
    )
    expect((await run(['suppression', 'check', 'bob+x@example.com'])).stdout).toMatch(
      /\nbob\+x@example\.com +blocked\n$/,
    )
    const unread = await run(['suppression', 'check', 'ada@example.com', 'Bob <bob@example.com>'])
    expect([unread.exitCode, unread.stdout]).toEqual([
      3,
      expect.stringMatching(/\nBob <bob@example\.com> +no address\n$/),
    ])
    const asJson = await run(['suppression', 'check', 'bob', 'bob@example.com', '', '--json'])
    expect([asJson.exitCode, JSON.parse(asJson.stdout)]).toEqual([
      3,
      {
        blocked: ['bob@example.com'],
        unread: ['bob', ''],
        reasons: [{ address: 'bob@example.com', because: 'blocked' }],
      },
    ])
  })

  it('are written to a file that is there once it is whole', async () => {
    await confirmed('ada@example.com')
    const file = path.join(service.folder, 'all.ndjson')
    const argv = ['recipient', 'list', 'default', '--output', file]
    expect((await run(argv)).stdout).toBe(`Wrote 1 recipient to ${file}.\n`)
    expect(jsonLines(await readFile(file, 'utf8'))).toMatchObject([
      { feed: 'default' },
      { email: 'ada@example.com', name: '=Name' },
      { recipients: 1 },
    ])
    expect((await service.runHere([...argv, '--replace'])).stdout).toBe(`Wrote 1 recipient to ${file}.\n`)
  })

  it('read what is to be checked from standard input, however much it is', async () => {
    const ada = await confirmed('ada@example.com')
    const ids = Array.from({ length: 2_500 }, (_, n) => n + 1)
    const argv = ['recipient', 'check', 'default', '--from', '-', '--json']
    const { exitCode, stdout } = await run(argv, { stdin: `${ids.join('\n')}\n\n${ada}\n` })
    const { send, skip } = JSON.parse(stdout)
    expect([exitCode, send, skip.length]).toEqual([3, [Number(ada)], 2_500])
    expect((await run([...argv, '1'], { stdin: '1' })).exitCode).toBe(2)
  })

  it('say that there was nothing to check, in place of that all is well', async () => {
    for (const noun of [
      ['recipient', 'check', 'default'],
      ['suppression', 'check'],
    ])
      for (const stdin of ['', '\n \n']) {
        const { exitCode, stderr } = await run([...noun, '--from', '-'], { stdin })
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There are none in -')])
      }
    expect((await run(['recipient', 'check', 'default', ''])).exitCode).toBe(2)
  })

  it('are for a sender, but not the lists of an operator', async () => {
    await confirmed('ada@example.com')
    const sender = await service.commandLine('sender')
    expect((await sender(['recipient', 'list', 'default'])).exitCode).toBe(0)
    expect((await sender(['suppression', 'check', 'ada@example.com'])).exitCode).toBe(0)
    for (const argv of [
      ['suppression', 'list'],
      ['feed', 'list'],
      ['suppression', 'lift', 'ada@example.com'],
    ])
      expect((await sender(argv)).exitCode).toBe(3)
    expect((await sender(['suppression', 'import', '-', '--format', 'csv'], { stdin: LIST })).exitCode).toBe(3)
  })
})
