import { type Outcome, type UserDriver, userGuardsContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { type OpenServer, openServer } from './support/open-server.ts'

const ROOT = 'root'

const httpDriver = (server: OpenServer): UserDriver => {
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (subject: string): Promise<string> => {
    const token = tokens.get(subject) ?? server.token(subject, 'admin')
    tokens.set(subject, token)
    return token
  }
  const ask = async (method: string, path: string, json?: object, as = ROOT): Promise<Outcome> => {
    const { status, body } = await server.request(method, path, { token: await tokenOf(as), ...(json && { json }) })
    return status < 300 ? 'done' : JSON.parse(body).error
  }
  const drop = (id: string, as?: string) => ask('DELETE', `/users/${id}`, undefined, as)
  return {
    put: (id, roles) => ask('PUT', `/users/${id}`, { email: `${id}.mail@example.com`, name: '', roles }),
    delete: drop,
    deleteMany: (ids) => Promise.all(ids.map((id) => drop(id))),
    restore: (id) => ask('POST', `/users/${id}/restore`, {}),
    patch: (id, roles) => ask('PATCH', `/users/${id}`, { roles }),
    suspend: (id) => ask('POST', `/users/${id}/suspend`, {}),
    resume: (id) => ask('POST', `/users/${id}/resume`, {}),
  }
}

describe('users over HTTP', () => {
  userGuardsContract(
    async (settings) => {
      const server = await openServer({}, undefined, settings)
      return {
        driver: httpDriver(server),
        another: async () => httpDriver(server),
        audit: async () => {
          await server.useCases.refusals.flush()
          return (await server.storage.readers.audit.list({ after: 0, limit: 1_000 })).items
        },
        dispose: () => server.close(),
      }
    },
    { rounds: 100 },
  )
})
