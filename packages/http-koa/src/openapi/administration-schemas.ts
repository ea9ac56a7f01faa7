import {
  arrayOf,
  consent,
  listOf,
  orNull,
  record,
  refer,
  type Schema,
  subscription,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
} from './schema.ts'

const sender = text("'News <news@example.com>', or an address alone; by default the service's own.")
const url = 'https (http only for loopback hosts), no user, no fragment, at most 2,000 characters of ASCII.'

export const ADMINISTRATION_SCHEMAS = {
  FeedForm: record(
    {
      title: { type: 'string', maxLength: 200, description: 'By default the name.' },
      description: { type: 'string', maxLength: 2_000 },
      language: textOrNull,
      sender: orNull(sender),
      wording: {
        type: ['string', 'null'],
        maxLength: 2_000,
        description:
          "What people are asked to agree to. A change is a new version; empty for the service's own; unchanged if not given.",
      },
      return_urls: { ...texts, maxItems: 10, description: `Absolute URLs: ${url} In a form: separated by spaces.` },
      confirmed_url: { ...textOrNull, description: `Where people are sent after they have confirmed. ${url}` },
      open: { type: 'boolean', description: 'Whether it accepts sign-ups; by default true.' },
    },
    ['title', 'description', 'language', 'sender', 'wording', 'return_urls', 'confirmed_url', 'open'],
  ),
  Feed: record({
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$' },
    title: text(),
    description: text(),
    language: textOrNull,
    sender: textOrNull,
    wordings: arrayOf(
      record({
        version: { type: 'integer', minimum: 1 },
        text: text("Empty if the service's own was shown again."),
        since: time,
      }),
      'Every version there was, oldest first.',
    ),
    return_urls: texts,
    confirmed_url: textOrNull,
    open: { type: 'boolean' },
    deleting_since: { ...timeOrNull, description: 'Since then it accepts no sign-ups.' },
    created_at: time,
    updated_at: time,
  }),
  FeedList: listOf('Feed'),
  Subscription: record(subscription),
  SubscriptionList: listOf('Subscription'),
  Consent: record(consent),
  ConsentList: listOf('Consent'),
  OnBehalfForm: record({
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: "Why, for the audit trail; without the owner's name and address.",
    },
  }),
  Suppression: record({
    address: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'A keyed hash.' },
    cause: { enum: ['refused', 'never-again'] },
    since: time,
  }),
  SuppressionList: listOf('Suppression'),
  Event: record({
    specversion: { const: '1.0' },
    id: text('Unique, and never changes.'),
    source: text('The public URL of this service.'),
    type: text("Such as 'subscription.confirmed'."),
    subject: text('The id of the subscription or the user.'),
    time,
    datacontenttype: { const: 'application/json' },
    sequence: text("The value of 'after' to continue behind this event; sorts alphabetically."),
    data: {
      description: 'The subject as it is now; only its id once it is erased, and in the event of its erasure.',
      anyOf: [refer('Subscription'), refer('User'), record({ id: { type: ['integer', 'string'] } })],
    },
  }),
  EventList: listOf('Event'),
} as const satisfies Record<string, Schema>
