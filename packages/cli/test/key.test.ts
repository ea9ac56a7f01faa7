import { KeysNotRotatable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const issue = ['token', 'issue', '--subject', 'ada', '--role', 'admin']

describe('rollcall key rotate', () => {
  it('leaves tokens as they are, says which key signs, and until when those before are kept', async () => {
    const { run, tokens } = openTestCli()
    const token = (await run(issue)).stdout.trim()
    expect(await run(['key', 'rotate'])).toEqual({
      exitCode: 0,
      stdout:
        'New tokens are signed with the key key-2. Those issued before stay good until they expire; the keys before it are kept until 2027-02-06T00:00:00Z.\n',
      stderr: '',
    })
    expect((await tokens.verify(token)).subject).toBe('ada')
    const { stdout } = await run(['key', 'rotate', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      key_id: 'key-3',
      revoked: false,
      earlier_keys_verify_until: '2027-02-06T00:00:00.000Z',
    })
  })

  it('refuses every token of before with --revoke, and says so', async () => {
    const { run, tokens } = openTestCli()
    const token = (await run(issue)).stdout.trim()
    const { stdout } = await run(['key', 'rotate', '--revoke'])
    expect(stdout).toMatch(/^New tokens are signed with the key key-2\. All others are refused, .*two seconds\.\n$/)
    await expect(tokens.verify(token)).rejects.toMatchObject({ tokenRefused: true })
    expect(JSON.parse((await run(['key', 'rotate', '--revoke', '--json'])).stdout)).toEqual({
      key_id: 'key-3',
      revoked: true,
      earlier_keys_verify_until: null,
    })
  })

  it('exits 4 where the keys are not kept here, and says what to do', async () => {
    const { run, tokens } = openTestCli()
    tokens.makeKey = () => Promise.reject(new KeysNotRotatable('Change them where they are set.'))
    const stderr = 'error: Change them where they are set.\n'
    expect(await run(['key', 'rotate'])).toEqual({ exitCode: 4, stdout: '', stderr })
  })
})
