import { KeysNotRotatable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

describe('rollcall secret rotate', () => {
  it('says which key signs, and what becomes of links sent before', async () => {
    const { run, ports } = openTestCli()
    const { exitCode, stdout, stderr } = await run(['secret', 'rotate'])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      'New links are signed with the key 2. Those sent before stay good until they expire, 2027-01-03T00:00:00Z at the latest; those to unsubscribe or to manage subscriptions for ever.\n',
    )
    expect(ports.linkKeys.find('1')).toBeDefined()
    expect(JSON.parse((await run(['secret', 'rotate', '--json'])).stdout)).toEqual({
      key_id: '3',
      revoked: false,
      earlier_links_until: '2027-01-03T00:00:00.000Z',
    })
  })

  it('asks before it revokes every link, and says that those to unsubscribe go, too', async () => {
    const { run, ports } = openTestCli()
    const question = 'Revoke every link, those to unsubscribe included?'
    const declined = await run(['secret', 'rotate', '--revoke'], { answers: [[question, 'n\r']] })
    expect(declined).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('Nothing was changed') })
    expect(ports.linkKeys.current.id).toBe('1')
    const agreed = await run(['secret', 'rotate', '--revoke'], { answers: [[question, 'y\r']] })
    expect(agreed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('also not to unsubscribe') })
    expect(ports.linkKeys.find('1')).toBeUndefined()
  })

  it('revokes nothing without a terminal, unless told so', async () => {
    const { run, ports } = openTestCli()
    expect((await run(['secret', 'rotate', '--revoke'])).exitCode).toBe(2)
    expect(ports.linkKeys.current.id).toBe('1')
    expect(JSON.parse((await run(['secret', 'rotate', '--revoke', '--yes', '--json'])).stdout)).toEqual({
      key_id: '2',
      revoked: true,
      earlier_links_until: null,
    })
  })

  it('exits 4 if the keys are not kept here, and says what to do', async () => {
    const { run, ports } = openTestCli()
    ports.linkKeys.makeKey = () => Promise.reject(new KeysNotRotatable('Change them where they are set.'))
    expect(await run(['secret', 'rotate'])).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: 'error: Change them where they are set.\n',
    })
  })
})
