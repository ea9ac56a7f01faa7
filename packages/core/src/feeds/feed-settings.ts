import { InvalidInput } from '../errors.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { parseRemindAfter, remindAfterText, requireSendable } from '../reminders/remind-after.ts'
import { parseEmailAddress } from '../subscriptions/email-address.ts'
import { parseLocale } from '../subscriptions/locale.ts'
import { parseText } from '../text.ts'
import { parseReturnUrl, parseReturnUrls } from './return-url.ts'

export interface Sender {
  /** Shown beside the address; may be empty. */
  readonly name: string
  /** Local part as given, domain as A-labels. */
  readonly address: string
}

/** As it is given: missing or null is the default. */
type Given<T> = T | null | undefined

/** What reading the settings of a feed takes: a title is its name by default. */
interface Reading {
  readonly name: string
  readonly domainNames: DomainNames
  /** Milliseconds. */
  readonly linkLife: number
}

const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 2_000

/**
 * What is said of a feed, and stays until it is said otherwise: how each is read. Commands, entities and records have what
 * is here, and stores keep it.
 */
const READERS = {
  /** What people are shown. */
  title: (text: Given<string>, { name }: Reading): string => parseText('title', text || name, LONGEST_TITLE),
  description: (text: Given<string>): string => parseText('description', text ?? '', LONGEST_DESCRIPTION),
  /** The language of mails and pages for subscriptions without one. */
  language: (tag: Given<string>) => parseLocale(tag ?? undefined, 'language'),
  /** `News <news@example.com>`, or an address alone; by default the service's own. */
  sender: (text: Given<string>, { domainNames }: Reading) => parseMailbox(text ?? undefined, domainNames, 'sender'),
  /** Likewise: where answers to its mails go, if not to the sender. */
  replyTo: (text: Given<string>, { domainNames }: Reading) => parseMailbox(text ?? undefined, domainNames, 'reply_to'),
  /** Where a sign-up form may ask to be sent back to; exactly these. */
  returnUrls: (urls: Given<readonly string[]>, { domainNames }: Reading): readonly string[] =>
    parseReturnUrls(urls ?? [], domainNames, 'return_urls'),
  /** Where people are sent after they have confirmed on the page. */
  confirmedUrl: (url: Given<string>, { domainNames }: Reading) => parseUrl('confirmed_url', url, domainNames),
  /** Where pages lead back to: the site that the feed is of. */
  homeUrl: (url: Given<string>, { domainNames }: Reading) => parseUrl('home_url', url, domainNames),
  /** How long after the mail that asks to confirm a reminder follows, once, such as `2d`; by default none does. */
  remindAfter: (text: Given<string>, { linkLife }: Reading) =>
    requireSendable(parseRemindAfter(text ?? undefined), linkLife),
  /** Whether it accepts sign-ups; by default true. Pending subscriptions may still be confirmed. */
  open: (open: Given<boolean>): boolean => open ?? true,
}

type Readers = typeof READERS
type Setting<Name extends keyof Readers> = ReturnType<Readers[Name]>
type Defaulting = { [Name in keyof Readers]: undefined extends Setting<Name> ? Name : never }[keyof Readers]

/** The settings of a feed; a time is in milliseconds. */
export type FeedSettings = { readonly [Name in Exclude<keyof Readers, Defaulting>]: Setting<Name> } & {
  readonly [Name in Defaulting]?: Setting<Name>
}

/** The same, as a caller gives them. */
export type GivenSettings = {
  readonly [Name in keyof Readers]?: Exclude<Parameters<Readers[Name]>[0], null>
}

type Settings = { readonly [Name in keyof Readers]: Setting<Name> }

/** What becomes of each setting that is given, null included. */
export const settingReaders = (reading: Reading) =>
  Object.fromEntries(Object.entries(READERS).map(([name, read]) => [name, (value: never) => read(value, reading)])) as {
    readonly [Name in keyof Readers]: (value: Parameters<Readers[Name]>[0]) => Setting<Name>
  }

/** The same for all of them, as `readAll` takes it. */
export const settingsOf = (given: GivenSettings, reading: Reading) =>
  Object.fromEntries(
    Object.entries(READERS).map(([name, read]) => [name, () => read(given[name as keyof Readers] as never, reading)]),
  ) as { readonly [Name in keyof Settings]: () => Settings[Name] }

export const publishedSettings = (feed: FeedSettings) => ({
  title: feed.title,
  description: feed.description,
  language: feed.language ?? null,
  sender: feed.sender === undefined ? null : mailbox(feed.sender),
  return_urls: feed.returnUrls,
  confirmed_url: feed.confirmedUrl ?? null,
  home_url: feed.homeUrl ?? null,
  ...(feed.replyTo !== undefined && { reply_to: mailbox(feed.replyTo) }),
  ...(feed.remindAfter !== undefined && { remind_after: remindAfterText(feed.remindAfter) }),
  open: feed.open,
})

const mailbox = ({ name, address }: Sender): string => (name === '' ? address : `${name} <${address}>`)

const parseUrl = (field: string, url: Given<string>, domainNames: DomainNames): string | undefined =>
  url ? parseReturnUrl(url, domainNames, field) : undefined

const LONGEST_MAILBOX = 500
const MAILBOX = /^([^<>"]*)<([^<>"]*)>$/

/**
 * A mailbox, as `News <news@example.com>` or an address alone; undefined if not given.
 * @throws {InvalidInput} it is neither, or has a character that mail programs misread
 */
const parseMailbox = (text: string | undefined, domainNames: DomainNames, field: string): Sender | undefined => {
  if (text === undefined || text === '') return undefined
  const [, name = '', mailbox = text] = MAILBOX.exec(parseText(field, text, LONGEST_MAILBOX).trim()) ?? []
  const message = 'Give an address such as News <news@example.com>, without quotation marks.'
  if (/[<>"]/.test(mailbox)) throw new InvalidInput([{ field, message }])
  const { value } = parseEmailAddress(mailbox, domainNames, field)
  return { name: name.trim(), address: value }
}
