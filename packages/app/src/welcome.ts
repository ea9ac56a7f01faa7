import path from 'node:path'
import type { Config } from './config.ts'
import { mailFolder } from './mail-transport.ts'

/** What a newcomer needs to know; never a token. */
export const welcome = (config: Config, version: string): string => {
  const { HOST, PORT, DATA_DIR, SMTP_URL } = config
  const here = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
  const files = `${path.resolve(mailFolder(config))} (as .eml files; set ROLLCALL_SMTP_URL to send them)`
  return `Rollcall ${version} listens on ${here}
  data   ${path.resolve(DATA_DIR)} (database, secret and keys: back it up, keep it private)
  mails  ${SMTP_URL === undefined ? files : `by ${new URL(SMTP_URL).host}`}
  admin  npx rollcall token issue --subject me --role admin
  try    curl ${here}/subscribe -d name=Ada -d email=ada@example.com
`
}
