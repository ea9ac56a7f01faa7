import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'
import { OPERATOR, type Ran, RemoteService, runAway } from './remote-service.ts'

const SOURCE = { via: 'form', clientAddress: '203.0.113.0/24', userAgent: 'Firefox' }
let service: RemoteService
let run: Awaited<ReturnType<RemoteService['commandLine']>>

beforeEach(async () => {
  service = await RemoteService.open()
  run = await service.commandLine()
})
afterEach(() => service[Symbol.asyncDispose]())

const subscribe = async (email: string, feed = 'default', name = ''): Promise<string> => {
  const command = { email, feed, name, locale: 'de', source: SOURCE }
  return String((await service.composition.useCases.subscribe.execute(command)).id)
}

const put = async (id: string, ...roles: readonly string[]): Promise<void> => {
  const command = { userId: id, email: `${id}@bücher.example`, name: `Name of ${id}`, roles }
  await service.composition.useCases.putUser.execute(command, OPERATOR)
}

const fill = async (): Promise<string> => {
  const { useCases } = service.composition
  for (const id of ['ada', 'brian', 'a/b?c#d%', 'import']) await put(id, 'auditor')
  await put('root2', 'admin')
  await put('root3', 'admin')
  await put('gone')
  await useCases.deleteUser.execute({ userId: 'gone', reason: 'left' }, OPERATOR)
  await useCases.putFeed.execute(
    {
      ...{ name: 'news', title: 'News', sender: 'News <news@example.com>', wording: 'Yes.\nPlease.', language: 'fr' },
      ...{ returnUrls: ['https://a.example/'], confirmedUrl: 'https://a.example/done', homeUrl: 'https://a.example/' },
    },
    OPERATOR,
  )
  for (const [name, enabled] of [
    ['shop', true],
    ['off', false],
  ] as const)
    await useCases.putWebhook.execute({ name, url: `https://${name}.example/`, enabled }, OPERATOR)
  await useCases.rotateWebhookSecret.execute({ name: 'shop' }, OPERATOR)
  const token = { subject: 'mailer', roles: ['sender'], lifetime: 60, feeds: ['news'], label: 'web-2' }
  const { tokenId } = await useCases.issueToken.execute(token, OPERATOR)
  await useCases.issueToken.execute({ subject: 'ada', roles: ['auditor'], lifetime: 60 }, OPERATOR)
  await useCases.revokeToken.execute({ tokenId }, OPERATOR)
  const { secret: link } = await useCases.issueLoginLink.execute({ subject: 'ada' }, OPERATOR)
  await useCases.beginConsoleSession.execute({ link })
  useCases.uses.noteUser('ada')
  await useCases.uses.flush()
  await subscribe('ada@bücher.example', 'news')
  const subscriptionId = await subscribe('brian@bücher.example', 'default', '=Brian')
  await useCases.confirmOnBehalf.execute({ subscriptionId, reason: 'by letter' }, OPERATOR)
  return subscriptionId
}

/** Without how long it took. */
const timeless = ({ stdout, ...ran }: Ran): Ran => ({
  ...ran,
  stdout: stdout.replace(/^(Time|Rows a second) .*\n/gm, '').replace(/"(seconds|rows_per_second)":[\d.]+/g, '"$1":0'),
})

describe('what is read over HTTP', () => {
  it('is printed as on the machine of the service, to the byte, with the same exit code', async () => {
    const id = await fill()
    const today = Date.now()
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
    // One of each kind of answer: records, lists, files, streams, errors, and names that a path must not change.
    const lines = `user list
      user list --role admin --limit 1
      user list --inactive-since ${dayOf(today + 86_400_000)}
      user list --role king
      user list --after nowhere
      user show a/b?c#d%
      user show gone
      user show ..
      user show \u{1f600}
      user show import
      user export ada
      user erasure gone
      user delete root2 root3 gone brian brian --dry-run --subscriptions erase
      feed list --limit 1
      feed show news
      feed show nosuch
      stats --feed default --by month --json
      stats --feed nosuch --from x
      subscription list
      subscription list --email ADA@xn--bcher-kva.example
      subscription explain ADA@xn--bcher-kva.example
      subscription show ${id}
      subscription show 0
      webhook show shop
      suppression list
      undeliverable list --state failing
      feedback list
      token list --subject mailer
      event list --limit 2
      audit list --after 3 --limit 2
      audit export --after 2`
    const commands = lines.split('\n').map((line) => line.trim().split(' '))
    commands.push(['feed', 'show', 'No feed'], ['user', 'list', '--after', 'no cursor'], ['user', 'show', ''])
    for (const command of commands) {
      for (const argv of [command, [...command, '--json']])
        expect([argv, timeless(await run(argv))]).toEqual([argv, timeless(await service.runHere(argv))])
    }
  })

  it('comes as a stream where it is a file, in either format', async () => {
    await fill()
    for (const format of ['ndjson', 'csv']) {
      const argv = ['subscription', 'export', '--format', format]
      expect(await run(argv)).toEqual(await service.runHere(argv))
    }
    expect(await run(['subscription', 'export', '--feed', 'nosuch'])).toMatchObject({ exitCode: 2, stdout: '' })
    const file = path.join(service.folder, 'all.ndjson')
    expect((await run(['subscription', 'export', '--output', file])).stdout).toBe(`Wrote 2 subscriptions to ${file}.\n`)
    expect(jsonLines(await readFile(file, 'utf8'))).toHaveLength(2)
  })
})

