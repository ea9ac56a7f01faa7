import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'
import { httpUrl } from './every-address.ts'
import { mailFolder } from './mail-transport.ts'

/** What a newcomer needs to know; never a token. */
export interface Welcome {
  readonly url: string
  readonly data: string
  readonly mails: string
  readonly admin: string
  readonly page: string
}

/** As it is typed in this folder. If it is not installed, `npx` would fetch whatever npm has under that name. */
export const program = (): string => (existsSync('node_modules/.bin/rollcall') ? 'npx rollcall' : 'rollcall')

export const welcomeOf = (config: Config): Welcome => {
  const { HOST, PORT, DATA_DIR, SMTP_URL } = config
  const url = httpUrl(HOST, PORT)
  const files = `${path.resolve(mailFolder(config))} (as .eml files: ${program()} mail show --last; set ROLLCALL_SMTP_URL to send them)`
  return {
    url,
    data: path.resolve(DATA_DIR),
    mails: SMTP_URL === undefined ? files : `by ${new URL(SMTP_URL).host}`,
    admin:
      config.provider === undefined
        ? `${program()} token issue --subject me --role admin`
        : `a token of ${config.provider.issuer} with the role admin`,
    page: `${url}/subscribe`,
  }
}

export const welcomeText = ({ url, data, mails, admin, page }: Welcome, version: string): string =>
  `Rollcall ${version} listens on ${url}
  data   ${data} (database, secret and keys: back it up, keep it private)
  mails  ${mails}
  admin  ${admin}
  page   ${page}
  try    curl ${page} -d name=Ada -d email=ada@example.com
`
