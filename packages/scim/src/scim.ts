import type { IncomingHttpHeaders } from 'node:http'
import { type Caller, DeleteUserUseCase, GetUserUseCase, type Guarded, PutUserUseCase, type User } from '@rollcall/core'
import { readPatch, readUser } from './messages.ts'
import { locationOf, matches, projectionOf, userRecord, versionOf } from './record.ts'
import { descriptions } from './schemas.ts'
import { errorBody, inTermsOfScim, ScimError } from './scim-error.ts'
import { type ScimUseCases, Users } from './users.ts'

export interface ScimOptions {
  readonly useCases: ScimUseCases
  /** The public URL of the service, without a slash at the end. */
  readonly publicUrl: string
  /** The token in an `Authorization` header field. */
  readonly tokenIn: (authorization: string | undefined) => string | undefined
}

interface Request {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  body(): Promise<Buffer>
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const PATH = '/scim/v2'
export const SCIM_ROUTES: readonly string[] = [
  ...['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/{id}'],
  ...['Schemas', 'Schemas/{id}', 'Users', 'Users/{id}'],
].map((path) => `${PATH}/${path}`)

const TYPE = { 'Content-Type': 'application/scim+json' }
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** SCIM 2.0 (RFC 7643, 7644), in the form in which `@rollcall/http-koa` mounts an interface. */
export const createScim = ({ useCases, publicUrl, tokenIn }: ScimOptions) => {
  const base = `${publicUrl}${PATH}`
  const described = descriptions(base)

  const callerOf = async ({ headers, requestId }: Request, guarded: Guarded, target?: string): Promise<Caller> => {
    const token = tokenIn(headers.authorization)
    const caller = await useCases.authenticate.execute({ token, channel: 'scim', requestId })
    await useCases.access.require(caller, guarded, target)
    if (useCases.readers.users.keptByHost)
      throw new ScimError(501, 'The application that keeps the users of this service must be provisioned itself.')
    return caller
  }

  /** How a request has a user shown: read before anything is changed. */
  const showing = ({ query }: Request) => {
    const project = projectionOf(new URLSearchParams(query))
    return (user: User, status = 200): Answer => {
      const body = JSON.stringify(project(userRecord(user, base)))
      return { status, headers: { ...TYPE, ...PRIVATE, ETag: versionOf(user) }, body }
    }
  }

  const holds =
    ({ headers }: Request) =>
    (version: string) => {
      const [match, noneMatch] = [headers['if-match'], headers['if-none-match']]
      return (
        (match === undefined || matches(match, version)) && (noneMatch === undefined || !matches(noneMatch, version))
      )
    }

  const many: Handlers = {
    GET: async (request) => {
      const users = new Users(useCases, await callerOf(request, GetUserUseCase))
      const query = new URLSearchParams(request.query)
      const project = projectionOf(query)
      const { items, total, startIndex } = await users.list(query)
      const found = items.map((user) => project(userRecord(user, base)))
      return { status: 200, headers: { ...TYPE, ...PRIVATE }, body: listBody(found, total, startIndex) }
    },
    POST: async (request) => {
      const users = new Users(useCases, await callerOf(request, PutUserUseCase))
      const shown = showing(request)
      const user = await users.create(readUser(await request.body()))
      const answer = shown(user, 201)
      return { ...answer, headers: { ...answer.headers, Location: locationOf(base, user) } }
    },
  }

  const one = (id: string): Handlers => {
    const changed = async (
      request: Request,
      read: (body: Buffer) => Parameters<Users['change']>[2],
      isWhole: boolean,
    ) => {
      const users = new Users(useCases, await callerOf(request, PutUserUseCase, id))
      const shown = showing(request)
      return shown(await users.change(id, holds(request), read(await request.body()), isWhole))
    }
    return {
      GET: async (request) => {
        const user = await new Users(useCases, await callerOf(request, GetUserUseCase, id)).find(id)
        const answer = showing(request)(user)
        const known = request.headers['if-none-match']
        if (known === undefined || !matches(known, versionOf(user))) return answer
        return { status: 304, headers: { ...PRIVATE, ETag: versionOf(user) } }
      },
      PUT: (request) =>
        changed(
          request,
          (body) => {
            const changes = readUser(body)
            return () => changes
          },
          true,
        ),
      PATCH: (request) => changed(request, readPatch, false),
      DELETE: async (request) => {
        await new Users(useCases, await callerOf(request, DeleteUserUseCase, id)).remove(id, holds(request))
        return { status: 204, headers: { 'Cache-Control': 'no-store' } }
      },
    }
  }

  const handlersAt = (path: string): Handlers | undefined => {
    const document = Object.hasOwn(described, path) ? described[path] : undefined
    if (document !== undefined) return { GET: async () => describedBy(document) }
    if (path === '/Users') return many
    if (UNSUPPORTED.has(path)) return {}
    const [, id] = /^\/Users\/([^/]+)$/.exec(path) ?? []
    return id === undefined ? undefined : one(decodeURIComponent(id))
  }

  return {
    path: PATH,
    bodyTypes: ['application/scim+json', 'application/json'],

    routeOf: (path: string): string | undefined =>
      SCIM_ROUTES.find((route) => route === path || route === path.replace(/[^/]+$/, '{id}')),

    answer: async (request: Request): Promise<Answer> => {
      try {
        const handlers = handlersAt(request.path)
        if (handlers === undefined)
          throw new ScimError(
            404,
            'There is nothing at this path. There are Users, ResourceTypes, Schemas and ServiceProviderConfig; leave groups out.',
          )
        const methods = Object.keys(handlers)
        const Allow = [...methods, ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
        if (request.method === 'OPTIONS') return { status: 204, headers: { Allow } }
        if (methods.length === 0) throw new ScimError(501, 'This is not supported: see ServiceProviderConfig.')
        const handler = handlers[request.method === 'HEAD' ? 'GET' : (request.method as Method)]
        if (handler === undefined)
          throw new ScimError(405, `Use one of these methods here: ${Allow}.`, undefined, { Allow })
        return await handler(request)
      } catch (error) {
        if (!(error instanceof ScimError)) throw error
        const { status, message, scimType, headers } = error
        return {
          status,
          headers: { ...TYPE, ...headers, 'Cache-Control': 'no-store' },
          body: errorBody(status, message, scimType),
        }
      }
    },

    errorAnswer: (error: unknown, response: { readonly status: number; readonly message: string }): Answer => {
      const { status, scimType, detail } = inTermsOfScim(error, response)
      return { status, headers: TYPE, body: errorBody(status, detail, scimType) }
    },
  }
}

type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
type Handlers = { readonly [Name in Method]?: (request: Request) => Promise<Answer> }

const PRIVATE = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' }

/** @see RFC 7644 sections 3.4.3, 3.7 and 3.11 */
const UNSUPPORTED = new Set(['/.search', '/Users/.search', '/Bulk', '/Me'])

const describedBy = (document: object | readonly object[]): Answer => {
  const body = Array.isArray(document) ? listBody(document, document.length, 1) : JSON.stringify(document)
  return { status: 200, headers: { ...TYPE, 'Cache-Control': 'no-cache' }, body }
}

const listBody = (resources: readonly object[], total: number, startIndex: number): string =>
  JSON.stringify({
    schemas: [LIST],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })
