import { PassThrough, Writable } from 'node:stream'
import { type CliHost, createCli } from '../../packages/cli/src/index.ts'
import { GENERATED } from './markdown.ts'

const INTRODUCTION = `\`rollcall --help\` lists the commands, and \`--help\` after a command explains it with examples. Commands work on the data folder itself, beside a running server, with the same rules and the same audit trail; the caller is \`operator:<OS user>\`. Run them in the folder of the service, or set \`ROLLCALL_DATA_DIR\`: only \`serve\` and \`migrate\` create a database. Most also work [over HTTP](../guides/work-from-another-machine.md).

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

const sectionOf = (name: string, help: string): string => {
  // What is the same for all is said once.
  const own = help.replace(/^Global Options:\n(?: .*\n)*\n/m, '').replace(/^Exit codes:(?: .*\n)(?:\S.*\n)*\n/m, '')
  return `## ${name}\n\n\`\`\`console\n${own.trim()}\n\`\`\`\n\n`
}

/** The page of every command, from what \`--help\` prints. */
export const commandLinePage = async (): Promise<string> => {
  const top = await helpOf()
  const sections: string[] = [sectionOf('rollcall', top)]
  for (const name of commandsIn(top)) {
    const help = await helpOf(name)
    const verbs = commandsIn(help)
    if (verbs.length === 0) sections.push(sectionOf(`rollcall ${name}`, help))
    for (const verb of verbs) sections.push(sectionOf(`rollcall ${name} ${verb}`, await helpOf(name, verb)))
  }
  return `# Command line\n\n${GENERATED}\n${INTRODUCTION}\n${sections.join('').trimEnd()}\n`
}
