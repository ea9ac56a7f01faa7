import { type AuditRecord, UserNotFound } from '@rollcall/core'
import * as v from 'valibot'
import type { CliUseCases } from '../cli-host.ts'
import { objectThenElements } from './array-elements.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { decode, schemas } from './schemas.ts'

const EXPORT = v.object({ subscriptions: v.array(schemas.subscription), user: schemas.user })

/** Files that come over HTTP, as they come. */
export const remoteExports = (server: RemoteServer): Pick<CliUseCases, 'exportSubscriptions' | 'exportUser'> => ({
  exportSubscriptions: {
    execute: async ({ feed, status, format, onProgress }) => {
      const path = '/subscriptions/export'
      const text = textOf(await server.open({ method: 'GET', path, query: { feed, status, format } }))
      return format === 'csv' ? text : counted(text, onProgress)
    },
  },
  exportUser: {
    execute: async ({ userId }) => {
      const path = pathOf('users', userId, 'export')
      if (path === undefined) throw new UserNotFound()
      const pieces = objectThenElements(textOf(await server.open({ method: 'GET', path })), 'audit')
      const head = decode(EXPORT, (await pieces.next()).value)
      return { ...head, audit: records(pieces) }
    },
  },
})

async function* records(pieces: AsyncIterable<unknown>): AsyncGenerator<AuditRecord> {
  for await (const piece of pieces) yield decode(schemas.auditRecord, piece)
}

async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** In NDJSON a line is a subscription. */
async function* counted(
  text: AsyncIterable<string>,
  onProgress: ((subscriptions: number) => void) | undefined,
): AsyncGenerator<string> {
  let lines = 0
  for await (const piece of text) {
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) lines++
    onProgress?.(lines)
    yield piece
  }
}
