import type { Operation, Route } from './operation.ts'

/** Health, keys and the document itself. */
export const SERVICE_OPERATIONS = {
  'GET /livez': { id: 'getLiveness', summary: 'Whether the process answers.', answers: { 200: 'Liveness' } },
  'GET /readyz': {
    id: 'getReadiness',
    summary: 'Whether this instance does its work.',
    answers: { 200: 'Readiness', 503: 'NotReady' },
  },
  'GET /.well-known/jwks.json': {
    id: 'getKeys',
    summary: "The public keys that verify this service's own tokens.",
    answers: { 200: 'KeySet' },
    conditional: 'read',
  },
  'GET /openapi.json': {
    id: 'getOpenApi',
    summary: 'This document.',
    answers: { 200: 'OpenApi' },
    conditional: 'read',
  },
} as const satisfies Record<Route, Operation>
