import { UserDeleted } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { OPERATOR, openTestCli, Screen } from './terminal.ts'

const failing = (code: string): Screen => {
  const screen = new Screen()
  screen._write = (_chunk, _encoding, done) =>
    setImmediate(() => done(Object.assign(new Error(`${code} happened`), { code })))
  return screen
}

describe('standard output', () => {
  it('may lose its reader: the command ends quietly', async () => {
    const { run, putUser } = openTestCli()
    for (let at = 0; at < 450; at++) await putUser(`user-${at}`)
    for (const argv of [['user', 'list'], ['user', 'list', '--json'], ['--help']]) {
      expect(await run(argv, { stdout: failing('EPIPE') })).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    }
  })

  it('may lose its reader while users are deleted: what was ordered is done', async () => {
    const { run, putUser, useCases } = openTestCli()
    const ids = Array.from({ length: 200 }, (_, at) => `user-${at}`)
    for (const id of ids) await putUser(id)
    const ran = await run(['user', 'delete', '--from', '-', '--yes', '--json'], {
      stdin: ids.join('\n'),
      stdout: failing('EPIPE'),
    })
    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toBe('')
    await expect(useCases.getUser.execute({ userId: 'user-199' }, OPERATOR)).rejects.toThrow(UserDeleted)
  })

  it.each([
    ['ENOSPC', 'No space is left on this disk.'],
    ['EIO', 'EIO happened'],
  ])('exits 4 and says why when it cannot be written: %s', async (code, why) => {
    const { exitCode, stderr } = await openTestCli().run(['feed', 'list'], { stdout: failing(code) })
    expect(exitCode).toBe(4)
    expect(stderr).toBe(`error: Not all of the answer could be written to standard output. ${why}\n`)
    const { stderr: body } = await openTestCli().run(['feed', 'list', '--json'], { stdout: failing(code) })
    expect(JSON.parse(body).error).toBe('OutputNotWritten')
  })

  it('has everything before the exit code is known, however slow it is', async () => {
    const { run, putUser } = openTestCli()
    for (let at = 0; at < 300; at++) await putUser(`user-${at}`)
    const slow = new Screen()
    const write = slow._write.bind(slow)
    slow._write = (chunk, encoding, done) => setTimeout(() => write(chunk, encoding, done), 5)
    const { stdout } = await run(['user', 'list', '--json'], { stdout: slow })
    expect(JSON.parse(stdout).items).toHaveLength(300)
  })

  it('hears no more of a stream than it needs to', async () => {
    const screen = new Screen()
    await openTestCli().run(['--version'], { stdout: screen })
    expect(screen.listenerCount('error')).toBe(0)
  })
})
