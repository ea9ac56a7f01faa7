import { statSync } from 'node:fs'
import path from 'node:path'
import { keyFile } from './access-tokens.ts'
import { type Config, examineConfig, readEnvironment } from './config.ts'
import { linkKeyFile } from './link-keys.ts'
import { mailFolder } from './mail-transport.ts'
import { StartupError } from './startup-error.ts'
import { realOf } from './trusted-files.ts'

type Environment = ReturnType<typeof readEnvironment>

const BESIDE_A_DATABASE = ['', '-journal', '-shm', '-wal', '.serving']

/** Whether the service that is configured here keeps this file, by whatever name it goes. */
export const isOwnFile = (file: string): boolean => {
  const [environment, config] = configured()
  if (config === undefined) return false
  const { files, folders } = kept(config, environment)
  const place = realPlace(file)
  return (
    files.some((own) => realPlace(own) === place || isSameFile(own, place)) ||
    folders.some((own) => place === realPlace(own) || place.startsWith(`${realPlace(own)}${path.sep}`))
  )
}

/** Without a configuration nothing is kept here; the command that needs one reports what is wrong with it. */
const configured = (): readonly [Environment, Config | undefined] => {
  try {
    const environment = readEnvironment()
    return [environment, examineConfig(environment).config]
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [{}, undefined]
  }
}

const kept = (config: Config, environment: Environment) => {
  const { DATA_DIR, anchorFile, databaseFile } = config
  const named = Object.entries(environment).flatMap(([name, file]) =>
    /^ROLLCALL_.*_FILE$/.test(name) && file ? [file] : [],
  )
  // SQLite names what is beside a database by its real name.
  const database = [databaseFile, realPlace(databaseFile)].flatMap((file) =>
    BESIDE_A_DATABASE.map((ending) => `${file}${ending}`),
  )
  return {
    files: [
      ...[...database, path.join(DATA_DIR, 'secret'), linkKeyFile(config), keyFile(config), anchorFile],
      ...['.env', ...named],
      path.join(DATA_DIR, 'console.json'),
    ],
    folders: [mailFolder(config), path.join(DATA_DIR, 'pages'), path.join(DATA_DIR, 'templates')],
  }
}

/** Where a file really is, or would be. */
const realPlace = (file: string): string => {
  const whole = path.resolve(file)
  return realOf(whole) ?? path.join(realOf(path.dirname(whole)) ?? path.dirname(whole), path.basename(whole))
}

/** Two names of one file, as hard links are. */
const isSameFile = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((file) => {
    const found = realOf(file)
    return found === undefined ? undefined : statSync(found, { throwIfNoEntry: false, bigint: true })
  })
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino
}
