import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { accessProblem } from '@rollcall/platform-node'
import { keyFile } from './access-tokens.ts'
import type { Config, Environment } from './config.ts'
import { linkKeyFile } from './link-keys.ts'
import { mailFolder } from './mail-transport.ts'
import { aboutSetting, SETTINGS, type SettingName } from './settings.ts'
import { StartupError } from './startup-error.ts'

/** What is wrong with who can read or change a file that the service believes. */
export interface TrustFinding {
  readonly file: string
  /** The user whom it belongs to, if that is what is wrong. */
  readonly owner: number | undefined
  readonly refused: boolean
  readonly message: string
  readonly remedy: string
}

type Rule = Parameters<typeof accessProblem>[2]

const PRIVATE: Rule = {}
/** No secret, but what it says is done. */
const BELIEVED: Rule = { readable: true }
/** What somebody else may have been asked to write, such as a translator. */
const WORDS: Rule = { readable: true, strangers: 'warned' }

/** The folders and files of the data folder and of the database that are not for everybody. */
export const findingsOnData = (config: Config): readonly TrustFinding[] => {
  const folder = path.resolve(config.DATA_DIR)
  if (statOf(folder)?.isDirectory() === false)
    return [misplaced(folder, `The data folder ${folder} is no folder.`, 'Set ROLLCALL_DATA_DIR to another.')]
  const words = ['pages', 'templates'].map((name) => path.join(folder, name))
  return [
    ...findingsOnPlace(
      'The data folder',
      folder,
      PRIVATE,
      `Set ROLLCALL_DATA_DIR to a folder within it, such as ${path.join(folder, 'rollcall')}.`,
    ),
    ...(config.SECRET === undefined ? findings('The secret in', path.join(folder, 'secret'), PRIVATE) : []),
    ...(config.LINK_KEYS === undefined ? findings('The key file', path.resolve(linkKeyFile(config)), PRIVATE) : []),
    // Also if an identity provider issues the tokens: those of directories are signed here.
    ...(config.SIGNING_KEYS === undefined ? findings('The key file', path.resolve(keyFile(config)), PRIVATE) : []),
    ...(config.postgresUrl === undefined ? findingsOnDatabase(config.databaseFile) : []),
    // A folder is told by what looks for the place of the seal.
    ...(statOf(config.anchorFile)?.isDirectory()
      ? []
      : findings('The seal of the audit trail in', config.anchorFile, BELIEVED)),
    ...findings('The mail folder', path.resolve(mailFolder(config)), PRIVATE),
    ...findings('The file', path.join(folder, 'console.json'), WORDS),
    ...words.flatMap((place) => filesIn(place).flatMap((file) => findings('The file or folder', file, WORDS))),
  ]
}

/** A database, and what SQLite would believe beside it, such as a journal of changes to undo. */
export const findingsOnDatabase = (databaseFile: string): readonly TrustFinding[] => {
  // SQLite names what is beside a database by its real name.
  const file = realOf(databaseFile) ?? databaseFile
  const stats = statOf(file)
  if (stats?.isDirectory())
    return [misplaced(file, `The database ${file} is a folder.`, `Name a file, such as ${databaseIn(file)}.`)]
  if (stats?.isFile() === false) return [misplaced(file, `The database ${file} is no ordinary file.`, 'Name another.')]
  const folder = path.dirname(file)
  const own = findings('The database', file, PRIVATE)
  const beside = ['-wal', '-shm', '-journal'].flatMap((ending) =>
    findings('The file beside the database', `${file}${ending}`, PRIVATE),
  )
  return [
    ...findingsOnPlace(
      'The folder of the database',
      folder,
      BELIEVED,
      `Name a file in a folder of its own, such as ${databaseIn(folder)}.`,
    ),
    ...own,
    // SQLite gives them the permissions of the database: what is said of that is not said again.
    ...beside.filter(({ refused }) => own.every((one) => refused && !one.refused)),
  ]
}

