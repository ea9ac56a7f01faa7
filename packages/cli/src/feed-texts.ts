import type { Feed } from '@rollcall/client'
import { type Command, Option } from 'commander'

/** Each setting of a feed that is a text: its member of the record, its option, and what people call it. */
const FEED_TEXTS = [
  ['title', '--title <text>', 'Title', 'what people are shown; the name if none is given'],
  ['description', '--description <text>', 'Description', 'what it is about'],
  ['language', '--language <tag>', 'Language', 'of its mails and pages, if a subscription names none'],
  ['sender', '--sender <mailbox>', 'Sender', 'who its mails come from, as in "News <news@example.com>"'],
  ['reply_to', '--reply-to <mailbox>', 'Answers to', 'where answers to its mails go (default: to the sender)'],
  ['confirmed_url', '--confirmed-url <url>', 'Confirmed URL', 'where people are sent once they have confirmed'],
  ['home_url', '--home-url <url>', 'Home URL', 'where pages lead back to: the site that the feed is of'],
  [
    'remind_after',
    '--remind-after <span>',
    'Reminder',
    'remind once those who were asked to confirm and have not: from 1h to 6d after the mail (default: never)',
  ],
] as const satisfies readonly (readonly [member: keyof Feed, flags: string, label: string, help: string])[]

export type FeedTexts = { readonly [Member in (typeof FEED_TEXTS)[number][0]]?: string | undefined }

export const withFeedTexts = (command: Command): Command =>
  FEED_TEXTS.reduce((all, [, flags, , help]) => all.option(flags, help), command)

/** What was given of them, as a request has it. */
export const feedTextsIn = (options: object): FeedTexts =>
  Object.fromEntries(
    FEED_TEXTS.map(([member, flags]) => [member, (options as never)[new Option(flags).attributeName()]]),
  )

export const feedTextRows = (feed: Feed): [label: string, text: string][] =>
  FEED_TEXTS.map(([member, , label]) => [label, feed[member] ?? ''])

/** The names of those that a feed has, and would not have any more. */
export const feedTextsLost = (feed: Feed, order: FeedTexts): readonly string[] =>
  FEED_TEXTS.filter(([member]) => {
    const isOwn = member !== 'title' || feed.title !== feed.name
    return isOwn && feed[member] && !order[member]
  }).map(([, , label]) => `the ${label.charAt(0).toLowerCase()}${label.slice(1)}`)
