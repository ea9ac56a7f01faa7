import type { Feed } from '@rollcall/client'
import { FeedNotFound, parseFeedName } from '@rollcall/core'
import { type Command, Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { feedTextsIn, withFeedTexts } from '../feed-texts.ts'
import { readTextFile } from '../input-file.ts'
import { lostByFeed, putting, requireSomething } from '../losses.ts'
import { collected } from '../options.ts'
import { inPath } from '../service/service.ts'
import type { Verb } from '../verb.ts'

export const feedNamed = (name: string) => ({ name: inPath(FeedNotFound, name) })

interface FieldOptions {
  readonly wording?: string
  readonly wordingFile?: string
  readonly fields?: string
  readonly eraseFields?: boolean
  readonly accent?: string
  readonly welcome?: boolean
}

const fieldOptions = (command: Command): Command =>
  withFeedTexts(command.argument('<name>', 'of the feed: a-z, 0-9 and hyphen'))
    .option('--wording <text>', "what people are asked to agree to; empty for the service's own")
    .addOption(new Option('--wording-file <file>', 'the same, read from a file').conflicts('wording'))
    .option(
      '--fields <file>',
      'what its forms ask for beside name and address: a JSON array, as `feed show --json` has it',
    )
    .option(
      '--accent <colour>',
      "of buttons and links in its mails and pages, such as #7a1f5c; empty for the service's own",
    )
    .option('--welcome', 'welcome those who have confirmed by a mail')
    .option('--no-welcome', 'send them none')
    .option('--erase-fields', 'erase the values of fields that are not declared any more; else such a field cannot go')

const wordingIn = async ({ wording, wordingFile }: FieldOptions): Promise<string | undefined> =>
  wordingFile === undefined ? wording : await readTextFile(wordingFile)

/** What forms ask for, as a file declares it; the core checks the rest. */
const fieldsIn = async ({ fields }: FieldOptions): Promise<readonly unknown[] | undefined> => {
  if (fields === undefined) return undefined
  const text = await readTextFile(fields)
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw usageError(
    `${fields} must hold a JSON array of fields, such as [{"name": "company", "type": "text", "label": {"en": "Company"}}].`,
  )
}

/** The body of a request that puts or patches a feed, and what becomes of fields that go. */
const changeOf = async (
  options: FieldOptions,
  returnUrls: readonly string[] | undefined,
  open: boolean | undefined,
) => ({
  fields: options.eraseFields ? 'erase' : undefined,
  body: {
    ...feedTextsIn(options),
    accent: options.accent,
    welcome: options.welcome,
    wording: await wordingIn(options),
    // What these must be, the service says.
    fields: (await fieldsIn(options)) as Feed['fields'] | undefined,
    return_urls: returnUrls,
    open,
  },
})

interface PutOptions extends FieldOptions {
  readonly returnUrl?: readonly string[]
  readonly closed?: boolean
  readonly yes?: boolean
}

export const feedPut: Verb = {
  name: 'put',
  summary: 'Create a feed, or replace the one with this name',
  details:
    'Replaces the whole record: what is not given again is as for a new feed, except the wording, the fields, accent, welcome, and what `feed logo` and `feed words` gave it. It says what is lost, and asks where there is a terminal. Each change of the wording is a new version, and all versions are kept. To keep the rest, use `rollcall feed set`.',
  examples: [
    'rollcall feed put news --title "The news" --description "Once a month" --language en',
    'rollcall feed put news --sender "News <news@example.com>" --wording-file consent.txt',
    'rollcall feed put news --return-url https://example.com/thanks --closed',
    'rollcall feed put news --fields fields.json',
    'rollcall feed put news --remind-after 2d',
    'rollcall feed put news --accent "#7a1f5c" --welcome',
  ],
  define: (command, session) =>
    fieldOptions(command)
      .option('--return-url <url>', 'where forms may ask to be sent back to; give again for another', collected)
      .option('--closed', 'take no sign-ups')
      .option('--yes', 'do not ask')
      .action(async (name: string, options: PutOptions, command: Command) => {
        const { returnUrl, closed = false, yes = false } = options
        const change = await changeOf(options, returnUrl, !closed)
        const { record: feed, created } = await session.withService(async (service) => {
          const named = { name: parseFeedName(name) }
          return await putting<Feed>(session, command, {
            noun: 'feed',
            id: name,
            yes,
            find: () => service.ask('getFeed', named),
            lost: (current) => lostByFeed(current, change.body),
            put: (asked) => service.answer('putFeed', { ...named, ...change }, asked),
          })
        })
        const sentence = `${created ? 'Created' : 'Replaced'} feed ${feed.name}.`
        await session.answer({ created, feed }, sentence)
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
    'rollcall feed set news --remind-after 2d',
    'rollcall feed set news --fields fields.json --erase-fields',
  ],
  define: (command, session) =>
    fieldOptions(command)
      .option('--return-url <url>', 'where forms may ask to be sent back to; give again for another', collected)
      .option('--no-return-url', 'nowhere')
      .option('--open', 'take sign-ups')
      .addOption(new Option('--closed', 'take no sign-ups').conflicts('open'))
      .action(async (name: string, options: SetOptions) => {
        requireSomething(options)
        const { returnUrl, open, closed } = options
        const change = await changeOf(options, returnUrl === false ? [] : returnUrl, closed ? false : open)
        const feed = await session.ask('patchFeed', { ...feedNamed(name), ...change })
        await session.answer(feed, `Changed feed ${feed.name}.`)
      }),
}
