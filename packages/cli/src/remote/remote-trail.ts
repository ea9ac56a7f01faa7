import { type DomainError, SuppressionNotFound } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { remotePage } from './remote-list.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { schemas } from './schemas.ts'

type TrailUseCases = Pick<CliUseCases, 'liftSuppression' | 'listAudit' | 'listEvents' | 'listSuppressions'>

const isLifted = (error: DomainError): boolean => error instanceof SuppressionNotFound

/** The audit trail, events and suppressions, over HTTP. */
export const remoteTrail = (server: RemoteServer): TrailUseCases => ({
  listAudit: {
    execute: (request) => remotePage(server, { path: '/audit', from: 'after' }, schemas.auditRecord, request),
  },
  listEvents: {
    execute: (request) => remotePage(server, { path: '/events', from: 'after' }, schemas.event, request),
  },
  listSuppressions: {
    execute: (request) => remotePage(server, { path: '/suppressions' }, schemas.suppression, request),
  },
  liftSuppression: {
    execute: async ({ address }) => {
      const path = pathOf('suppressions', address)
      if (path === undefined) throw new SuppressionNotFound()
      await server.ask({ method: 'DELETE', path, doneBefore: isLifted })
      // Only the server knows the hash of an address.
      return address
    },
  },
})
