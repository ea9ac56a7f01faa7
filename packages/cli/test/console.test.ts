import { expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

it('prints a login link and nothing else; with --json also who it is for, and until when', async () => {
  const { run } = openTestCli()
  const { exitCode, stdout } = await run(['console', 'login'])
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:9090\/login\/[0-9a-f]{64}\n$/)])
  const json = JSON.parse((await run(['console', 'login', '--json'])).stdout)
  expect(json).toEqual({
    link: expect.stringContaining('/login/'),
    subject: expect.stringMatching(/^operator:/),
    expires_at: expect.stringMatching(/Z$/),
  })
})

it('refuses a link for a user that is not stored', async () => {
  const { run } = openTestCli()
  expect(await run(['console', 'login', '--subject', 'missing'])).toMatchObject({ exitCode: 3 })
})

it('lists the sessions, and ends one', async () => {
  const { run, useCases } = openTestCli()
  expect((await run(['console', 'sessions'])).stderr).toBe('No session of the console is open.\n')
  const { stdout } = await run(['console', 'login'])
  const link = stdout.trim().slice(-64)
  const { session } = await useCases.beginConsoleSession.execute({ link })
  expect((await run(['console', 'sessions'])).stdout).toContain(session.id)
  expect(JSON.parse((await run(['console', 'sessions', '--json'])).stdout).items).toMatchObject([{ id: session.id }])
  expect((await run(['console', 'sessions', '--end', session.id])).stdout).toBe(`Ended the session ${session.id}.\n`)
  expect(await run(['console', 'sessions', '--end', session.id])).toMatchObject({ exitCode: 3 })
})
