import {
  DeleteWebhookUseCase,
  GetWebhookUseCase,
  ListWebhooksUseCase,
  PutWebhookUseCase,
  RedeliverEventsUseCase,
  RotateWebhookSecretUseCase,
} from '@rollcall/core'
import { BODY_ERRORS, LIST_ERRORS, type Operation, PAGING, type Route } from './operation.ts'

/** Webhooks. */
export const WEBHOOK_OPERATIONS = {
  'GET /webhooks': {
    id: 'listWebhooks',
    summary: 'The webhooks, oldest first.',
    guarded: ListWebhooksUseCase,
    query: PAGING,
    answers: { 200: 'WebhookList' },
    conditional: 'read',
    errors: LIST_ERRORS,
  },
  'GET /webhooks/{name}': {
    id: 'getWebhook',
    summary: 'One webhook.',
    guarded: GetWebhookUseCase,
    answers: { 200: 'Webhook' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'WebhookNotFound'],
  },
  'PUT /webhooks/{name}': {
    id: 'putWebhook',
    summary:
      'Create or replace a webhook. A new one receives the events from then on, and only the answer that creates it contains its secret. One that was disabled is enabled again, and receives the events that have waited.',
    guarded: PutWebhookUseCase,
    body: 'WebhookForm',
    answers: { 201: 'WebhookWithSecret', 204: null },
    conditional: 'write',
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'PreconditionFailed', 'InvalidInput'],
  },
  'DELETE /webhooks/{name}': {
    id: 'deleteWebhook',
    summary: 'Delete a webhook and its pending events.',
    guarded: DeleteWebhookUseCase,
    answers: { 204: null },
    conditional: 'write',
    errors: ['InsufficientPermissions', 'WebhookNotFound', 'PreconditionFailed', 'InvalidInput'],
  },
  'POST /webhooks/{name}/rotate': {
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret, which is shown only here. The old one also signs for another day.',
    guarded: RotateWebhookSecretUseCase,
    body: 'WebhookRotationForm',
    answers: { 200: 'WebhookWithSecret' },
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'WebhookNotFound', 'InvalidInput'],
  },
  'POST /webhooks/{name}/redeliver': {
    id: 'redeliverEvents',
    summary: 'Send events again, with their ids: those after an event, from a time on, or those given up.',
    guarded: RedeliverEventsUseCase,
    body: 'RedeliveryForm',
    answers: { 200: 'Redelivery' },
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'WebhookNotFound', 'InvalidInput'],
  },
} as const satisfies Record<Route, Operation>
