import { feedRecord } from '@rollcall/core'
import { type Command, Option } from 'commander'
import { readTextFile } from '../input-file.ts'
import { agreeToLosses, findCurrent, lostByFeed, requireSomething } from '../losses.ts'
import { collected } from '../options.ts'
import type { Verb } from '../verb.ts'

interface FieldOptions {
  readonly title?: string
  readonly description?: string
  readonly language?: string
  readonly sender?: string
  readonly wording?: string
  readonly wordingFile?: string
  readonly confirmedUrl?: string
  readonly homeUrl?: string
}

const fieldOptions = (command: Command): Command =>
  command
    .argument('<name>', 'of the feed: a-z, 0-9 and hyphen')
    .option('--title <text>', 'what people are shown; the name where none is given')
    .option('--description <text>', 'what it is about')
    .option('--language <tag>', 'of its mails and pages, where a subscription names none')
    .option('--sender <mailbox>', 'who its mails come from, as in "News <news@example.com>"')
    .option('--wording <text>', "what people are asked to agree to; empty for the service's own")
    .addOption(new Option('--wording-file <file>', 'the same, read from a file').conflicts('wording'))
    .option('--confirmed-url <url>', 'where people are sent once they have confirmed')
    .option('--home-url <url>', 'where pages lead back to: the site that the feed is of')

const wordingIn = async ({ wording, wordingFile }: FieldOptions): Promise<string | undefined> =>
  wordingFile === undefined ? wording : await readTextFile(wordingFile)

interface PutOptions extends FieldOptions {
  readonly returnUrl?: readonly string[]
  readonly closed?: boolean
  readonly yes?: boolean
}

export const feedPut: Verb = {
  name: 'put',
  summary: 'Create a feed, or replace the one with this name',
  details:
    'Replaces the whole record: what is not given again is as for a new feed. It says what is lost by that, and asks ' +
    'where there is a terminal. Only the wording stays where none is given; each change of it is a new version, and ' +
    'all versions are kept. To change one thing and keep the rest, use `rollcall feed set`.',
  examples: [
    'rollcall feed put news --title "The news" --description "Once a month" --language en',
    'rollcall feed put news --sender "News <news@example.com>" --wording-file consent.txt',
    'rollcall feed put news --return-url https://example.com/thanks --closed',
  ],
  define: (command, session) =>
    fieldOptions(command)
      .option('--return-url <url>', 'where forms may ask to be sent back to; give again for another', collected)
      .option('--closed', 'take no sign-ups')
      .option('--yes', 'do not ask')
      .action(async (name: string, options: PutOptions) => {
        const { wordingFile: _, returnUrl: returnUrls, closed = false, yes = false, ...fields } = options
        const order = { ...fields, name, wording: await wordingIn(options), returnUrls, open: !closed }
        const { feed, created } = await session.withUseCases(async ({ getFeed, putFeed }, caller) => {
          const current = await findCurrent(() => getFeed.execute({ name }, caller))
          const losses = current === undefined ? [] : lostByFeed(current, order)
          await agreeToLosses(session, { noun: 'feed', id: name, losses }, { yes })
          return await putFeed.execute(order, caller)
        })
        const sentence = `${created ? 'Created' : 'Replaced'} feed ${feed.name}.`
        await session.answer({ created, feed: feedRecord(feed) }, sentence)
      }),
}

interface SetOptions extends FieldOptions {
  readonly returnUrl?: readonly string[] | false
  readonly open?: boolean
  readonly closed?: boolean
}

export const feedSet: Verb = {
  name: 'set',
  summary: 'Change some things about a feed, and keep the rest',
  details:
    'An empty text is as for a new feed. The return URLs that are given are all that the feed has from then on; a ' +
    'change of the wording is a new version, and all versions are kept.',
  examples: [
    'rollcall feed set news --closed',
    'rollcall feed set news --title "The news" --language ""',
    'rollcall feed set news --no-return-url',
  ],
  define: (command, session) =>
    fieldOptions(command)
      .option('--return-url <url>', 'where forms may ask to be sent back to; give again for another', collected)
      .option('--no-return-url', 'nowhere')
      .option('--open', 'take sign-ups')
      .addOption(new Option('--closed', 'take no sign-ups').conflicts('open'))
      .action(async (name: string, options: SetOptions) => {
        requireSomething(options)
        const { wordingFile: _, returnUrl, open, closed, ...fields } = options
        const feed = await session.execute('patchFeed', {
          ...{ ...fields, name, wording: await wordingIn(options) },
          returnUrls: returnUrl === false ? [] : returnUrl,
          open: closed ? false : open,
        })
        await session.answer(feedRecord(feed), `Changed feed ${feed.name}.`)
      }),
}
