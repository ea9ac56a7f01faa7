import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

export interface StoredMail {
  readonly from: string
  readonly to: string
  readonly source: string
}

export interface Postfix {
  readonly url: string
  /** Whether it offers STARTTLS. */
  readonly encrypts: boolean
  stored(): Promise<readonly StoredMail[]>
  stop(): Promise<void>
}

const execute = promisify(execFile)
// Where Debian has it, which is not on the path of an ordinary user.
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/** One of Postfix's own commands. */
export const command = (name: string): string => {
  const found = FOLDERS.map((folder) => path.join(folder, name)).find(existsSync)
  if (found !== undefined) return found
  throw new Error(
    'Mails are tested against a real Postfix, but it is not installed. Install it, it need not run: `apt-get install postfix`.',
  )
}

/** What one of its commands prints. */
export const run = async (name: string, ...args: readonly string[]): Promise<string> =>
  (await execute(command(name), args)).stdout

/** One of the programs that it is made of. */
export const daemon = async (name: string): Promise<string> =>
  path.join((await run('postconf', '-d', '-h', 'daemon_directory')).trim(), name)

/** What main.cf says however it is run, in a folder of its own: it takes mails for example.com alone. */
export const settingsOf = (folder: string): string => `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mta.example.com
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
alias_maps =
local_recipient_maps =
smtpd_relay_restrictions = reject_unauth_destination
message_size_limit = 65536
swap_bangpath = no
allow_percent_hack = no
allow_untrusted_routing = yes
virtual_mailbox_domains = example.com
virtual_mailbox_maps = static:inbox/
`
