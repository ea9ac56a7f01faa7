import { FIELD_TYPES, LOGO_TYPES, PREVIEWED_MAILS, WORDS } from '@rollcall/core'
import * as s from './schema.ts'

const url = 'https (http only for loopback hosts), no user, no fragment, at most 2,000 characters of ASCII.'

const FIELD_TYPE = s.oneOf(...FIELD_TYPES)
const LABEL: s.Schema = {
  type: 'object',
  minProperties: 1,
  maxProperties: 20,
  propertyNames: { ...s.languageTag(), minLength: 1 },
  additionalProperties: s.visibleLine(200),
  description: 'What people are asked, by language tag.',
}

const SPAN: s.Schema = { type: 'string', pattern: '^(?:[1-6]d|(?:[1-9][0-9]?|1[0-3][0-9]|14[0-4])h)$' }

/** Lines of plain text. */
const LINES = '^[^\\u0000-\\u0009\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$'

const byLanguage = (text: s.Schema, description: string): s.Schema => ({
  type: 'object',
  maxProperties: 20,
  propertyNames: { ...s.languageTag(), minLength: 1 },
  additionalProperties: text,
  description,
})

const wordsOf = (text: s.Schema): s.Schema => ({
  type: 'object',
  properties: Object.fromEntries(WORDS.map((name) => [name, text])),
  additionalProperties: false,
})

const FOOTER = 'What stands below its mails and pages, such as an imprint: plain text by language tag.'
const WORDS_OF = 'What its mails and pages say in words of the operator: plain text by language tag and name.'

/** A field of a feed as it is declared. */
const FIELD = s.record(
  { name: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,31}$' }, type: FIELD_TYPE, label: LABEL },
  {
    required: { ...s.flag('Whether a sign-up form must give it.'), type: ['boolean', 'null'] },
    max: {
      type: ['number', 'null'],
      description: 'Of a text: how many characters, 200 by default. Of a number: the largest.',
    },
    choices: { type: ['array', 'null'], items: { type: 'string' }, description: 'Of a choice: its values.' },
    public: { ...s.flag('Whether the owner of an address sees and changes it.'), type: ['boolean', 'null'] },
  },
)

const FEED = s.record(
  {
    name: s.resourceName,
    title: s.text(),
    description: s.text(),
    language: s.textOrNull(),
    sender: s.textOrNull(),
    wordings: s.arrayOf(
      s.record({ version: s.positive, text: s.text("Empty if the service's own was shown again."), since: s.time }),
      'Every version there was, oldest first.',
    ),
    return_urls: s.texts,
    confirmed_url: s.textOrNull(),
    home_url: s.textOrNull(),
    open: s.flag(),
    fields: s.arrayOf(s.refer('FeedField'), 'What its forms ask for beside name and address.'),
    logo: {
      ...s.oneOf(...LOGO_TYPES),
      type: ['string', 'null'],
      enum: [...LOGO_TYPES, null],
      description: 'The type of its logo, if it has one.',
    },
    accent: s.textOrNull('A colour as `#rrggbb`.'),
    footer: byLanguage(s.text(), FOOTER),
    words: byLanguage(wordsOf(s.text()), WORDS_OF),
    welcome: s.flag('Whether those who have confirmed are welcomed by a mail.'),
    deleting_since: { ...s.timeOrNull, description: 'Since then it accepts no sign-ups.' },
    created_at: s.time,
    updated_at: s.time,
  },
  {
    remind_after: {
      ...SPAN,
      description: 'How long after the mail that asks to confirm a reminder follows, where one does.',
    },
  },
)

export const FEED_SCHEMAS = {
  FeedForm: s.form(
    {},
    {
      title: s.line(200, 'By default the name.'),
      description: s.line(2_000),
      language: s.languageTag('A BCP 47 language tag.'),
      sender: s.line(500, "'News <news@example.com>', or an address alone; by default the service's own."),
      wording: {
        type: 'string',
        maxLength: 2_000,
        pattern: LINES,
        description:
          "What people are asked to agree to. A change is a new version; empty for the service's own; unchanged if not given.",
      },
      return_urls: {
        ...s.arrayOf(s.url(), `Absolute URLs: ${url} In a form: separated by spaces.`),
        maxItems: 10,
      },
      confirmed_url: s.url(`Where people are sent after they have confirmed. ${url}`),
      home_url: s.url(`Where pages lead back to: the site that the feed is of. ${url}`),
      remind_after: {
        ...SPAN,
        description:
          'How long after the mail that asks to confirm one reminder follows: hours or days, from 1h to 6d; by default none does.',
      },
      open: s.flag('Whether it accepts sign-ups; by default true.'),
      fields: {
        ...s.arrayOf(
          FIELD,
          'What its forms ask for beside name and address; unchanged if not given. In a form: as JSON.',
        ),
        maxItems: 20,
      },
      accent: {
        type: 'string',
        pattern: '^(?:#[0-9A-Fa-f]{6})?$',
        description:
          "The colour of buttons and links in its mails and pages; empty for the service's own; unchanged if not given.",
      },
      footer: byLanguage(
        { type: ['string', 'null'], maxLength: 2_000, pattern: LINES },
        `${FOOTER} Unchanged if not given. A patch changes single texts; null takes one away. In a form: as JSON.`,
      ),
      words: byLanguage(
        { ...wordsOf({ type: ['string', 'null'], maxLength: 2_000, pattern: LINES }), type: ['object', 'null'] },
        `${WORDS_OF} The greeting and subjects are one line of at most 200 characters. Unchanged if not given. A patch changes single texts; null takes one away. In a form: as JSON.`,
      ),
      welcome: s.flag('Whether those who have confirmed are welcomed by a mail; unchanged if not given.'),
    },
  ),
  Feed: FEED,
  ListedFeed: {
    ...FEED,
    properties: {
      ...FEED.properties,
      total: { ...s.count, description: 'How many subscriptions it has: pending, confirmed and ended.' },
    },
    required: [...FEED.required, 'total'],
  },
  FeedField: s.record({
    name: s.text('It is sent as `field_` and this.'),
    type: FIELD_TYPE,
    label: LABEL,
    required: s.flag('Whether a sign-up form must give it.'),
    max: { type: ['number', 'null'], description: 'Of a text: how many characters. Of a number: the largest.' },
    choices: s.texts,
    public: s.flag('Whether the owner of an address sees and changes it.'),
  }),
  FeedList: s.listOf('ListedFeed'),
  PreviewForm: s.form(
    { mail: s.oneOf(...PREVIEWED_MAILS), to: s.email },
    { language: s.languageTag('Of its reader; by default that of the feed.') },
  ),
} as const satisfies Record<string, s.Schema>
