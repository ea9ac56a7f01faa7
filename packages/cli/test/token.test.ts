import { describe, expect, it } from 'vitest'
import { OPERATOR, openTestCli } from './terminal.ts'

const ISSUE = ['token', 'issue', '--subject', 'mailer', '--role', 'sender']

const withFeed = async () => {
  const cli = openTestCli()
  await cli.useCases.putFeed.execute({ name: 'weekly' }, OPERATOR)
  const issue = async (...more: readonly string[]): Promise<{ token: string; token_id: string }> =>
    JSON.parse((await cli.run([...ISSUE, ...more, '--json'])).stdout)
  return { ...cli, issue }
}

describe('rollcall token issue', () => {
  it('prints one token, and nothing else', async () => {
    const { run, tokens } = await withFeed()
    const { exitCode, stdout, stderr } = await run([...ISSUE, '--feed', 'weekly', '--label', 'web-2', '--ttl', '365d'])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(await tokens.verify(stdout.trimEnd())).toMatchObject({ subject: 'mailer', feeds: ['weekly'] })
  })

  it.each([
    [['--role', 'admin', '--feed', 'weekly'], 2, /'feed': Only a token with the role 'sender'/],
    [['--feed', 'Not A Name'], 2, /'feed': Use 1 to 64/],
    [['--feed', 'unheard-of'], 3, /^error: There is no feed 'unheard-of'\. Check the name, or create it\.$/m],
    [['--ttl', '401d'], 2, /'ttl': Give a lifetime from 1s to 400d/],
    [['--label', 'x'.repeat(101)], 2, /'label': Use at most 100 characters/],
  ])('refuses %j with %i', async (more, exitCode, message) => {
    const { run } = await withFeed()
    const ran = await run([...ISSUE, ...more])
    expect(ran).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(message) })
  })

  it('lives an hour where nothing else is said', async () => {
    const { issue, tokens, clock } = await withFeed()
    const { token, token_id } = await issue()
    clock.advance(3_599_000)
    expect(await tokens.verify(token)).toMatchObject({ tokenId: token_id, roles: ['sender'] })
    clock.advance(1_000)
    await expect(tokens.verify(token)).rejects.toThrow()
  })

  it.each([
    ['gone', '1h', 3],
    ['ops', '0s', 2],
    ['operator:me', '1h', 2],
  ])('refuses one for %s that lives %s with %i', async (subject, ttl, exitCode) => {
    const { run, putUser } = openTestCli()
    await putUser('gone')
    await run(['user', 'delete', 'gone', '--yes'])
    const ran = await run(['token', 'issue', '--subject', subject, '--ttl', ttl])
    expect(ran).toMatchObject({ exitCode, stdout: '' })
  })

  it('refuses a label that names the user with 2', async () => {
    const { run, putUser } = await withFeed()
    await putUser('mailer')
    const { email } = (await run(['user', 'show', 'mailer', '--json']).then(({ stdout }) => JSON.parse(stdout))) as {
      email: string
    }
    expect(await run([...ISSUE, '--label', `of ${email}`])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/'label': Leave out the user's name/),
    })
  })
})

describe('rollcall token list', () => {
  it('lists what was issued, as a table and as a document', async () => {
    const { run, issue } = await withFeed()
    expect((await run(['token', 'list'])).stderr).toBe('No token is listed.\n')
    const { token_id: bound, token } = await issue('--feed', 'weekly', '--label', 'web-2', '--ttl', '1d')
    const { token_id: free } = await issue()
    const { stdout } = await run(['token', 'list'])
    expect(stdout).toMatch(
      new RegExp(
        `^JTI +SUBJECT +ROLES +FEEDS +EXPIRES +USED +REVOKED +LABEL *\n${bound} +mailer +sender +weekly +2026-01-02T00:00:00Z +not yet +web-2\n${free} +mailer +sender +all +2026-01-01T01:00:00Z +not yet *\n$`,
      ),
    )
    const { items } = JSON.parse((await run(['token', 'list', '--subject', 'mailer', '--json'])).stdout)
    expect(items[0]).toEqual({
      ...{ jti: bound, subject: 'mailer', roles: ['sender'], feeds: ['weekly'], label: 'web-2' },
      ...{ issued_by: OPERATOR.id, issued_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-02T00:00:00.000Z' },
      ...{ last_used_at: null, revoked_at: null },
    })
    expect(items[1].feeds).toBeNull()
    expect((await run(['token', 'list', '--subject', 'other'])).stderr).toBe('No token is listed.\n')
    expect(stdout).not.toContain(token)
  })
})

describe('rollcall token revoke', () => {
  it('refuses the token from then on, also one that is not listed, and again is no error', async () => {
    const { run, issue, useCases } = await withFeed()
    const { token, token_id: id } = await issue()
    for (const _ of [1, 2])
      expect(await run(['token', 'revoke', id])).toEqual({
        exitCode: 0,
        stdout: `Revoked the token ${id}.\n`,
        stderr: '',
      })
    await expect(useCases.authenticate.execute({ token, channel: 'http' })).rejects.toThrow('revoked')
    expect((await run(['token', 'list'])).stdout).toContain(' 2026-01-01T00:00:00Z')
    expect((await run(['token', 'revoke', 'of-a-provider', '--json'])).stdout).toBe(
      '{"jti":"of-a-provider","outcome":"revoked"}\n',
    )
    expect((await run(['token', 'revoke', 'two words'])).exitCode).toBe(3)
  })
})
