import {
  DeleteWebhookUseCase,
  DISABLED_BECAUSE,
  EVENT_TYPES,
  GetWebhookUseCase,
  ListWebhooksUseCase,
  PatchWebhookUseCase,
  PutWebhookUseCase,
  publishedRedelivery,
  publishedWebhook,
  RedeliverEventsUseCase,
  RotateWebhookSecretUseCase,
  type TriedWebhook,
  type Webhook as WebhookEntity,
  webhookState,
} from '@rollcall/core'
import type { Resource } from '../conditional-request.ts'
import { operation, resource } from '../operation/operation.ts'
import { PAGING } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { created, DONE, listed, result, shown } from './record-of.ts'

const EVENT_TYPE = s.oneOf(EVENT_TYPES)
const types = (description: string) => s.texts(description, EVENT_TYPE)
const url = w.url('The target: https, and a public address unless others are allowed.')

const WebhookForm = s.named(
  'WebhookForm',
  s.form(
    { url },
    {
      types: types('The types of events to send; by default all. In a form: separated by spaces.'),
      enabled: s.flag('Whether events are sent; by default true.'),
    },
  ),
)
const WebhookPatch = s.named(
  'WebhookPatch',
  s.record({}, { url, types: s.orNull(types('By default all.')), enabled: s.orNull(s.flag('By default true.')) }),
)

const webhook = {
  name: w.resourceName,
  url: s.text(),
  types: s.arrayOf(EVENT_TYPE, 'Which events are sent there.'),
  enabled: s.flag(),
  disabled_because: s.orNull(
    s.oneOf(DISABLED_BECAUSE, "'failing': all deliveries failed for three days. 'gone': it answered 410."),
  ),
  disabled_since: w.timeOrNull(),
  failing_since: w.timeOrNull(
    'Since when it has taken none of the events that it was sent; null if it took the last one.',
  ),
  previous_secret_until: w.timeOrNull('Until then the secret before the last rotation signs, too.'),
  created_at: w.time,
  updated_at: w.time,
}
const Webhook = s.named('Webhook', s.record(webhook))
const WebhookWithSecret = s.named(
  'WebhookWithSecret',
  s.record({
    ...webhook,
    secret: s.text('Shown only here. Store it.', { pattern: '^whsec_[A-Za-z0-9+/]{43}=$' }),
  }),
)

const WEBHOOK: Resource<WebhookEntity & Partial<TriedWebhook>, s.Value<typeof Webhook>> = {
  record: ({ failingSince, ...webhook }) => publishedWebhook({ ...webhook, failingSince }),
  state: webhookState,
  // It begins to fail and ends it without a date that would tell: a read by date says nothing meanwhile.
  lastModified: ({ updatedAt, failingSince }) => (failingSince === undefined ? updatedAt : undefined),
}

export const webhooks = resource('Events', [
  operation('GET /webhooks', {
    id: 'listWebhooks',
    summary: 'The webhooks, oldest first.',
    guarded: ListWebhooksUseCase,
    query: PAGING,
    answers: { 200: s.named('WebhookList', w.listOf(Webhook)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      listed(await useCases.listWebhooks.execute(query, caller), publishedWebhook),
  }),
  operation('GET /webhooks/{name}', {
    id: 'getWebhook',
    summary: 'One webhook.',
    guarded: GetWebhookUseCase,
    answers: { 200: Webhook },
    conditional: 'read',
    errors: ['WebhookNotFound'],
    handle: async ({ useCases, path, caller }) => shown(WEBHOOK, await useCases.getWebhook.execute(path, caller)),
  }),
  operation('PUT /webhooks/{name}', {
    id: 'putWebhook',
    summary:
      'Create or replace a webhook. A new one receives the events from then on, and only the answer that creates it contains its secret. One that was disabled is enabled again, and receives the events that have waited.',
    guarded: PutWebhookUseCase,
    // The secret is in the first answer alone.
    idempotent: false,
    body: WebhookForm,
    example: { url: 'https://example.com/events', types: ['subscription.confirmed'], enabled: true },
    answers: { 201: WebhookWithSecret, 204: null },
    conditional: 'write',
    handle: async ({ useCases, path, body, caller, precondition }) => {
      const command = { ...path, ...body, precondition: precondition(WEBHOOK) }
      const { webhook, secret } = await useCases.putWebhook.execute(command, caller)
      return secret === undefined
        ? DONE
        : created(`/webhooks/${webhook.name}`, { ...publishedWebhook(webhook), secret })
    },
  }),
  operation('PATCH /webhooks/{name}', {
    id: 'patchWebhook',
    summary: 'Change some fields of a webhook; what is left out stays as it is, and what is null is as for a new one.',
    guarded: PatchWebhookUseCase,
    body: WebhookPatch,
    reads: 'patch',
    example: { enabled: false },
    idempotent: true,
    answers: { 200: Webhook },
    conditional: 'write',
    errors: ['WebhookNotFound'],
    handle: async ({ useCases, path, body, caller, precondition }) =>
      shown(
        WEBHOOK,
        await useCases.patchWebhook.execute({ ...path, ...body, precondition: precondition(WEBHOOK) }, caller),
      ),
  }),
  operation('DELETE /webhooks/{name}', {
    id: 'deleteWebhook',
    summary: 'Delete a webhook and its pending events.',
    guarded: DeleteWebhookUseCase,
    answers: { 204: null },
    conditional: 'write',
    errors: ['WebhookNotFound'],
    handle: async ({ useCases, path, caller, precondition }) => {
      await useCases.deleteWebhook.execute({ ...path, precondition: precondition(WEBHOOK) }, caller)
      return DONE
    },
  }),
  operation('POST /webhooks/{name}/rotate', {
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret, which is shown only here. Each old one also signs for a day, the last nine of them.',
    guarded: RotateWebhookSecretUseCase,
    body: s.named('WebhookRotationForm', s.form({}, { revoke: s.flag('Whether old secrets stop signing at once.') })),
    bodyOptional: true,
    example: { revoke: false },
    answers: { 200: WebhookWithSecret },
    conditional: 'write',
    errors: ['WebhookNotFound'],
    handle: async ({ useCases, path, body, caller, precondition }) => {
      const command = { ...path, ...body, precondition: precondition(WEBHOOK) }
      const { webhook, secret } = await useCases.rotateWebhookSecret.execute(command, caller)
      return result({ ...publishedWebhook(webhook), secret })
    },
  }),
  operation('POST /webhooks/{name}/redeliver', {
    id: 'redeliverEvents',
    summary: 'Send events again, with their ids: those after an event, from a time on, or those given up.',
    guarded: RedeliverEventsUseCase,
    body: s.named(
      'RedeliveryForm',
      s.form(
        {},
        {
          after: s.said(w.cursor, "The 'sequence' of an event: all events after it are sent again."),
          since: s.said(w.time, 'All events from then on are sent again.'),
          parked: s.flag('Those that were given up are sent again.'),
        },
      ),
    ),
    example: { parked: true },
    answers: {
      200: s.named(
        'Redelivery',
        s.record({
          webhook: s.text(),
          after: w.textOrNull('All events after this sequence are sent again; null if none are.'),
          retried: s.said(w.count, 'How many that were given up are sent again.'),
        }),
      ),
    },
    conditional: 'write',
    errors: ['WebhookNotFound'],
    handle: async ({ useCases, path, body, caller, precondition }) =>
      result(
        publishedRedelivery(
          await useCases.redeliverEvents.execute({ ...path, ...body, precondition: precondition(WEBHOOK) }, caller),
        ),
      ),
  }),
])
