import { PassThrough, Writable } from 'node:stream'
import { type CliHost, createCli } from '../../packages/cli/src/index.ts'
import { code, GENERATED } from './markdown.ts'

const INTRODUCTION = `\`rollcall --help\` lists the commands, and \`--help\` after a command explains it with examples. Commands work on the data folder itself, beside a running server, with the same rules and the same audit trail; the caller is \`operator:<OS user>\`. Run them in the folder of the service, or set \`ROLLCALL_DATA_DIR\`: only \`serve\` and \`migrate\` create a database. Most also work [over HTTP](../guides/work-from-another-machine.md). A verb has other names, too: \`ls\` is \`list\`, \`get\` is \`show\`, \`add\` and \`create\` are \`put\` or \`issue\`, \`rm\` and \`remove\` are \`delete\`.

## Exit codes

| exit code | means |
| --- | --- |
| 0 | done |
| 1 | unexpected: a defect, please report it |
| 2 | the command was not understood, or a value is not valid |
| 3 | refused, not found, or a check failed; in bulk: some were |
| 4 | configuration or storage not usable; or a report, a plan or the answer could not be written |
| 130 | interrupted |

No command overwrites the service's own [files](files.md), by whatever path: it exits with 2 before it does anything.

## Lists

Lists print everything, oldest first unless sorted otherwise. \`--limit <number>\` prints at most so many, and \`--after <cursor>\` goes on where a list ended that was limited. With \`--json\` a list is one document \`{"items":[...],"next":...}\`, an item a line; \`next\` is null at the end, else what \`--after\` takes to go on.

## Over HTTP

\`--server\`, \`--token-file\`, \`--token\` and \`--json\` may stand anywhere on the line. \`--server\` may have a path, where a proxy puts the service below one.

- When a server is busy (429, 503), the command tries again at the time that the server names, for up to three minutes.
- After a lost connection it repeats only requests that are safe to repeat. A deletion whose answer was lost is looked up in the receipt, and counts as done where it was done by this command.
- When the server sends nothing, a read is tried twice for 30 seconds each, and a change up to three times for a minute each. An export that stalls for a minute is aborted.
- Redirects are not followed, and the token goes nowhere else.
`

/** Help needs nothing of a host but the version. */
const HOST = { version: '', remoteDefaults: () => ({}) } as unknown as CliHost

const helpOf = async (...words: readonly string[]): Promise<string> => {
  let text = ''
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk)
      done()
    },
  })
  const run = createCli(HOST)
  const signal = new AbortController().signal
  const code = await run([...words, '--help'], {
    ...{ stdin: new PassThrough(), stdout, stderr: stdout, noColor: true, interactive: false, signal },
  } as unknown as Parameters<typeof run>[1])
  if (code !== 0) throw new Error(`rollcall ${words.join(' ')} --help: ${text}`)
  return text
}

const commandsIn = (help: string): string[] => {
  const [, list = ''] = /^Commands:\n((?: .*\n|\n(?= ))*)/m.exec(help) ?? []
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
}

interface CommandHelp {
  readonly name: string
  readonly help: string
}

/** The options of a help, each with the lines that it goes on in. */
const optionsIn = (help: string): string[] => {
  const [, list = ''] = /^Options:\n((?: .*\n)*)/m.exec(help) ?? []
  return (list.match(/^ {2}-.*\n(?: {3,}.*\n)*/gm) ?? []).filter((option) => !OF_ALL.test(option))
}

/** Of every command, or of every list. */
const OF_ALL = /^ {2}(?:-h, --help|--limit <number> +print|--after <cursor>) /

const flagOf = (option: string): string => /--[a-z-]+/.exec(option)?.[0] ?? ''
const wordsOf = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** So many are as good as a link to where they are explained. */
const FEW = 2

/** Options that an earlier command explains in the same words, by the first that has all of them. */
const explainedBefore = (options: readonly string[], before: readonly CommandHelp[]) => {
  const all = before.map(({ name, help }) => {
    const known = new Set(optionsIn(help).map(wordsOf))
    return { name, options: options.filter((option) => known.has(wordsOf(option))) }
  })
  const [best] = all.toSorted((one, other) => other.options.length - one.options.length)
  return best !== undefined && best.options.length >= FEW ? best : undefined
}

/** What is the same for all commands, or is on the page elsewhere. */
const REPEATED = [
  /^Global Options:\n(?: .*\n)*\n/m,
  /^Exit codes:(?: .*\n)(?:\S.*\n)*\n/m,
  /^Runs on the machine of the service only:.*\n\n?/m,
  /^Examples:\n(?: .*\n)*/m,
  // The heading says as much; what else a verb may be called is said once.
  /^Usage: rollcall [a-z -]+(?:\|[a-z]+)? \[options\]\n\n/,
  /^Commands:\n(?: .*\n)*/m,
  // The page about files says so.
  /^A file that is named with --output appears .*\n.*can read it\.\n\n/m,
  // The usage says as much.
  /^Arguments:\n(?: {2}\S+ +of the \w+\n)+\n/m,
  /^ {2}-h, --help .*\n/m,
  /^Prints everything, oldest first(?:.*\n)+?.*to go on\.\n/m,
  /^ {2}--limit <number> +print at most so many\n/m,
  /^ {2}--after <cursor> +go on where a list ended that was limited\n/m,
]

const sectionOf = ({ name, help }: CommandHelp, before: readonly CommandHelp[]): string => {
  const known = explainedBefore(optionsIn(help), before)
  const texts = known === undefined ? [] : known.options
  const bare = [...REPEATED, ...texts].reduce<string>((text, part) => text.replace(part, ''), `${help.trim()}\n`)
  const own = bare
    // Without what the heading, the introduction and the list of options say.
    .replace(/^Usage: (rollcall [a-z -]+)(?:\|[a-z]+)? \[options\](?= [<[])/, '$1')
    .replace(/^Options:\n(?! )/m, '')
    .replaceAll(/\s+\(default: \[\]\)/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  const others =
    known &&
    `Also, as [${known.name}](#${known.name.replaceAll(' ', '-')}): ${known.options.map(flagOf).map(code).join(', ')}.\n\n`
  return `## ${name}\n\n\`\`\`console\n${own}\n\`\`\`\n\n${others ?? ''}`
}

/** The page of every command, from what \`--help\` prints. */
export const commandLinePage = async (): Promise<string> => {
  const top = await helpOf()
  const all: CommandHelp[] = []
  for (const name of commandsIn(top)) {
    const help = await helpOf(name)
    const verbs = commandsIn(help)
    if (verbs.length === 0) all.push({ name: `rollcall ${name}`, help })
    for (const verb of verbs) all.push({ name: `rollcall ${name} ${verb}`, help: await helpOf(name, verb) })
  }
  const sections = all.map((one, index) => sectionOf(one, all.slice(0, index)))
  const here = all
    .filter(({ help }) => help.includes('Runs on the machine of the service only'))
    .map(({ name }) => code(name.slice('rollcall '.length)))
  return `# Command line\n\n${GENERATED}\n${INTRODUCTION}- These run on the machine of the service only: ${here.join(', ')}.\n\n${sectionOf({ name: 'rollcall', help: top }, [])}${sections.join('').trimEnd()}\n`
}
