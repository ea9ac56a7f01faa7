import { once } from 'node:events'
import type { Feed } from '@rollcall/client'
import { shellWord } from '@rollcall/core'
import { interrupted, usageError } from '../cli-error.ts'
import { feedTextRows } from '../feed-texts.ts'
import { listVerb } from '../listing.ts'
import { fateOption } from '../options.ts'
import { progressOf } from '../progress.ts'
import { agree, requireNamedServer, requireTerminal } from '../question.ts'
import type { GivenParams, Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { printRecord } from '../table-printer.ts'
import { counted, instantText, shortInstantText, visibleLines } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { feedNamed, feedPut, feedSet } from './feed-change.ts'
import { feedLogo, feedPreview, feedWords } from './feed-face.ts'

const stateOf = ({ open, deleting_since }: Pick<Feed, 'open' | 'deleting_since'>): string => {
  if (deleting_since !== null) return 'being deleted'
  return open ? 'open' : 'closed'
}

const list = listVerb({
  summary: 'List feeds',
  examples: ['rollcall feed list', 'rollcall feed list --json'],
  page: (service, { limit, cursor }) => service.ask('listFeeds', { limit, cursor }),
  columns: [
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'TITLE', cell: ({ title }) => title },
    { head: 'LANGUAGE', cell: ({ language }) => language ?? '' },
    { head: 'STATE', cell: stateOf },
    { head: 'SUBSCRIPTIONS', cell: ({ total }) => total },
    { head: 'CREATED', cell: ({ created_at }) => shortInstantText(created_at) },
    { head: 'DESCRIPTION', cell: ({ description }) => description },
  ],
  nothing: 'There are no feeds.',
})

const show: Verb = {
  name: 'show',
  summary: 'Show a feed, and what people are asked to agree to',
  details: 'With --json, every version of the wording is there, and what an HTTP client gets.',
  examples: ['rollcall feed show news', 'rollcall feed show news --json'],
  define: (command, session) =>
    command.argument('<name>', 'of the feed').action(async (name: string) => {
      const feed = await session.ask('getFeed', feedNamed(name))
      const wording = feed.wordings.at(-1)
      const returnUrls = feed.return_urls.length === 0 ? [''] : feed.return_urls
      await printRecord(session, feed, [
        ['Name', feed.name],
        ...feedTextRows(feed),
        ...returnUrls.map((url, at): [string, string] => [at === 0 ? 'Return URLs' : '', url]),
        ...(feed.fields.length === 0 ? [] : [['Fields', feed.fields.map(fieldText).join(', ')] as [string, string]]),
        ...faceRows(feed),
        ['State', stateOf(feed)],
        ['Created', shortInstantText(feed.created_at)],
        ['Updated', shortInstantText(feed.updated_at)],
        ['Wording', wording === undefined ? "the service's own" : wordingTitle(wording)],
      ])
      if (session.json || wording === undefined) return
      await session.stdout.write(`\n${visibleLines(wording.text)}\n`)
    }),
}

/** Only what it has. */
const faceRows = (face: Feed): [string, string][] => {
  const rows: [string, string][] = [
    ['Logo', face.logo ?? ''],
    ['Accent', face.accent ?? ''],
    ['Footer', Object.keys(face.footer).join(', ')],
    ['Words', Object.keys(face.words).join(', ')],
    ['Welcome', face.welcome ? 'by a mail' : ''],
  ]
  return rows.filter(([, value]) => value !== '')
}

const fieldText = ({ name, type, required }: Feed['fields'][number]): string =>
  `${name} (${type}${required ? ', required' : ''})`

const wordingTitle = ({ version, since }: Feed['wordings'][number]): string =>
  `version ${version}, since ${shortInstantText(since)}:`

interface EmbedOptions {
  readonly language?: string
  readonly returnTo?: string
  readonly style: boolean
}

