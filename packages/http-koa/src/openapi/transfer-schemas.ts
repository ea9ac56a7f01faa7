import {
  arrayOf,
  consent,
  email,
  personName,
  record,
  refer,
  type Schema,
  subscription,
  text,
  textOrNull,
  timeOrNull,
} from './schema.ts'

const count: Schema = { type: 'integer', minimum: 0 }
const when = { ...timeOrNull, description: 'RFC 3339, or a date; UTC without an offset.' }
const wordingText = text('What the wording said, where it was the feed’s own.')

export const TRANSFER_SCHEMAS = {
  ConsentEvidence: record({ ...consent, wording_text: wordingText }, ['wording_text']),
  ExportedSubscription: record({ ...subscription, consent: arrayOf(refer('ConsentEvidence'), 'Oldest first.') }),
  ImportRow: record(
    {
      email,
      name: { ...personName, type: ['string', 'null'] },
      feed: { ...textOrNull, description: "'default' where none is given." },
      locale: textOrNull,
      status: {
        enum: ['pending', 'confirmed', 'ended', null],
        description: "'confirmed' only with 'confirmed_at' and 'consent', else pending.",
      },
      created_at: when,
      confirmed_at: when,
      ended_at: when,
      consent: {
        description: 'How consent was given: in words, or the entries of an export.',
        oneOf: [textOrNull, arrayOf(refer('ConsentEvidence'))],
      },
    },
    ['name', 'feed', 'locale', 'status', 'created_at', 'confirmed_at', 'ended_at', 'consent'],
  ),
  RefusedRow: record(
    {
      line: { type: 'integer', minimum: 1, description: 'The line of the file that the row begins in.' },
      error: { enum: ['FeedNotFound', 'InvalidInput', 'MalformedRow', 'Suppressed'] },
      message: text('What to do about it.'),
      details: arrayOf(record({ field: text(), message: text() })),
    },
    ['details'],
  ),
  ImportSummary: record({
    rows: count,
    imported: count,
    unchanged: { ...count, description: 'Were there already, and stay as they are.' },
    refused: count,
    confirmed: count,
    pending: count,
    ended: count,
    interrupted: { type: 'boolean' },
  }),
  ImportReportLine: { oneOf: [refer('RefusedRow'), refer('ImportSummary'), refer('Error')] },
} as const satisfies Record<string, Schema>
