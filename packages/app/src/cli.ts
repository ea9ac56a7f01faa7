import { userInfo } from 'node:os'
import manifest from '@rollcall/app/package.json' with { type: 'json' }
import { type CliHost, createCli, ExitCode, type ServeOptions } from '@rollcall/cli'
import { operator } from '@rollcall/core'
import { type Config, isDumbTerminal, noColorWanted, serverOfCommands, startedByNpm } from './config.ts'
import { databaseOf } from './database.ts'
import { interruption } from './interruption.ts'
import { createLog, logFormat } from './log.ts'
import { makeDataDir } from './secret.ts'
import { StartupError } from './startup-error.ts'
import { trustedConfig, trustedSettings } from './trusted-config.ts'

const configFor = ({ port, json }: ServeOptions): Config =>
  trustedSettings({
    ...(port === undefined ? {} : { ROLLCALL_PORT: String(port) }),
    ...(json ? { ROLLCALL_LOG_FORMAT: 'json' } : {}),
  })

// What a command needs is loaded when it runs: most need neither a server nor a database.
const host: CliHost = {
  version: manifest.version,
  operator: () => operator(operatorName()),
  situation: async () => await (await import('./situation.ts')).situationHere(),
  remoteDefaults: serverOfCommands,
  open: async () => await (await import('./commands.ts')).openForCommands(trustedConfig(), operator(operatorName())),
  migrate: async (patience) => {
    const config = trustedConfig()
    makeDataDir(config.DATA_DIR)
    return await databaseOf(config).migrate(patience)
  },
  pendingMigrations: async () => await databaseOf(trustedConfig()).pendingMigrations(),
  consoleUrl: () => consoleUrlOf(trustedConfig()),
  embeddedForm: async (feed, options) =>
    await (await import('./embedded-form.ts')).formOfService(trustedConfig(), feed, options),
  mailFiles: async () => await (await import('./written-mails.ts')).writtenMails(trustedConfig()),
  serve: (options, signal) => serveUntil(options, signal),
  keeps: async (file) => (await import('./own-files.ts')).isOwnFile(file),
  migrateData: async (order, options) => await (await import('./migrate-data.ts')).migrateBetween(order, options),
  backUp: async (order, options) => await (await import('./backup/back-up.ts')).backUp(order, options),
  verifyBackup: async (order) => await (await import('@rollcall/storage-sql/sqlite')).verifyBackup(order),
  restore: async (order, agree) =>
    await (await import('./backup/restore.ts')).restore(order, agree, operator(operatorName())),
  async *diagnose(options) {
    yield* (await import('./doctor/diagnose.ts')).diagnose(options)
  },
}

const serveUntil = async (options: ServeOptions, signal: AbortSignal): Promise<number> => {
  const config = configFor(options)
  const [log, { serve }, welcome] = await Promise.all([createLog(config), import('./serve.ts'), import('./welcome.ts')])
  const onReady = async () => {
    const facts = welcome.welcomeOf(config)
    if (logFormat(config.LOG_FORMAT) === 'json') log.info(facts, `Rollcall ${manifest.version} listens`)
    else process.stdout.write(welcome.welcomeText(facts, manifest.version))
    if (!options.open) return
    const { default: openPage } = await import('open')
    const noBrowser = (error: unknown) => log.warn({ err: error }, `no browser could be started: open ${facts.page}`)
    await openPage(facts.page).catch(noBrowser)
  }
  await serve(config, log, signal, onReady).finally(() => log.flush())
  return ExitCode.done
}

const consoleUrlOf = ({ consoleUrl }: Config): string => {
  if (consoleUrl !== undefined) return consoleUrl
  throw new StartupError('There is no console. Set ROLLCALL_CONSOLE_PORT, and start the service again.')
}

/** The name of the OS user, for the audit trail; in a container it may have none but its number. */
const operatorName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}

/** Runs one command line of this process; the exit code. */
export const runCli = async (argv: readonly string[]): Promise<number> => {
  const { stdin, stdout, stderr } = process
  const run = createCli(host)
  return await run(argv, {
    stdin,
    stdout,
    stderr,
    noColor: noColorWanted(),
    dumb: isDumbTerminal(),
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    signal: interruption({ underNpm: startedByNpm() }),
  })
}
