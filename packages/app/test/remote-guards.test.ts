import { type Outcome, type UserDriver, userGuardsContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { jsonLines, type Ran, RemoteService } from './remote-service.ts'

type Run = Awaited<ReturnType<RemoteService['commandLine']>>

const outcomeOf = ({ exitCode, stderr }: Ran): Outcome => (exitCode === 0 ? 'done' : JSON.parse(stderr).error)

const remoteDriver = (run: Run): UserDriver => ({
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

describe('users by the command line over HTTP, on SQLite', () => {
  userGuardsContract(
    async (settings) => {
      const service = await RemoteService.open(settings)
      const driver = remoteDriver(await service.commandLine())
      return {
        driver,
        another: async () => driver,
        audit: async () => {
          await service.composition.useCases.refusals.flush()
          const { items } = await service.composition.useCases.readers.audit.list({ after: 0, limit: 1_000 })
          return items.filter(({ action }) => action !== 'token.issue')
        },
        dispose: () => service[Symbol.asyncDispose](),
      }
    },
    { rounds: 20 },
  )
})
