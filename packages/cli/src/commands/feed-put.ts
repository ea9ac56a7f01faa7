import { feedRecord } from '@rollcall/core'
import { Option } from 'commander'
import { collected } from '../option-values.ts'
import { readTextFile } from '../read-text-file.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly title?: string
  readonly description?: string
  readonly language?: string
  readonly sender?: string
  readonly wording?: string
  readonly wordingFile?: string
  readonly returnUrl?: readonly string[]
  readonly confirmedUrl?: string
  readonly closed?: boolean
}

const RULES =
  'Replaces the whole record: what is not given again is as for a new feed. Only the wording stays where none is ' +
  'given; each change of it is a new version, and all versions are kept.'

export const feedPut: Verb = {
  name: 'put',
  summary: 'Create a feed, or replace the one with this name',
  details: RULES,
  examples: [
    'rollcall feed put news --title "The news" --description "Once a month" --language en',
    'rollcall feed put news --sender "News <news@example.com>" --wording-file consent.txt',
    'rollcall feed put news --return-url https://example.com/thanks --closed',
  ],
  define: (command, session) => {
    command
      .argument('<name>', 'of the feed: a-z, 0-9 and hyphen')
      .option('--title <text>', 'what people are shown; the name where none is given')
      .option('--description <text>', 'what it is about')
      .option('--language <tag>', 'of its mails and pages, where a subscription names none')
      .option('--sender <mailbox>', 'who its mails come from, as in "News <news@example.com>"')
      .option('--wording <text>', "what people are asked to agree to; empty for the service's own")
      .addOption(new Option('--wording-file <file>', 'the same, read from a file').conflicts('wording'))
      .option('--return-url <url>', 'where forms may ask to be sent back to; give again for another', collected)
      .option('--confirmed-url <url>', 'where people are sent once they have confirmed')
      .option('--closed', 'take no sign-ups')
      .action(async (name: string, options: Options) => {
        const { wordingFile, returnUrl: returnUrls, closed = false, ...fields } = options
        const wording = wordingFile === undefined ? fields.wording : await readTextFile(wordingFile)
        const { feed, created } = await session.withUseCases(({ putFeed }, caller) =>
          putFeed.execute({ ...fields, name, wording, returnUrls, open: !closed }, caller),
        )
        const sentence = `${created ? 'Created' : 'Replaced'} feed ${feed.name}.`
        await session.answer({ created, feed: feedRecord(feed) }, sentence)
      })
  },
}
