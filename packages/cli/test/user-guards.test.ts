import { type Outcome, type UserDriver, userGuardsContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { jsonLines, openTestCli, type Ran } from './terminal.ts'

type TestCli = ReturnType<typeof openTestCli>

const outcomeOf = ({ exitCode, stderr }: Ran): Outcome => (exitCode === 0 ? 'done' : JSON.parse(stderr).error)

const cliDriver = ({ run }: TestCli): UserDriver => ({
  put: async (id, roles) => {
    const fields = ['--email', `${id}.mail@example.com`, '--name', '']
    return outcomeOf(await run(['user', 'put', id, ...fields, ...roles.flatMap((role) => ['--role', role]), '--json']))
  },
  delete: async (id) => outcomeOf(await run(['user', 'delete', id, '--yes', '--json'])),
  deleteMany: async (ids) => {
    const { stdout } = await run(['user', 'delete', '--from', '-', '--yes', '--json'], { stdin: ids.join('\n') })
    return (jsonLines(stdout) as { outcome: string; error?: string }[]).slice(0, -1).map(({ outcome, error }) => {
      if (outcome === 'deleted') return 'done'
      return outcome === 'already_deleted' ? 'UserDeleted' : (error ?? outcome)
    })
  },
  restore: async (id) => outcomeOf(await run(['user', 'restore', id, '--json'])),
  patch: async (id, roles) => {
    const options = roles.length === 0 ? ['--no-role'] : roles.flatMap((role) => ['--role', role])
    return outcomeOf(await run(['user', 'set', id, ...options, '--json']))
  },
  suspend: async (id) => outcomeOf(await run(['user', 'suspend', id, '--json'])),
  resume: async (id) => outcomeOf(await run(['user', 'resume', id, '--json'])),
})

describe('users by the command line', () => {
  userGuardsContract(
    async (settings) => {
      const cli = openTestCli({}, settings)
      return {
        driver: cliDriver(cli),
        another: async () => cliDriver(cli),
        audit: async () => (await cli.storage.readers.audit.list({ after: 0, limit: 1_000 })).items,
        dispose: async () => undefined,
      }
    },
    { rounds: 100 },
  )
})
