import {
  DeleteWebhookUseCase,
  GetWebhookUseCase,
  ListWebhooksUseCase,
  PutWebhookUseCase,
  RedeliverEventsUseCase,
  RotateWebhookSecretUseCase,
} from '@rollcall/core'
import { BODY_ERRORS, LIST_ERRORS, type Operation, PAGING, type Route } from './operation.ts'

/** Where events are sent. */
export const WEBHOOK_OPERATIONS = {
  'GET /webhooks': {
    id: 'listWebhooks',
    summary: 'Where events are sent, oldest first.',
    guarded: ListWebhooksUseCase,
    query: PAGING,
    answers: { 200: 'WebhookList' },
    conditional: 'read',
    errors: LIST_ERRORS,
  },
  'GET /webhooks/{name}': {
    id: 'getWebhook',
    summary: 'One target of events.',
    guarded: GetWebhookUseCase,
    answers: { 200: 'Webhook' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'WebhookNotFound'],
  },
  'PUT /webhooks/{name}': {
    id: 'putWebhook',
    summary:
      'Create or replace a target of events. A new one receives the events from then on, and only the answer that creates it contains its secret. One that was disabled is enabled again, and receives the events that have waited.',
    guarded: PutWebhookUseCase,
    body: 'WebhookForm',
    answers: { 201: 'WebhookWithSecret', 204: null },
    conditional: 'write',
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'PreconditionFailed', 'InvalidInput'],
  },
  'DELETE /webhooks/{name}': {
    id: 'deleteWebhook',
    summary: 'Send nothing there any more, and forget what was still to be sent.',
    guarded: DeleteWebhookUseCase,
    answers: { 204: null },
    conditional: 'write',
    errors: ['InsufficientPermissions', 'WebhookNotFound', 'PreconditionFailed', 'InvalidInput'],
  },
  'POST /webhooks/{name}/rotate': {
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret, and tell it this once. The old one signs beside it for another day.',
    guarded: RotateWebhookSecretUseCase,
    body: 'WebhookRotationForm',
    answers: { 200: 'WebhookWithSecret' },
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'WebhookNotFound', 'InvalidInput'],
  },
  'POST /webhooks/{name}/redeliver': {
    id: 'redeliverEvents',
    summary: 'Send events again, under the ids that they had: behind an event, from a time on, or those given up.',
    guarded: RedeliverEventsUseCase,
    body: 'RedeliveryForm',
    answers: { 200: 'Redelivery' },
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'WebhookNotFound', 'InvalidInput'],
  },
} as const satisfies Record<Route, Operation>
