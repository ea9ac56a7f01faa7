import {
  camelCased,
  DeleteFeedUseCase,
  type Feed as FeedEntity,
  FIELD_NAME,
  FIELD_TYPES,
  GetFeedUseCase,
  ListFeedsUseCase,
  LOGO_TYPES,
  PatchFeedUseCase,
  PutFeedUseCase,
  publishedFeed,
  publishedListedFeed,
  WORDS,
} from '@rollcall/core'
import type { Resource } from '../conditional-request.ts'
import { operation, resource } from '../operation/operation.ts'
import { keepOrErase, PAGING, reason } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { created, DONE, listed, shown } from './record-of.ts'

const url = 'https (http only for loopback hosts), no user, no fragment, at most 2,000 characters of ASCII.'

const byLanguage = (texts: s.Json, description?: string) =>
  s.object(
    { maxProperties: 20, propertyNames: { ...s.jsonOf(w.languageTag()), minLength: 1 }, additionalProperties: texts },
    description,
  )

const wordsOf = (text: s.Json): s.Json => ({
  type: 'object',
  properties: Object.fromEntries(WORDS.map((name) => [name, text])),
  additionalProperties: false,
})

const TEXT = s.jsonOf(s.text())
const LINES_OR_NULL = s.jsonOf(s.orNull(w.lines(2_000)))
const SPAN = { pattern: '^(?:[1-6]d|(?:[1-9][0-9]?|1[0-3][0-9]|14[0-4])h)$' }
const FOOTER = 'What stands below its mails and pages, such as an imprint: plain text by language tag.'
const WORDS_OF = 'What its mails and pages say in words of the operator: plain text by language tag and name.'
const UNCHANGED = 'Unchanged if not given. A patch changes single texts; null takes one away. In a form: as JSON.'

const FIELD_TYPE = s.oneOf(FIELD_TYPES)
const LABEL = s.said(byLanguage(s.jsonOf(w.visibleLine(200)), 'What people are asked, by language tag.'), {
  minProperties: 1,
})
const REQUIRED = s.flag('Whether a sign-up form must give it.')
const PUBLIC = s.flag('Whether the owner of an address sees and changes it.')

/** A field of a feed as it is declared. */
const DECLARED = s.form(
  { name: s.text(undefined, { pattern: FIELD_NAME.source }), type: FIELD_TYPE, label: LABEL },
  {
    required: REQUIRED,
    max: s.number('Of a text: how many characters, 200 by default. Of a number: the largest.'),
    choices: s.texts('Of a choice: its values.'),
    public: PUBLIC,
  },
)

const FeedForm = s.named(
  'FeedForm',
  s.form(
    {},
    {
      title: w.line(200, 'By default the name.'),
      description: w.line(2_000),
      language: w.languageTag('A BCP 47 language tag.'),
      sender: w.line(500, "'News <news@example.com>', or an address alone; by default the service's own."),
      reply_to: w.line(500, 'Likewise, where answers to its mails go; by default to the sender.'),
      wording: w.lines(
        2_000,
        "What people are asked to agree to. A change is a new version; empty for the service's own; unchanged if not given.",
      ),
      return_urls: s.texts(`Absolute URLs: ${url} In a form: separated by spaces.`, w.url(), { maxItems: 10 }),
      confirmed_url: w.url(`Where people are sent after they have confirmed. ${url}`),
      home_url: w.url(`Where pages lead back to: the site that the feed is of. ${url}`),
      remind_after: s.text(
        'How long after the mail that asks to confirm one reminder follows: hours or days, from 1h to 6d; by default none does.',
        SPAN,
      ),
      open: s.flag('Whether it accepts sign-ups; by default true.'),
      fields: s.list(
        DECLARED,
        'What its forms ask for beside name and address; unchanged if not given. In a form: as JSON.',
        { maxItems: 20 },
      ),
      accent: s.text(
        "The colour of buttons and links in its mails and pages; empty for the service's own; unchanged if not given.",
        { pattern: '^(?:#[0-9A-Fa-f]{6})?$' },
      ),
      footer: byLanguage(LINES_OR_NULL, `${FOOTER} ${UNCHANGED}`),
      words: byLanguage(
        { ...wordsOf(LINES_OR_NULL), type: ['object', 'null'] },
        `${WORDS_OF} The greeting and subjects are one line of at most 200 characters. ${UNCHANGED}`,
      ),
      welcome: s.flag('Whether those who have confirmed are welcomed by a mail; unchanged if not given.'),
    },
  ),
)

const FeedField = s.named(
  'FeedField',
  s.record({
    name: s.text('It is sent as `field_` and this.'),
    type: FIELD_TYPE,
    label: LABEL,
    required: REQUIRED,
    max: s.orNull(s.number('Of a text: how many characters. Of a number: the largest.')),
    choices: s.texts(),
    public: PUBLIC,
  }),
)