// Whatever a command changes is tested in `cli`: the same requests go in the process there. Here, what a network is to them.
describe('what is changed over HTTP', () => {
  it('is a bulk of any size, with every row in its order', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `u${n}`)
    for (const id of ids) await put(id)
    const list = [...ids.slice(0, 100), 'nobody', '', 'u0', ...ids.slice(100)]
    const { exitCode, stdout } = await run(['user', 'delete', '--from', '-', '--yes', '--json'], {
      stdin: list.join('\n'),
    })
    const rows = jsonLines(stdout)
    expect([exitCode, rows.slice(0, -1).map(({ id }) => id)]).toEqual([3, list])
    expect(rows.at(-1)).toMatchObject({ report: { deleted: 150, not_found: 1 } })
  })

  it('is done by plan, and only as far as nothing has changed since', async () => {
    await fill()
    const plan = path.join(service.folder, 'plan')
    const planned = ['a/b?c#d%', 'ada', 'brian', 'import']
    expect(await run(['user', 'delete', ...planned, '--plan', plan])).toMatchObject({ exitCode: 0 })
    expect(JSON.parse((await readFile(plan, 'utf8')).split('\n')[0] ?? '')).toMatchObject({ created_by: 'root' })
    await put('brian', 'auditor', 'admin')
    await subscribe('ada@bücher.example')
    const first = await run(['user', 'delete', '--apply', plan, '--yes', '--json'])
    const outcomes = ({ stdout }: Ran) =>
      jsonLines(stdout)
        .slice(0, -1)
        .map(({ outcome }) => outcome)
    expect([first.exitCode, outcomes(first)]).toEqual([3, ['deleted', 'refused', 'refused', 'deleted']])
    const again = await run(['user', 'delete', '--apply', plan, '--yes', '--json'])
    expect(outcomes(again)).toEqual(['already_deleted', 'refused', 'refused', 'already_deleted'])
    expect((await readdir(service.folder)).filter((name) => name.startsWith('plan'))).toEqual(['plan'])
  })

  it('is imported while it is read, and the report says of each row what it would there', async () => {
    const file = path.join(service.folder, 'list.csv')
    // Long enough for the report to begin long before the file is sent.
    const lines = Array.from({ length: 9_000 }, (_, n) => (n % 3 === 0 ? `not an address ${n}` : `i${n}@example.com`))
    await writeFile(file, `E-Mail\n${lines.join('\n')}\n`)
    const { exitCode, stdout } = await run(['subscription', 'import', file, '--map', 'email=E-Mail', '--json'])
    const report = jsonLines(stdout)
    expect([exitCode, report.length]).toEqual([3, 3_001])
    expect(report[0]).toMatchObject({ line: 2, error: 'InvalidInput' })
    expect(report.at(-1)).toEqual({
      ...{ rows: 9_000, imported: 6_000, unchanged: 0, refused: 3_000, confirmed: 0, pending: 6_000, ended: 0 },
      interrupted: false,
    })
  })
})

describe('an import over HTTP that is interrupted', () => {
  it('leaves what was taken, nothing of a row that was cut, and exits 130', async () => {
    const { useCases } = service.composition
    const stdin = new PassThrough()
    const controller = new AbortController()
    const running = run(['subscription', 'import', '-', '--format', 'csv'], { stdin, signal: controller.signal })
    const lines = Array.from({ length: 2_000 }, (_, n) => `i${n}@example.com\n`)
    stdin.write(`email\n${lines.join('')}cut@example.co`)
    while ((await useCases.listSubscriptions.execute({}, OPERATOR)).items.length === 0) await sleep(10)
    controller.abort()
    expect(await running).toEqual({
      ...{ exitCode: 130, stdout: expect.stringMatching(/^Imported +2000$/m) },
      stderr: expect.stringMatching(/^error: Interrupted\. Run the same command again to go on where it stopped\.$/m),
    })
    await sleep(200)
    expect((await useCases.listSubscriptions.execute({ email: 'cut@example.co' }, OPERATOR)).items).toEqual([])
  })
})

describe('who may not', () => {
  it('shows what the server says, and exits 3', async () => {
    const auditor = await service.commandLine('auditor')
    await put('ada')
    expect(await auditor(['user', 'delete', 'ada', '--yes'])).toEqual({
      ...{ exitCode: 3, stdout: '' },
      stderr: "error: Deleting users requires the 'admin' role.\n",
    })
    const forged = ['--server', service.url, '--token', `${await service.token('root', 'admin')}x`]
    const refused = await runAway(['user', 'list', ...forged])
    expect(refused).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringMatching(/^error: .*token/) })
    expect(await runAway(['user', 'list', '--json', ...forged])).toMatchObject({
      stderr: expect.stringContaining('{"error":"Unauthenticated"'),
    })
    const bulk = await auditor(['user', 'delete', 'a', 'b', 'c', '--yes', '--json'])
    expect([bulk.exitCode, JSON.parse(bulk.stderr).error]).toEqual([3, 'InsufficientPermissions'])
  })
})
