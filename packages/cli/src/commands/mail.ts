import { OperatorError } from '@rollcall/platform-node'
import { type Command, Option } from 'commander'
import { ExitCode, refusedError, usageError } from '../cli-error.ts'
import type { MailFiles, WrittenMail } from '../cli-host.ts'
import { wholeNumber } from '../options.ts'
import type { Session } from '../session.ts'
import { TablePrinter } from '../table-printer.ts'
import { instantText, shortInstantText, visibleJson, visibleLines } from '../texts.ts'
import type { Verb } from '../verb.ts'

const PAGE = 100
const LINKS = ['confirm', 'refuse', 'unsubscribe', 'preferences', 'move', 'undo'] as const

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
    'is one document {"items":[...]}, an item a line. A file with the name of a mail that is something else is named ' +
    'on standard error and left out; one that cannot be read is, too, and the exit code is then 4.',
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
  const ids = limit === undefined ? await files.ids() : await newestIds(session, files, limit)
  const table = new TablePrinter(stdout, COLUMNS, { colour })
  if (json) await stdout.write('{"items":[')
  let page: WrittenMail[] = []
  let count = 0
  const print = async (): Promise<void> => {
    if (page.length === 0) return
    if (!json) await table.print(page)
    else
      await stdout.write(`${count === 0 ? '' : ','}\n${page.map((mail) => visibleJson(summaryOf(mail))).join(',\n')}`)
    count += page.length
    page = []
  }
  for await (const mail of readable(session, files, ids)) {
    // Of what the table does not show, nothing is kept.
    page.push({ ...mail, text: '', html: '' })
    if (page.length === PAGE) await print()
    if (stdout.closed) return
  }
  await print()
  if (json) await stdout.write('\n]}\n')
  else if (count === 0) await session.note(noMailIn(files))
}

/** The mails among the files with these ids. What else is among them is named, and does not end the list. */
async function* readable(session: Session, files: MailFiles, ids: readonly string[]): AsyncGenerator<WrittenMail> {
  for (const id of ids) {
    session.throwIfInterrupted()
    try {
      const mail = await mailWith(session, files, id)
      if (mail !== undefined) yield mail
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      await session.note(`warning: ${error.message}`)
      // It may be a mail, so that the list is not known to be complete.
      session.exitCode = ExitCode.unusable
    }
  }
}

/** Undefined if it was removed meanwhile, with its subscription, or is no mail. */
const mailWith = async (session: Session, files: MailFiles, id: string): Promise<WrittenMail | undefined> => {
  try {
    return await files.find(id)
  } catch (error) {
    if (!(error instanceof OperatorError) || error.name !== 'NotAMail') throw error
    await session.note(`warning: ${error.message}`)
    return undefined
  }
}

/** Oldest first. */
const newestIds = async (session: Session, files: MailFiles, limit: number): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const { id } of readable(session, files, (await files.ids()).toReversed()))
    if (found.push(id) === limit) break
  return found.reverse()
}

const noMailIn = ({ folder }: MailFiles): string =>
  `No mail has been written to a file in ${folder}. A mail is written a moment after the request that caused it. To look elsewhere, go to the folder of the service or set ROLLCALL_DATA_DIR.`

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
        if ((id === undefined) !== last) throw usageError('Give either the id of a mail or --last.')
        const mail = await findMail(session, id)
        await (link === undefined ? printMail(session, mail) : printLink(session, mail, link))
      }),
}

interface ShowOptions {
  readonly last?: boolean
  readonly link?: string
}

const findMail = async (session: Session, id: string | undefined): Promise<WrittenMail> => {
  const files = await session.host.mailFiles()
  if (id === undefined) return await newestMail(session, files)
  const mail = await files.find(id)
  if (mail !== undefined) return mail
  throw refusedError('MailNotFound', `There is no mail '${id}'. \`rollcall mail list\` shows those that there are.`)
}

const newestMail = async (session: Session, files: MailFiles): Promise<WrittenMail> => {
  for (const id of (await files.ids()).toReversed()) {
    const mail = await mailWith(session, files, id)
    if (mail !== undefined) return mail
  }
  throw refusedError('MailNotFound', noMailIn(files))
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
