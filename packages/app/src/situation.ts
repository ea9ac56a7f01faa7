import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Situation } from '@rollcall/cli'
import { type Config, serverOfCommands } from './config.ts'
import { databaseOf } from './database.ts'
import { lookAtServer } from './doctor/check-requests.ts'
import { mailFolder } from './mail-transport.ts'
import { trustedConfig } from './trusted-config.ts'
import { program, welcomeOf } from './welcome.ts'

/** What of a service there is in this folder. Changes nothing, and never throws: what is wrong is a part of it. */
export const situationHere = async (): Promise<Situation> => {
  const here = { folder: process.cwd(), program: program(), remote: serverOfCommands().server }
  try {
    return { ...here, found: await foundWith(trustedConfig()) }
  } catch (error) {
    return { ...here, trouble: error instanceof Error ? error.message : String(error) }
  }
}

const foundWith = async (config: Config): Promise<NonNullable<Situation['found']>> => {
  const { page } = welcomeOf(config)
  const database = databaseOf(config)
  const isMissing = config.postgresUrl === undefined && !existsSync(config.databaseFile)
  const isOld = !isMissing && (await database.pendingMigrations()).length > 0
  const server = await lookAtServer(config)
  const { SMTP_URL, provider, consoleUrl } = config
  return {
    database: config.postgresUrl === undefined ? config.databaseFile : 'PostgreSQL',
    state: isMissing ? 'missing' : isOld ? 'old' : 'ready',
    server: [server.message, server.remedy].filter((each) => each !== undefined).join(' '),
    mails: SMTP_URL === undefined ? { folder: path.resolve(mailFolder(config)) } : { relay: new URL(SMTP_URL).host },
    page,
    issuer: provider?.issuer,
    console: consoleUrl,
  }
}
