import {
  type Feed,
  type FeedField,
  type ListedFeed,
  type LogoType,
  parseFeedName,
  parseRemindAfter,
  type Sender,
} from '@rollcall/core'
import * as v from 'valibot'
import { instant, optional, parsed, record, text, timestamps, wholeNumber } from './schema-parts.ts'

/** `News <news@example.com>`, or an address alone. */
const senderOf = (mailbox: string): Sender => {
  const [, name = '', address = mailbox] = /^(.*) <([^<>]*)>$/.exec(mailbox) ?? []
  return { name, address }
}

const texts = v.record(v.string(), v.string())

/** The members of a feed that are its face. A server of a release before has none of them. */
const face = {
  logo: optional(text<LogoType>()),
  accent: optional(text()),
  footer: v.optional(texts, {}),
  words: v.optional(v.record(v.string(), texts), {}),
  welcome: v.optional(v.boolean(), false),
}

type FlatFace = { readonly [Name in keyof typeof face]: v.InferOutput<(typeof face)[Name]> }

const members = {
  ...{ name: parsed(parseFeedName), title: text(), description: text(), language: optional(text()) },
  sender: optional(parsed(senderOf)),
  wordings: v.array(v.object({ version: wholeNumber, text: text(), since: instant })),
  ...{ return_urls: v.array(text()), confirmed_url: optional(text()), open: v.boolean() },
  home_url: optional(text()),
  remind_after: optional(parsed(parseRemindAfter)),
  fields: v.optional(v.array(v.custom<FeedField>((value) => typeof value === 'object')), []),
  ...face,
  ...{ deleting_since: optional(instant), ...timestamps },
}

const withFace = <Flat extends FlatFace>({ logo, accent, footer, words, welcome, ...feed }: Flat) => ({
  ...feed,
  face: { ...(logo && { logo }), ...(accent && { accent }), footer, words, ...(welcome && { welcome }) },
})

export const feed = v.pipe(
  record<Omit<Feed, 'face'> & FlatFace>(members),
  v.transform((flat): Feed => withFace(flat)),
)
export const listedFeed = v.pipe(
  record<Omit<ListedFeed, 'face'> & FlatFace>({ ...members, total: wholeNumber }),
  v.transform((flat): ListedFeed => withFace(flat)),
)
