import type { SchemaName } from './schemas.ts'

const REASON = 'asked for on the telephone'

/** A body that the service accepts, for each form. */
export const FORM_EXAMPLES: Readonly<Partial<Record<SchemaName, Readonly<Record<string, unknown>>>>> = {
  SubscribeForm: { email: 'jane@example.com', name: 'Jane Doe', feed: 'default', locale: 'en' },
  ConfirmationForm: { feeds: ['default'] },
  PreferencesRequestForm: { email: 'jane@example.com', locale: 'en' },
  PreferencesForm: { action: 'end-all' },
  MoveForm: { email: 'jane.doe@example.com' },
  UserForm: { email: 'jane.doe@example.com', name: 'Jane Doe', roles: ['auditor'] },
  ReasonForm: { reason: REASON },
  FeedForm: {
    title: 'News',
    description: 'What is new, once a month',
    language: 'en',
    sender: 'News <news@example.com>',
    return_urls: ['https://example.com/thanks'],
    confirmed_url: 'https://example.com/welcome',
    home_url: 'https://example.com/',
    remind_after: '2d',
    open: true,
    fields: [
      { name: 'company', type: 'text', label: { en: 'Company', de: 'Firma' }, required: true, max: 100 },
      { name: 'topic', type: 'choice', label: { en: 'Topic' }, choices: ['Music', 'Theatre'], public: true },
    ],
    accent: '#7a1f5c',
    footer: { en: 'Example Ltd, 1 Example Street, Exampleton' },
    words: { en: { greeting: 'Dear reader,', welcome_text: 'The next issue comes on Friday.' } },
    welcome: true,
  },
  PreviewForm: { mail: 'confirmation', to: 'jane@example.com', language: 'de' },
  OnBehalfForm: { reason: REASON },
  WebhookForm: { url: 'https://example.com/events', types: ['subscription.confirmed'], enabled: true },
  WebhookRotationForm: { revoke: false },
  RedeliveryForm: { parked: true },
}

/** The same for the bodies of PATCH. */
export const PATCH_EXAMPLES: typeof FORM_EXAMPLES = {
  UserPatch: { name: 'Jane Smith' },
  FeedForm: { title: 'News', language: null, words: { en: { greeting: null } } },
  WebhookPatch: { enabled: false },
}

/** The same for bodies that are JSON alone. */
export const JSON_EXAMPLES: typeof FORM_EXAMPLES = {
  FeedbackReport: {
    items: [
      {
        kind: 'bounce',
        subscription: 8127340912345678,
        permanent: true,
        status: '5.1.1',
        provider_id: '0102018c-3f2e',
      },
    ],
  },
  FeedbackDecision: { ids: [17] },
  BulkForm: { users: [{ id: 'jane' }], dry_run: true },
  RecipientsCheck: { ids: [8127340912345678] },
  SuppressionsCheck: { addresses: ['jane@example.com'] },
}