const always = {
  name: w.resourceName,
  title: s.text(),
  description: s.text(),
  language: w.textOrNull(),
  sender: w.textOrNull(),
  return_urls: s.texts(),
  confirmed_url: w.textOrNull(),
  home_url: w.textOrNull(),
  open: s.flag(),
  wordings: s.arrayOf(
    s.record({ version: w.positive, text: s.text("Empty if the service's own was shown again."), since: w.time }),
    'Every version there was, oldest first.',
  ),
  fields: s.arrayOf(FeedField, 'What its forms ask for beside name and address.'),
  logo: s.orNull(s.oneOf(LOGO_TYPES, 'The type of its logo, if it has one.')),
  accent: w.textOrNull('A colour as `#rrggbb`.'),
  footer: byLanguage(TEXT, FOOTER),
  words: byLanguage(wordsOf(TEXT), WORDS_OF),
  welcome: s.flag('Whether those who have confirmed are welcomed by a mail.'),
  deleting_since: w.timeOrNull('Since then it accepts no sign-ups.'),
  created_at: w.time,
  updated_at: w.time,
}
const sometimes = {
  reply_to: s.text('Where answers to its mails go, if not to the sender.'),
  remind_after: s.text('How long after the mail that asks to confirm a reminder follows, where one does.', SPAN),
}

export const Feed = s.named('Feed', s.record(always, sometimes))
const ListedFeed = s.named(
  'ListedFeed',
  s.record(
    { ...always, total: s.said(w.count, 'How many subscriptions it has: pending, confirmed and ended.') },
    sometimes,
  ),
)

const FEED: Resource<FeedEntity, s.Value<typeof Feed>> = {
  record: publishedFeed,
  lastModified: ({ updatedAt }) => updatedAt,
}

const REMOVED_FIELDS = {
  fields: keepOrErase(
    "What becomes of the values of fields that are no longer declared; with 'keep', such a field cannot go (409).",
  ),
}

export const feeds = resource('Feeds', [
  operation('GET /feeds', {
    id: 'listFeeds',
    summary: 'Feeds, oldest first.',
    guarded: ListFeedsUseCase,
    query: PAGING,
    answers: { 200: s.named('FeedList', w.listOf(ListedFeed)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      listed(await useCases.listFeeds.execute(query, caller), publishedListedFeed),
  }),
  operation('GET /feeds/{name}', {
    id: 'getFeed',
    summary: 'One feed.',
    guarded: GetFeedUseCase,
    answers: { 200: Feed },
    conditional: 'read',
    errors: ['FeedNotFound'],
    handle: async ({ useCases, path, caller }) => shown(FEED, await useCases.getFeed.execute(path, caller)),
  }),
  operation('PUT /feeds/{name}', {
    id: 'putFeed',
    summary:
      'Create or replace a feed. What is left out is as for a new one, except the wording, the fields and the face (logo, accent, footer, words and welcome): they stay.',
    guarded: PutFeedUseCase,
    query: REMOVED_FIELDS,
    body: FeedForm,
    bodyOptional: true,
    example: {
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
    answers: { 201: Feed, 204: null },
    conditional: 'write',
    errors: ['FeedInUse', 'FieldInUse'],
    handle: async ({ useCases, path, query, body, caller, precondition }) => {
      const command = { ...camelCased(body), ...path, removedFields: query.fields, precondition: precondition(FEED) }
      const { feed, created: isNew } = await useCases.putFeed.execute(command, caller)
      return isNew ? created(`/feeds/${feed.name}`, publishedFeed(feed)) : DONE
    },
  }),
  operation('PATCH /feeds/{name}', {
    id: 'patchFeed',
    summary: 'Change some fields of a feed; what is left out stays as it is, and what is null is as for a new one.',
    guarded: PatchFeedUseCase,
    query: REMOVED_FIELDS,
    body: FeedForm,
    reads: 'patch',
    example: { title: 'News', language: null, words: { en: { greeting: null } } },
    idempotent: true,
    answers: { 200: Feed },
    conditional: 'write',
    errors: ['FeedNotFound', 'FeedInUse', 'FieldInUse'],
    handle: async ({ useCases, path, query, body, caller, precondition }) => {
      const command = { ...camelCased(body), ...path, removedFields: query.fields, precondition: precondition(FEED) }
      return shown(FEED, await useCases.patchFeed.execute(command, caller))
    },
  }),
  operation('DELETE /feeds/{name}', {
    id: 'deleteFeed',
    summary:
      "Delete a feed; not 'default'. One with subscriptions takes nothing any more until all of them are erased.",
    guarded: DeleteFeedUseCase,
    query: {
      subscriptions: keepOrErase("Whether to erase its subscriptions, too; with 'keep', a feed that has any stays."),
      reason: reason('Why, for the audit trail.'),
    },
    answers: { 204: null },
    conditional: 'write',
    errors: ['FeedNotFound', 'FeedInUse'],
    // Runs to its end, whether or not the client waits for the answer.
    handle: async ({ useCases, path, query, caller, precondition }) => {
      await useCases.deleteFeed.execute({ ...path, ...query, precondition: precondition(FEED) }, caller)
      return DONE
    },
  }),
])
