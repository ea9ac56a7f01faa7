import { describe, expect, it } from 'vitest'
import { jsonLines, OPERATOR, openTestCli } from './terminal.ts'

describe('rollcall user delete <id> --yes', () => {
  it('deletes one user and says what became of the subscriptions', async () => {
    const { run, putUser, subscribe } = openTestCli()
    await putUser('brian')
    await subscribe('brian@example.com')
    const ran = await run(['user', 'delete', 'brian', '--yes'])
    expect(ran).toEqual({
      exitCode: 0,
      stdout: 'Deleted user brian. 1 subscription of the same address kept. Nothing undoes it.\n',
      stderr: '',
    })
  })

  it('prints one document with --json', async () => {
    const { run, putUser, subscribe } = openTestCli()
    await putUser('brian')
    await subscribe('brian@example.com')
    const argv = ['user', 'delete', 'brian', '--yes', '--json', '--subscriptions', 'erase']
    const document = { id: 'brian', outcome: 'deleted', subscriptions_erased: 1, subscriptions_kept: 0 }
    expect(jsonLines((await run(argv)).stdout)).toEqual([document])
  })

  it.each([
    ['was deleted already', 'gone', 'UserDeleted'],
    ['never was', 'nobody', 'UserNotFound'],
    ['is the last administrator', 'ada', 'LastAdministrator'],
  ])('exits 3 with the error when the user %s', async (_name, id, error) => {
    const { run, putUser, opened } = openTestCli()
    await putUser('ada', ['admin'])
    await putUser('gone')
    await run(['user', 'delete', 'gone', '--yes'])
    const { exitCode, stdout, stderr } = await run(['user', 'delete', id, '--yes', '--json'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({ error, message: expect.any(String) })
    expect(opened.closed).toBe(2)
  })

  it('writes the reason and the operator into the audit trail', async () => {
    const { run, putUser, useCases } = openTestCli()
    await putUser('brian')
    await run(['user', 'delete', 'brian', '--yes', '--reason', 'ticket 4711'])
    const { items } = await useCases.listAudit.execute({}, OPERATOR)
    expect(items.at(-1)).toMatchObject({ actor: 'operator:tester', action: 'user.delete', reason: 'ticket 4711' })
  })

  it('exits 2 and says what is wrong with a reason that names the user', async () => {
    const { run, putUser } = openTestCli()
    await putUser('brian')
    const { exitCode, stderr } = await run(['user', 'delete', 'brian', '--yes', '--reason', 'Name of brian left'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: 'reason': Leave out the user's name/)
  })

  it('exits 2 when no user is named', async () => {
    const { exitCode, stderr } = await openTestCli().run(['user', 'delete', '--yes'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: Say which users/)
  })
})
