import { type Command, Option } from 'commander'
import { refusedError, usageError } from '../cli-error.ts'
import type { MailFiles, WrittenMail } from '../cli-host.ts'
import { wholeNumber } from '../options.ts'
import type { Session } from '../session.ts'
import { TablePrinter } from '../table-printer.ts'
import { instantText, shortInstantText, visibleJson, visibleLines } from '../texts.ts'
import type { Verb } from '../verb.ts'

const PAGE = 100
const LINKS = ['confirm', 'refuse', 'unsubscribe', 'preferences'] as const

const COLUMNS = [
  { head: 'ID', cell: ({ id }: WrittenMail) => id },
  { head: 'WRITTEN', cell: ({ at }: WrittenMail) => shortInstantText(at) },
  { head: 'TO', cell: ({ to }: WrittenMail) => to },
  { head: 'SUBJECT', cell: ({ subject }: WrittenMail) => subject },
]

const summaryOf = ({ id, file, at, from, to, subject, links }: WrittenMail) => ({
  id,
  file,
  written_at: instantText(at),
  from,
  to,
  subject,
  links: links.map(({ name, url }) => ({ name: name ?? null, url })),
})

const list: Verb = {
  name: 'list',
  summary: 'List the mails that were written to files',
  details:
    'Oldest first. Without ROLLCALL_SMTP_URL, mails are files in the folder `mail` of the data folder. With --json it ' +
    'is one document {"items":[...]}, an item a line.',
  onlyHere: 'Listing mails',
  examples: ['rollcall mail list', 'rollcall mail list --limit 10', 'rollcall mail list --json'],
  define: (command, session) =>
    command
      .option('--limit <number>', 'only so many, the newest', wholeNumber(1))
      .action(async ({ limit }: { readonly limit?: number }) => await printList(session, limit)),
}

const printList = async (session: Session, limit?: number): Promise<void> => {
  const { json, stdout, colour } = session
  const files = await session.host.mailFiles()
  const ids = (await files.ids()).slice(limit === undefined ? 0 : -limit)
  const table = new TablePrinter(stdout, COLUMNS, { colour })
  if (json) await stdout.write('{"items":[')
  else if (ids.length === 0) await session.note(NONE)
  let separator = '\n'
  for (let at = 0; at < ids.length && !stdout.closed; at += PAGE) {
    session.throwIfInterrupted()
    const page = await Promise.all(ids.slice(at, at + PAGE).map((id) => files.find(id)))
    // One may have been removed meanwhile, with its subscription.
    const mails = page.filter((mail) => mail !== undefined)
    if (mails.length === 0) continue
    if (!json) await table.print(mails)
    else await stdout.write(separator + mails.map((mail) => visibleJson(summaryOf(mail))).join(',\n'))
    separator = ',\n'
  }
  if (json) await stdout.write('\n]}\n')
}

const NONE = 'No mail has been written to a file. A mail is written a moment after the request that caused it.'

const show: Verb = {
  name: 'show',
  summary: 'Show a mail that was written to a file',
  details: 'Its text, decoded, with whole links. --link prints one link and nothing else, for another command to use.',
  onlyHere: 'Showing a mail',
  examples: [
    'rollcall mail show --last',
    'rollcall mail show --last --link confirm',
    'rollcall mail show 21oz0ch67cg.5d3a60fc3f2c2f2b9c1e77d0 --json',
  ],
  define: (command: Command, session: Session) =>
    command
      .argument('[id]', 'as `rollcall mail list` shows it')
      .option('--last', 'the newest mail')
      .addOption(new Option('--link <name>', 'print this link alone').choices([...LINKS]))
      .action(async (id: string | undefined, { last = false, link }: ShowOptions) => {
        if ((id === undefined) !== last) throw usageError('Give the id of a mail, or --last, not both.')
        const mail = await findMail(await session.host.mailFiles(), id)
        await (link === undefined ? printMail(session, mail) : printLink(session, mail, link))
      }),
}

interface ShowOptions {
  readonly last?: boolean
  readonly link?: string
}

/** @param id the newest where it is left out */
const findMail = async (files: MailFiles, id: string | undefined): Promise<WrittenMail> => {
  const wanted = id ?? (await files.ids()).at(-1)
  if (wanted === undefined) throw refusedError('MailNotFound', NONE)
  const mail = await files.find(wanted)
  if (mail !== undefined) return mail
  throw refusedError('MailNotFound', `There is no mail '${wanted}'. \`rollcall mail list\` shows those that there are.`)
}

const printMail = async (session: Session, mail: WrittenMail): Promise<void> => {
  const { from, to, subject, file, at, text, html } = mail
  if (session.json) return await session.printJson({ ...summaryOf(mail), text, html })
  const headers = { File: file, Written: shortInstantText(at), From: from, To: to, Subject: subject }
  for (const [name, value] of Object.entries(headers)) await session.say(`${name}: ${value}`)
  // Never wrapped: a link that is broken over lines cannot be followed.
  await session.stdout.write(`\n${visibleLines(text.trimEnd())}\n`)
  const beside = mail.links.filter(({ url }) => !text.includes(url))
  if (beside.length > 0) await session.stdout.write('\n')
  for (const { name, url } of beside) await session.say(`${name ?? 'link'}: ${url}`)
}

const printLink = async (session: Session, { id, links }: WrittenMail, wanted: string): Promise<void> => {
  const url = links.find(({ name }) => name === wanted)?.url
  if (url !== undefined) return await session.answer({ name: wanted, url }, url)
  const there = links.flatMap(({ name }) => name ?? [])
  throw refusedError('LinkNotFound', `The mail '${id}' has no link to ${wanted}. It has: ${there.join(', ')}.`)
}

export const verbs: readonly Verb[] = [list, show]
