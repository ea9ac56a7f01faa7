import { feedRecord } from '@rollcall/core'
import type { Verb } from '../verb.ts'

interface Options {
  readonly title?: string
  readonly description?: string
  readonly language?: string
}

export const feedPut: Verb = {
  name: 'put',
  summary: 'Create a feed, or replace the one with this name',
  details: 'Replaces the whole record: what is not given again is as for a new feed.',
  examples: ['rollcall feed put news --title "The news" --description "Once a month" --language en'],
  define: (command, session) => {
    command
      .argument('<name>', 'of the feed: a-z, 0-9 and hyphen')
      .option('--title <text>', 'what people are shown; the name where none is given')
      .option('--description <text>', 'what it is about')
      .option('--language <tag>', 'of its mails and pages, where a subscription names none')
      .action(async (name: string, options: Options) => {
        const { feed, created } = await session.withUseCases(({ putFeed }, caller) =>
          putFeed.execute({ ...options, name }, caller),
        )
        const sentence = `${created ? 'Created' : 'Replaced'} feed ${feed.name}.`
        await session.answer({ created, feed: feedRecord(feed) }, sentence)
      })
  },
}
