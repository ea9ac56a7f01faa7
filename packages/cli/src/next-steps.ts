/** What of a service there is in this folder. */
export interface Situation {
  readonly folder: string
  /** What is typed here for `rollcall`. */
  readonly program: string
  /** Why nothing can be said of the rest, such as a setting that is not valid. */
  readonly trouble?: string | undefined
  readonly found?: {
    readonly database: string
    readonly state: 'missing' | 'old' | 'ready'
    /** Whether a server runs, and where, or how to start one. */
    readonly server: string
    /** Where mails go. */
    readonly mails: { readonly folder: string } | { readonly relay: string }
    readonly page: string
    /** Who issues tokens, if it is not this service. */
    readonly issuer?: string | undefined
    readonly console?: string | undefined
  }
  /** Where commands are carried out instead, if the environment says so. */
  readonly remote?: string | undefined
}

/** What to do next, in at most ten lines. */
export const nextSteps = ({ folder, program, trouble, found, remote }: Situation, version: string): string => {
  const lines: [string, string][] = []
  if (remote !== undefined) lines.push(['commands', `are carried out on ${remote} (ROLLCALL_SERVER)`])
  if (trouble !== undefined) lines.push(['trouble', trouble])
  if (found !== undefined) {
    const { database, state, server, mails, page, issuer, console } = found
    lines.push(
      ['database', `${database} ${DATABASE[state]}`],
      ['server', server],
      [
        'mails',
        'folder' in mails ? `become files in ${mails.folder}: rollcall mail show --last` : `go to ${mails.relay}`,
      ],
      ['sign up', page],
      ['token', issuer === undefined ? ISSUE : `${issuer} issues them; the role admin may do everything`],
      ['console', console === undefined ? 'none; ROLLCALL_CONSOLE_PORT=9090 gives it a port' : `${console}: ${LOGIN}`],
    )
  }
  lines.push(['check', 'rollcall doctor'], ['help', 'rollcall --help; rollcall user delete --help'])
  const typed = program === 'rollcall' ? '' : `; type ${program} for rollcall`
  return [
    `Rollcall ${version} in ${folder}${typed}`,
    ...lines.map(([what, text]) => `  ${what.padEnd(8)}  ${text}`),
  ].join('\n')
}

const DATABASE = {
  missing: 'is not there yet: rollcall serve makes it',
  old: 'is of an older version: rollcall migrate',
  ready: 'is ready: rollcall user list',
} as const

const ISSUE = 'rollcall token issue --subject me --role admin'
const LOGIN = 'rollcall console login --subject me'