const embed: Verb = {
  name: 'embed',
  summary: 'Print the sign-up form of a feed, to put into a page of your site',
  details:
    'Plain HTML with a style, and without a script unless ROLLCALL_CHALLENGE is on. If your site has a ' +
    'Content-Security-Policy, allow the service in its form-action, and leave the style out or allow it. Make it ' +
    'again when the wording, the language or the public URL changes.',
  onlyHere: 'Making a form',
  examples: [
    'rollcall feed embed news > form.html',
    'rollcall feed embed news --language fr --return-to https://example.com/thanks --no-style',
  ],
  define: (command, session) =>
    command
      .argument('<name>', 'of the feed')
      .option('--language <tag>', 'of its texts: de, en, es, fr, or one of your own pages (default: that of the feed)')
      .option('--return-to <url>', 'where people are sent after it: one of the return URLs of the feed')
      .option('--no-style', 'as your site has its forms')
      .action(async (name: string, options: EmbedOptions) => {
        const feed = await session.here(({ getFeed }, caller) => getFeed.execute({ name }, caller))
        const { returnTo } = options
        if (returnTo !== undefined && !feed.returnUrls.includes(returnTo))
          throw usageError(
            `The feed ${feed.name} does not list '${returnTo}'. Name it and those that are to stay: rollcall feed set ${feed.name}${[...feed.returnUrls, returnTo].map((url) => ` --return-url ${shellWord(url)}`).join('')}`,
          )
        const state = stateOf({ open: feed.open, deleting_since: instantText(feed.deletingSince) ?? null })
        if (state !== 'open') await session.note(`The feed ${feed.name} is ${state}: the form is refused.`)
        const form = await session.host.embeddedForm(feed, options)
        if (session.json) return await session.printJson({ feed: feed.name, html: form })
        // A file gets every character as it is.
        await session.stdout.write(session.stdout.width === undefined ? form : visibleLines(form))
      }),
}

interface DeleteOptions {
  readonly subscriptions?: 'keep' | 'erase'
  readonly reason?: string
  readonly yes?: boolean
}

const deletion: Verb = {
  name: 'delete',
  summary: 'Delete a feed permanently',
  details:
    'A feed with subscriptions is refused, unless --subscriptions erase says that they are erased, too. Then it ' +
    'takes no new ones, and they are erased step by step. That can be stopped with Ctrl-C; the same command goes ' +
    'on.',
  examples: [
    'rollcall feed delete news',
    'rollcall feed delete news --subscriptions erase --reason "the paper closed"',
  ],
  define: (command, session) =>
    command
      .argument('<name>', 'of the feed')
      .addOption(fateOption('what becomes of its subscriptions (default: keep)'))
      .option('--reason <text>', 'why, for the audit trail')
      .option('--yes', 'do not ask')
      .action(async (name: string, { subscriptions, reason, yes = false }: DeleteOptions) => {
        if (!yes) requireTerminal(session)
        else if (subscriptions === 'erase') requireNamedServer(session)
        await session.withService(async (service) => {
          const named = feedNamed(name)
          if (!yes) {
            const { title } = await service.ask('getFeed', named)
            const fate = subscriptions === 'erase' ? 'All its subscriptions are erased, too.' : 'It must be empty.'
            await session.note(`Feed ${name}: ${title}. ${fate}`)
            await agree(session, 'Delete this feed permanently?')
          }
          const erased = await deleteFeed(session, service, { ...named, subscriptions, reason })
          const went = erased === undefined ? '' : ` ${counted(erased, 'subscription')} erased.`
          const document = { name, outcome: 'deleted', subscriptions_erased: erased ?? null }
          await session.answer(document, `Deleted feed ${name}.${went}`)
        })
      }),
}

/** Milliseconds between two looks at how many are left. */
const PACE = 1_000

/** What was begun goes on by itself, or is left as it is then. */
const stopped = async (signal: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, 'abort')
  throw interrupted('Interrupted. Run the same command again to finish.')
}

/** How many subscriptions went with it, which only the kept numbers say. */
const deleteFeed = async (
  session: Session,
  service: Service,
  order: GivenParams<'deleteFeed'>,
): Promise<number | undefined> => {
  const count = async (): Promise<number> => {
    const { pending, confirmed, ended } = (await service.ask('getStats', { feed: order.name })).subscriptions
    return pending + confirmed + ended
  }
  const before = await count().catch(() => undefined)
  const progress = progressOf(session, { doing: 'Erasing', total: before })
  const looking = setInterval(() => {
    void count().then(
      (left) => progress?.reach((before ?? left) - left),
      () => undefined,
    )
  }, PACE)
  try {
    await Promise.race([service.ask('deleteFeed', order), stopped(session.io.signal)])
    return before
  } finally {
    clearInterval(looking)
    progress?.stop()
  }
}

export const verbs: readonly Verb[] = [list, show, feedPut, feedSet, feedLogo, feedWords, feedPreview, embed, deletion]
