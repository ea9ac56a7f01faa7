import { readFile } from 'node:fs/promises'
import type { Feed } from '@rollcall/client'
import { LARGEST_LOGO, PREVIEWED_MAILS, WORDS, type WordName, wordsIn } from '@rollcall/core'
import { type Command, Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { cannotRead } from '../input-file.ts'
import type { Session } from '../session.ts'
import { printRecord } from '../table-printer.ts'
import { visibleLines } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { WholeFile } from '../whole-file.ts'
import { feedNamed } from './feed-change.ts'

export const feedLogo: Verb = {
  name: 'logo',
  summary: 'Give a feed a logo for its mails and pages, or take it away',
  details:
    'A PNG of at most 2,000 by 2,000 pixels, or an SVG, of at most 64 KiB. What does not draw is left out; an SVG with a ' +
    'script, an event handler or a reference to something outside is refused. Mail programs show no SVG: such a logo is on ' +
    'pages alone.',
  examples: ['rollcall feed logo news logo.png', 'rollcall feed logo news --remove'],
  define: (command, session) =>
    command
      .argument('<name>', 'of the feed')
      .argument('[file]', 'a PNG or an SVG')
      .option('--remove', 'take the logo away')
      .action(async (name: string, file: string | undefined, { remove = false }: { readonly remove?: boolean }) => {
        if ((file === undefined) === !remove) throw usageError('Give either a file or --remove.')
        if (file === undefined) {
          await session.ask('deleteFeedLogo', feedNamed(name))
          return await session.answer({ name, logo: null }, `Took the logo of feed ${name} away.`)
        }
        const content = await logoIn(file)
        const named = feedNamed(name)
        const feed = await session.withService(async (service) => {
          await service.ask('putFeedLogo', { ...named, body: content as never })
          return await service.ask('getFeed', named)
        })
        await session.answer(feed, `Gave feed ${feed.name} the logo ${file}.`)
      }),
}

const logoIn = async (file: string): Promise<Uint8Array> => {
  const content = await readFile(file).catch((error: unknown) => {
    throw cannotRead(file, error)
  })
  if (content.length > LARGEST_LOGO) throw usageError(`Cannot use '${file}'. It has more than 64 KiB.`)
  return content
}

type WordOptions = Readonly<Record<string, string>> & { readonly language: string }

const optionOf = (name: string): string => `--${name.replaceAll('_', '-')}`

const DESCRIPTIONS: Readonly<Record<WordName, string>> = {
  greeting: 'the first line of every mail',
  confirmation_subject: 'subject of the mail that asks to confirm',
  confirmation_text: 'what that mail says, too, before it asks',
  welcome_subject: 'subject of the mail that welcomes',
  welcome_text: 'what that mail says',
  sign_up_text: 'what stands above the sign-up form, in place of the description',
  confirmed_text: 'what the page says once the subscription is confirmed',
}

export const feedWords: Verb = {
  name: 'words',
  summary: 'Say in words of your own what mails and pages of a feed say in one language',
  details:
    'Plain text; an empty text is as if there were none. They are shown to readers of this language alone, and others get ' +
    'the words of the service; the footer is shown to all. Without an option, the words that there are are shown.',
  examples: [
    'rollcall feed words news --greeting "Dear reader," --footer "Example Ltd, 1 Example Street"',
    'rollcall feed words news --language de --welcome-text "Die nächste Ausgabe kommt am Freitag."',
    'rollcall feed words news --greeting ""',
  ],
  define: (command, session) => {
    command.argument('<name>', 'of the feed').option('--language <tag>', 'of the words', 'en')
    for (const name of WORDS) command.option(`${optionOf(name)} <text>`, DESCRIPTIONS[name])
    command
      .option('--footer <text>', 'what stands below every mail and page, such as an imprint')
      .action(
        async (name: string, { language, footer }: WordOptions) =>
          await changeWords(session, command, name, language, footer),
      )
  },
}

const changeWords = async (
  session: Session,
  command: Command,
  name: string,
  language: string,
  footer: string | undefined,
): Promise<void> => {
  const options = command.opts<Readonly<Record<string, string | undefined>>>()
  const given = WORDS.flatMap((word): [string, string | null][] => {
    const text = options[word.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())]
    return text === undefined ? [] : [[word, text || null]]
  })
  if (given.length === 0 && footer === undefined)
    return await showWords(session, await session.ask('getFeed', feedNamed(name)), language)
  const body = {
    words: given.length === 0 ? undefined : { [language]: Object.fromEntries(given) },
    footer: footer === undefined ? undefined : { [language]: footer || null },
  }
  const feed = await session.ask('patchFeed', { ...feedNamed(name), body })
  await session.answer(feed, `Changed the words of feed ${feed.name} in ${language}.`)
}

const showWords = async (session: Session, face: Feed, language: string): Promise<void> => {
  const words = wordsIn(face as Parameters<typeof wordsIn>[0], language)
  const rows = WORDS.map((word): [string, string] => [optionOf(word).slice(2), words[word] ?? ''])
  const footer = String(face.footer[language] ?? '')
  await printRecord(session, { language, words, footer }, [['language', language], ...rows, ['footer', footer]])
}

interface PreviewOptions {
  readonly mail?: string
  readonly page?: string
  readonly language?: string
  readonly out?: string
  readonly to?: string
}

export const feedPreview: Verb = {
  name: 'preview',
  summary: 'Show a page or a mail of a feed as its readers get it, or send such a mail',
  details:
    'Links in it lead nowhere. A file whose name ends in .eml gets the mail as the message that goes over the wire, any ' +
    'other the HTML. A mail that is sent goes out at once, past the outbox, and is in the audit trail.',
  examples: [
    'rollcall feed preview news --page sign-up --out sign-up.html',
    'rollcall feed preview news --mail confirmation --language de --out confirmation.eml',
    'rollcall feed preview news --mail welcome --to me@example.com',
  ],
  define: (command, session) =>
    command
      .argument('<name>', 'of the feed')
      .addOption(new Option('--mail <kind>', 'which mail').choices(PREVIEWED_MAILS))
      .addOption(
        new Option(
          '--page <page>',
          'which page: sign-up, pending, confirm, confirmed, unsubscribe or unsubscribed',
        ).conflicts('mail'),
      )
      .option('--language <tag>', 'of the reader (default: that of the feed)')
      .option('--out <file>', 'write it to this file, which is made')
      .addOption(new Option('--to <address>', 'send the mail there').conflicts(['page', 'out']))
      .action(async (name: string, { mail, page, language, out, to }: PreviewOptions) => {
        if (mail === undefined && page === undefined)
          throw usageError('Give --mail or --page. See `rollcall feed preview --help`.')
        await session.requireForeign(out)
        if (mail !== undefined && to !== undefined) {
          await session.ask('sendPreview', { ...feedNamed(name), body: { mail, language, to } })
          return await session.answer({ feed: name, mail, to }, `Sent the ${mail} mail of feed ${name} to ${to}.`)
        }
        const message = (mail !== undefined && out?.endsWith('.eml')) || undefined
        const shown = await session.ask('previewFeed', { ...feedNamed(name), mail, page, language, message })
        if (out === undefined) {
          const { stdout } = session
          if (session.json) return await session.printJson({ feed: name, html: shown })
          return await stdout.write(stdout.width === undefined ? shown : visibleLines(shown))
        }
        const file = await WholeFile.begin(out)
        try {
          await file.write(shown)
        } finally {
          await file.finish()
        }
        await session.answer({ feed: name, file: out }, `Wrote ${out}.`)
      }),
}