/** Where something else is: it is not its permissions that must be mended. */
const misplaced = (file: string, message: string, remedy: string): TrustFinding => ({
  file,
  owner: undefined,
  refused: true,
  message,
  remedy,
})

/** Such as /tmp: others rely on being able to write there. */
const isForEverybody = (folder: string): boolean => ((statOf(folder)?.mode ?? 0) & 0o1002) === 0o1002

const findingsOnPlace = (what: string, folder: string, rule: Rule, instead: string): readonly TrustFinding[] =>
  isForEverybody(folder)
    ? [misplaced(folder, `${what} ${folder} is a place that everybody may write to.`, instead)]
    : findings(what, folder, rule)

const databaseIn = (folder: string): string =>
  `sqlite:${path.join(folder, isForEverybody(folder) ? 'rollcall' : '', 'rollcall.db')}`

/** Undefined for what is missing, or out of reach: what uses it next reports why. */
export const realOf = (file: string): string | undefined => {
  try {
    return realpathSync(file)
  } catch {
    return undefined
  }
}

const SECRETS: ReadonlySet<string> = new Set(
  (Object.keys(SETTINGS.entries) as SettingName[])
    .filter((name) => aboutSetting(name).secret)
    .map((name) => `ROLLCALL_${name}_FILE`),
)

/** The files that settings name, and `.env` in this folder. */
export const findingsOnSettings = (environment: Environment): readonly TrustFinding[] => [
  ...findings('The file', path.resolve('.env'), PRIVATE),
  ...Object.entries(environment).flatMap(([name, file]) => {
    if (!/^ROLLCALL_.+_FILE$/.test(name) || !file || !statOf(file)?.isFile()) return []
    return findings(`The file of ${name},`, file, SECRETS.has(name) ? { mounted: true } : BELIEVED)
  }),
]

const findings = (what: string, file: string, rule: Rule): readonly TrustFinding[] => {
  const stats = statOf(file)
  const found = stats === undefined ? undefined : accessProblem(file, stats, rule)
  if (found === undefined) return []
  const owner = found.problem.startsWith('belongs to') ? stats?.uid : undefined
  return [{ file, owner, refused: found.refused, message: `${what} ${file} ${found.problem}.`, remedy: found.remedy }]
}

/** One finding for one cause: a file is not told twice, nor what is another's because its folder is. */
export const folded = (all: readonly TrustFinding[]): readonly TrustFinding[] => {
  const firsts = all.filter(({ file }, at) => all.findIndex((one) => one.file === file) === at)
  const folderOf = ({ file, owner, refused }: TrustFinding): TrustFinding | undefined =>
    owner === undefined
      ? undefined
      : firsts.find(
          (one) => one.owner === owner && one.refused === refused && file.startsWith(`${one.file}${path.sep}`),
        )
  return firsts.flatMap((finding) => {
    if (folderOf(finding) !== undefined) return []
    const inside = firsts
      .filter((one) => folderOf(one) === finding)
      .map(({ file }) => path.relative(finding.file, file))
    if (inside.length === 0) return [finding]
    return [{ ...finding, message: `${finding.message} So does what is in it: ${inside.join(', ')}.` }]
  })
}

/** Undefined for what is missing, or out of reach for this user. */
export const statOf = (file: string): Stats | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const filesIn = (folder: string): readonly string[] => {
  try {
    return [folder, ...readdirSync(folder).map((name) => path.join(folder, name))]
  } catch {
    // Missing, or out of reach.
    return []
  }
}

/**
 * What is worth a warning of them.
 * @throws {StartupError} what is worse, each with the command that ends it
 */
export const requireTrust = (found: readonly TrustFinding[]): readonly string[] => {
  const sentences = (refused: boolean): string[] =>
    folded(found)
      .filter((one) => one.refused === refused)
      .map(({ message, remedy }) => `${message} ${remedy}`)
  const refused = sentences(true)
  if (refused.length > 0) throw new StartupError(refused.join('\n'))
  return sentences(false)
}
