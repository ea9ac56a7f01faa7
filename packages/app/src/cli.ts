import { type CliHost, createCli } from '@rollcall/cli'
import { operator } from '@rollcall/core'
import manifest from '../package.json' with { type: 'json' }
import { type Config, readConfig, readEnvironment } from './config.ts'
import { interruption } from './interruption.ts'
import { createLog } from './log.ts'
import { operatorName } from './operator-name.ts'
import { makeDataDir } from './secret.ts'

const configFor = (port: number | undefined): Config => {
  const environment = readEnvironment()
  return readConfig(port === undefined ? environment : { ...environment, ROLLCALL_PORT: String(port) })
}

// What a command needs is loaded when it runs: most need neither a server nor a database.
const host: CliHost = {
  version: manifest.version,
  operator: () => operator(operatorName()),
  useCases: async () => {
    const { openForCommands } = await import('./commands.ts')
    return await openForCommands(readConfig())
  },
  migrate: async () => {
    const { DATA_DIR, databaseFile } = readConfig()
    makeDataDir(DATA_DIR)
    const { migrateSqlite } = await import('@rollcall/storage-sql/sqlite')
    return await migrateSqlite(databaseFile)
  },
  pendingMigrations: async () => {
    const { pendingMigrations } = await import('@rollcall/storage-sql/sqlite')
    return await pendingMigrations(readConfig().databaseFile)
  },
  serve: async ({ port, open }, signal) => {
    const config = configFor(port)
    const log = await createLog(config)
    const [{ serve }, { welcome }] = await Promise.all([import('./serve.ts'), import('./welcome.ts')])
    await serve(config, log, signal, async () => {
      process.stdout.write(welcome(config, manifest.version))
      if (open) await (await import('open')).default(`${config.publicUrl}/subscribe`)
    })
    return 0
  },
}

/** Runs one command line of this process; the exit code. */
export const runCli = async (argv: readonly string[]): Promise<number> => {
  const { stdin, stdout, stderr } = process
  const run = createCli(host)
  return await run(argv, {
    stdin,
    stdout,
    stderr,
    noColor: readEnvironment().NO_COLOR !== undefined,
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    signal: interruption(),
  })
}
