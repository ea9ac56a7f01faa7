import { chmod, stat, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, OPERATOR, openTestCli, Screen } from './terminal.ts'

describe('rollcall user delete --plan and --apply', () => {
  const folder = temporaryFolder()

  const planned = async (...ids: readonly string[]) => {
    const cli = openTestCli()
    await cli.putUser('ada', ['admin'])
    for (const id of ['b', 'c', 'd']) await cli.putUser(id)
    await cli.subscribe('c@example.com')
    const plan = folder.path('plan')
    const options = ['--plan', plan, '--reason', 'left in May', '--report', report()]
    const made = await cli.run(['user', 'delete', ...ids, ...options])
    return { ...cli, plan, made }
  }
  let reports = 0
  const report = (): string => folder.path(`${reports++}.ndjson`)
  const apply = ['user', 'delete', '--apply']

  it('writes what the dry run found, readable only by its owner, without names and addresses, and changes nothing', async () => {
    const { made, plan, run } = await planned('b', 'c', 'ada', 'nobody', '', 'b')
    expect(made.exitCode).toBe(3)
    expect(made.stderr).toBe(`Planned 2 deletions. Do it with \`rollcall user delete --apply ${plan}\`.\n`)
    expect((await stat(plan)).mode & 0o777).toBe(0o600)
    const state = expect.stringMatching(/^[0-9a-f]{64}$/)
    const text = await folder.read('plan')
    const digest = expect.stringMatching(/^[\w-]{43}$/)
    expect(jsonLines(text)).toEqual([
      {
        ...{ format: 'rollcall deletion plan', version: 1, id: expect.stringMatching(/^plan-[\w-]{36}$/) },
        ...{ created_at: expect.stringMatching(/Z$/), created_by: 'operator:tester' },
        ...{ reason: 'left in May', subscriptions: 'keep', digest },
      },
      { id: 'b', state, subscriptions: 0, digest },
      { id: 'c', state, subscriptions: 1, digest },
      { id: 'ada', refusal: 'LastAdministrator', digest },
      { id: 'nobody', refusal: 'UserNotFound', digest },
    ])
    expect(text).not.toMatch(/@|Name/)
    expect((await run(['user', 'list', '--json'])).stdout.match(/"id"/g)).toHaveLength(4)
  })

  it('deletes exactly the users in the plan, with its reason, leaves out those it refused, and exits 0', async () => {
    const { plan, run, useCases, putUser } = await planned('b', 'c', 'ada')
    await putUser('eve', ['admin'])
    const { exitCode, stdout } = await run([...apply, plan, '--yes', '--json'])
    expect(exitCode).toBe(0)
    expect(jsonLines(stdout)).toMatchObject([
      { id: 'b', outcome: 'deleted' },
      { id: 'c', outcome: 'deleted', subscriptions_kept: 1 },
      { id: 'ada', outcome: 'left_out', error: 'LastAdministrator' },
      { report: { deleted: 2, left_out: 1, refused: 0 } },
    ])
    const { items } = await useCases.listAudit.execute({ limit: 200 }, OPERATOR)
    const deletions = items.filter(({ action }) => action === 'user.delete')
    expect(deletions).toMatchObject([
      { target: 'b', reason: 'left in May', requestId: expect.stringMatching(/^plan-/) },
      { target: 'c', reason: 'left in May' },
    ])
  })

  it('refuses, row by row and with exit code 3, users that have changed since', async () => {
    const { plan, run, putUser, subscribe, useCases } = await planned('b', 'c', 'd', 'ada')
    await useCases.putUser.execute({ userId: 'b', email: 'b@example.com', name: 'Renamed', roles: [] }, OPERATOR)
    await useCases.putFeed.execute({ name: 'news' }, OPERATOR)
    await subscribe('c@example.com', 'news')
    await run(['user', 'delete', 'd', '--yes'])
    await putUser('unplanned')
    await subscribe('unplanned@example.com')
    const { exitCode, stdout } = await run([...apply, plan, '--yes', '--json'])
    expect(exitCode).toBe(3)
    expect(jsonLines(stdout)).toMatchObject([
      { id: 'b', outcome: 'refused', error: 'PreconditionFailed', message: expect.stringContaining('Make a new plan') },
      { id: 'c', outcome: 'refused', error: 'PreconditionFailed' },
      { id: 'd', outcome: 'refused', error: 'UserDeleted', message: expect.stringContaining('not by this plan') },
      { id: 'ada', outcome: 'left_out' },
      { report: { deleted: 0, refused: 3, left_out: 1 } },
    ])
    expect((await run(['user', 'show', 'unplanned'])).exitCode).toBe(0)
  })

  it('takes users who were only seen since for those that were planned', async () => {
    const { plan, run, useCases } = await planned('b')
    useCases.uses.noteUser('b')
    await useCases.uses.flush()
    expect((await run(['user', 'show', 'b'])).stdout).toContain('Last seen')
    const { exitCode } = await run([...apply, plan, '--yes'])
    expect(exitCode).toBe(0)
    expect((await run(['user', 'show', 'b'])).exitCode).not.toBe(0)
  })

  it('refuses users that another rule refuses by now', async () => {
    const { run, putUser } = openTestCli()
    await putUser('ada', ['admin'])
    await putUser('eve', ['admin'])
    const plan = folder.path('plan')
    expect((await run(['user', 'delete', 'ada', '--plan', plan])).exitCode).toBe(0)
    await run(['user', 'delete', 'eve', '--yes'])
    const { exitCode, stdout } = await run([...apply, plan, '--yes', '--json'])
    expect(exitCode).toBe(3)
    expect(jsonLines(stdout)[0]).toMatchObject({ id: 'ada', outcome: 'refused', error: 'LastAdministrator' })
  })

  it('goes on where the same plan was stopped: what it has deleted itself counts as done', async () => {
    const { run, putUser } = openTestCli()
    const ids = Array.from({ length: 600 }, (_, at) => `user-${at}`)
    for (const id of ids) await putUser(id)
    const plan = folder.path('plan')
    await run(['user', 'delete', '--from', await folder.write('list', ids.join('\n')), '--plan', plan, '--json'])
    const stop = new AbortController()
    const stdout = new Screen()
    stdout.once('shown', () => stop.abort())
    const argv = [...apply, plan, '--yes', '--json']
    expect((await run(argv, { stdout, signal: stop.signal })).exitCode).toBe(130)
    const deleted = jsonLines(stdout.text).length - 1
    const again = await run(argv)
    expect(again.exitCode).toBe(0)
    expect(jsonLines(again.stdout).at(-1)).toMatchObject({
      report: { deleted: 600 - deleted, already_deleted: deleted, refused: 0 },
    })
  })

  it('says with --dry-run what it has done itself', async () => {
    const { plan, run } = await planned('b', 'c')
    await run([...apply, plan, '--yes'])
    const { exitCode, stdout } = await run([...apply, plan, '--dry-run', '--json'])
    expect([exitCode, jsonLines(stdout).at(-1)]).toMatchObject([0, { report: { already_deleted: 2, refused: 0 } }])
  })

  it('says with --dry-run what would still hold', async () => {
    const { plan, run, useCases } = await planned('b', 'c', 'ada')
    await useCases.putUser.execute({ userId: 'b', email: 'b@example.com', name: 'Renamed', roles: [] }, OPERATOR)
    const { exitCode, stdout } = await run([...apply, plan, '--dry-run', '--json'])
    expect(exitCode).toBe(3)
    expect(jsonLines(stdout)).toMatchObject([
      { id: 'b', outcome: 'refused', error: 'PreconditionFailed' },
      { id: 'c', outcome: 'would_delete' },
      { id: 'ada', outcome: 'left_out' },
      { report: { would_delete: 1, refused: 1, left_out: 1 } },
    ])
    expect((await run(['user', 'show', 'c'])).exitCode).toBe(0)
  })

  it('takes a plan that lines were taken out of by hand, and has the number of the others typed', async () => {
    const { plan, run } = await planned('b', 'c', 'd', 'ada')
    const lines = (await folder.read('plan')).split('\n')
    await writeFile(plan, `${[lines[0], lines[1], '', lines[3], lines[4]].join('\r\n')}\r\n`)
    const answers = [['Type 2 to delete them:', '2\r']] as const
    const { exitCode, stdout, stderr } = await run([...apply, plan], { answers })
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/This plan was made by operator:tester at 20..-/)
    expect(stdout).toMatch(/^Deleted +2$/m)
    expect(stdout).toMatch(/^Left out by the plan +1$/m)
    expect((await run(['user', 'show', 'c'])).exitCode).toBe(0)
  })

  it.each([
    ['the fate of subscriptions', 1, (text: string) => text.replace('"keep"', '"erase"')],
    ['the reason', 1, (text: string) => text.replace('left in May', 'left in June')],
    ['who made it', 1, (text: string) => text.replace('operator:tester', 'operator:somebody')],
    ['when it was made', 1, (text: string) => text.replace(/"created_at":"20/, '"created_at":"19')],
    ['its id', 1, (text: string) => text.replace('"plan-', '"plan-0')],
    ['the users it names', 2, (text: string) => text.replace('"id":"b"', '"id":"d"')],
    ['how many subscriptions somebody has', 3, (text: string) => text.replace('ons":1', 'ons":0')],
    ['the users it leaves out', 4, (text: string) => text.replace('LastAdministrator', 'UserNotFound')],
  ])('exits 2 before anybody is deleted where %s was changed in the plan by hand', async (_what, line, change) => {
    const { plan, run } = await planned('b', 'c', 'ada')
    const text = await folder.read('plan')
    await writeFile(plan, change(text))
    expect(await folder.read('plan')).not.toBe(text)
    const { exitCode, stderr } = await run([...apply, plan, '--yes'])
    expect(exitCode).toBe(2)
    const where = line > 1 ? `Line ${line}: ` : ''
    expect(stderr).toBe(
      `error: Cannot use the plan '${plan}'. ${where}This line was changed; lines can only be removed. Make a new one with --plan.\n`,
    )
    for (const id of ['b', 'c']) expect((await run(['user', 'show', id])).exitCode).toBe(0)
  })

  it('takes no line of another plan', async () => {
    const { run, putUser } = openTestCli()
    for (const id of ['b', 'c']) await putUser(id)
    const [one, other] = [folder.path('one'), folder.path('other')]
    await run(['user', 'delete', 'b', '--plan', one])
    await run(['user', 'delete', 'c', '--plan', other, '--subscriptions', 'erase'])
    const [head, b] = (await folder.read('other')).split('\n')
    const [, c] = (await folder.read('one')).split('\n')
    await writeFile(other, [head, b, c].join('\n'))
    expect(await run([...apply, other, '--yes'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Line 3'),
    })
    expect((await run(['user', 'list', '--json'])).stdout.match(/"id"/g)).toHaveLength(2)
  })

  it.skipIf(process.platform === 'win32')('takes no plan that everybody may write, and deletes no user', async () => {
    const { run, plan, useCases } = await planned('b')
    await chmod(plan, 0o666)
    const ran = await run([...apply, plan, '--yes'])
    const stderr = `error: The plan '${plan}' is open to other users. Close it: chmod o-w ${plan}\n`
    expect(ran).toMatchObject({ exitCode: 4, stdout: '', stderr })
    expect(await useCases.getUser.execute({ userId: 'b' }, OPERATOR)).toMatchObject({ id: 'b' })
    await chmod(plan, 0o644)
    expect((await run([...apply, plan, '--yes', '--report', report()])).exitCode).toBe(0)
  })

  it('needs --yes where there is no terminal', async () => {
    const { plan, run } = await planned('b', 'c')
    expect(await run([...apply, plan])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Add --yes') })
  })

  it.each([
    ['nothing', '', /It is empty\. Make a new one with --plan\.\n$/],
    ['a list of ids', 'b\nc\n', /This is not a plan: .* Make a new one with --plan\.\n$/],
    [
      'a plan of another version',
      '{"format":"rollcall deletion plan","version":2}\n',
      /another version; only version 1 can be read/,
    ],
    ['a plan without an id', '{"format":"rollcall deletion plan","version":1}\n', /'id' is missing/],
  ])('exits 2 for %s, and says what to do', async (_name, text, expected) => {
    const { run, opened } = openTestCli()
    const { exitCode, stdout, stderr } = await run([...apply, await folder.write('plan', text), '--yes'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(expected)
    expect(opened.times).toBe(0)
  })

  it.each([
    ['ends in the middle of a line', (text: string) => text.slice(0, -20), /Line 3: This is not a JSON object/],
    ['has a line without a state', (text: string) => `${text}{"id":"d"}\n`, /Line 4: 'state' is missing/],
    ['has an invalid number', (text: string) => text.replace('ons":0', 'ons":"0"'), /'subscriptions' is missing/],
  ])('exits 2 before anybody is deleted where the plan %s', async (_name, broken, expected) => {
    const { plan, run } = await planned('b', 'd')
    await writeFile(plan, broken(await folder.read('plan')))
    const { exitCode, stderr } = await run([...apply, plan, '--yes'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(expected)
    expect((await run(['user', 'show', 'b'])).exitCode).toBe(0)
  })

  it.each([
    [['b'], /give no ids with --apply/],
    [['--reason', 'x'], /'--apply <file>' cannot be used with option '--reason <text>'/],
    [['--subscriptions', 'erase'], /cannot be used with option '--subscriptions/],
    [['--from', 'x'], /cannot be used with option '--from/],
    [['--plan', 'x'], /cannot be used with option '--plan/],
  ])('exits 2 for --apply with %j, which the plan says', async (more, expected) => {
    const { plan, run } = await planned('b')
    const { exitCode, stderr } = await run([...apply, plan, '--yes', ...more])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(expected)
  })

  it('exits 4 where no plan can be written there', async () => {
    const { run, putUser } = openTestCli()
    await putUser('b')
    for (const name of ['none/plan', 'file/plan']) {
      await folder.write('file', '')
      const { exitCode, stderr } = await run(['user', 'delete', 'b', '--plan', folder.path(name)])
      expect(exitCode).toBe(4)
      expect(stderr).toContain(`Cannot write '${folder.path(name)}'`)
    }
  })

  it('overwrites nothing with a plan, and leaves nothing behind of one that was not finished', async () => {
    const { run, putUser } = openTestCli()
    await putUser('b')
    const list = await folder.write('list', 'b\n')
    const over = await run(['user', 'delete', '--from', list, '--plan', list])
    expect(over.exitCode).toBe(2)
    expect(over.stderr).toContain('Give another name, or remove it.')
    expect(await folder.read('list')).toBe('b\n')
    const telling = ['user', 'delete', 'b', '--plan', folder.path('plan'), '--reason', 'b@example.com wrote']
    expect((await run(telling)).exitCode).toBe(2)
    const stopped = await run(['user', 'delete', 'b', '--plan', folder.path('plan')], { signal: AbortSignal.abort() })
    expect(stopped).toMatchObject({ exitCode: 130, stderr: 'error: Interrupted. No plan was written.\n' })
    expect(await folder.list()).toEqual(['list'])
  })
})
