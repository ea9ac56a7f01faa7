import { ExportUserUseCase, GetErasureReceiptUseCase, RestoreUserUseCase } from '@rollcall/core'
import { BODY_ERRORS, type Operation, type Route } from './operation.ts'

/** The stored data of a user, and the receipt of its deletion. */
export const DELETION_OPERATIONS = {
  'GET /users/{userId}/export': {
    id: 'exportUser',
    summary: 'Everything that is stored about the user.',
    guarded: ExportUserUseCase,
    self: true,
    answers: { 200: 'UserExport' },
    errors: ['InsufficientPermissions', 'UserNotFound', 'UserDeleted'],
  },
  'GET /users/{userId}/erasure': {
    id: 'getErasureReceipt',
    summary: 'The receipt of a deletion: when, by which caller, why, what was erased, and what was kept.',
    guarded: GetErasureReceiptUseCase,
    answers: { 200: 'ErasureReceipt' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'ReceiptNotFound'],
  },
  'POST /users/{userId}/restore': {
    id: 'restoreUser',
    summary: 'Undo a deletion within its grace period. Tokens issued before stay refused.',
    guarded: RestoreUserUseCase,
    body: 'ReasonForm',
    answers: { 200: 'User' },
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'UserNotFound', 'UserDeleted', 'EmailTaken', 'InvalidInput'],
  },
} as const satisfies Record<Route, Operation>
