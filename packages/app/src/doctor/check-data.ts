import { accessSync, constants, existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { type Digests, isGenuine, isOn, readSeal, SECOND } from '@rollcall/core'
import { hasErrorCode } from '@rollcall/platform-node'
import { anchorProblem, auditAnchorFile } from '../audit-anchor-file.ts'
import { databaseNameOf, OLDER, TO_MIGRATE } from '../database.ts'
import { areKnown, existingLinkKeys, LINK_KEYS_NAME, OTHER_LINK_KEYS } from '../link-keys.ts'
import { createNodeDigests, fingerprintOf } from '../platform/node-digests.ts'
import { existingSecret, OTHER_SECRET, SECRET_FINGERPRINT } from '../secret.ts'
import { recallServiceSettings } from '../service-settings.ts'
import { findingsOnData, folded, statOf } from '../trusted-files.ts'
import { type Check, type CheckContext, type Finding, failed, ok, trustFinding, warning } from './check.ts'

/** The data folder and what is private in it: for the user of the service alone. */
export const checkFolder: Check = {
  name: 'data folder',
  run: async ({ config }) => {
    const folder = path.resolve(config.DATA_DIR)
    const found = statOf(folder)
    if (found === undefined)
      return [warning(`There is no folder ${folder} yet.`, 'The first start makes it; or set ROLLCALL_DATA_DIR.')]
    if (!found.isDirectory()) return [failed(`${folder} is not a folder.`, 'Name another with ROLLCALL_DATA_DIR.')]
    const problems = [...folded(findingsOnData(config)).map(trustFinding), ...rightsOn(folder)]
    return problems.length > 0 ? problems : [ok(`${folder} is for this user alone.`)]
  },
}

const rightsOn = (folder: string): readonly Finding[] => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return []
  } catch (error) {
    if (hasErrorCode(error, 'EROFS'))
      return [failed(`The disk of ${folder} is mounted for reading only.`, 'Mount it for writing, or move the folder.')]
    return [failed(`This user may not read and write in ${folder}.`, 'Run this as the user of the service.')]
  }
}

const MIB = 1024 * 1024
const LEAST = 64 * MIB
const COMFORTABLE = 1024 * MIB

/** Room for the database, its log, and a complete rewrite. */
export const checkDisk: Check = {
  name: 'disk',
  run: async ({ config: { DATA_DIR, databaseFile, postgresUrl } }) => {
    const folder = existing(postgresUrl === undefined ? path.dirname(databaseFile) : path.resolve(DATA_DIR))
    const { bavail, bsize } = await statfs(folder)
    const size = statOf(databaseFile)?.size ?? 0
    return [judgedDisk(bavail * bsize, size, folder)]
  },
}

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(path.dirname(folder)))

/** @param free and @param database in bytes */
export const judgedDisk = (free: number, database: number, folder: string): Finding => {
  const message = `${sizeText(free)} are free on the disk of ${folder}.`
  const remedy = 'Make room, or move the folder: without any, nothing can be stored any more.'
  if (free < LEAST) return failed(message, remedy)
  return free < Math.max(COMFORTABLE, database) ? warning(message, remedy) : ok(message)
}

const sizeText = (bytes: number): string => {
  const mebibytes = bytes / MIB
  return mebibytes < 1024 ? `${Math.floor(mebibytes)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`
}

const SHOWN = 3

const NEWER =
  'of a newer version, on which this one works. Whether all is in it, only the doctor of that version can tell.'

/** The database: whether it can be opened, its version, and whether it is sound. */
export const checkStorage: Check = {
  name: 'storage',
  run: async ({ storage, storageProblem, config }) => {
    if (storage === undefined) return storageProblem === undefined ? [] : [storageProblem]
    const name = databaseNameOf(config)
    if (storage.missing.length > 0) return [warning(`${name} ${OLDER}`, TO_MIGRATE)]
    const damage = await storage.damage()
    if (damage === undefined)
      return [
        warning(
          `${name} is up to date. Whether it lacks a constraint or an index cannot be seen.`,
          'Let the role make temporary tables: GRANT TEMPORARY ON DATABASE.',
        ),
      ]
    if (damage.length === 0) return [ok(`${name} is ${storage.newer.length > 0 ? NEWER : 'up to date, and sound.'}`)]
    const found = `${damage.slice(0, SHOWN).join('; ')}${damage.length > SHOWN ? ' and more' : ''}`
    const remedy =
      config.postgresUrl === undefined
        ? 'Stop the server, and put it back from a backup; or take away what does not belong there, if that is all.'
        : 'Make what is missing as it is in a database that `rollcall migrate` has just made, and take away what does not belong there; or put the database back from a backup.'
    return [failed(`${name} is damaged: ${found}.`, remedy)]
  },
}

/** The secret: there, and the one that the database was begun with. */
export const checkSecret: Check = {
  name: 'secret',
  run: async ({ config: { DATA_DIR, SECRET }, current }) => {
    const secret = SECRET ?? existingSecret(DATA_DIR)
    const known = await current?.recall(SECRET_FINGERPRINT)
    const where = SECRET === undefined ? 'in the data folder' : 'in ROLLCALL_SECRET'
    if (secret === undefined)
      return known === undefined
        ? [
            warning(
              'There is no secret yet.',
              'The first start makes one: keep a copy, ids and hashes are made with it.',
            ),
          ]
        : [failed('The secret of this database is missing.', OTHER_SECRET)]
    if (known === undefined) return [ok(`There is one ${where}.`)]
    if (known === fingerprintOf(secret)) return [ok(`The one ${where} is that of this database.`)]
    return [failed(`The one ${where} is not that of this database.`, OTHER_SECRET)]
  },
}

/** The link keys: there, and those that the database was used with last. */
export const checkLinkKeys: Check = {
  name: 'link keys',
  run: async ({ config, current }) => {
    const known = await current?.recall(LINK_KEYS_NAME)
    const keys = await existingLinkKeys(config)
    const where = config.LINK_KEYS === undefined ? 'in the data folder' : 'in ROLLCALL_LINK_KEYS'
    if (keys === undefined)
      return known === undefined
        ? [warning('There are none yet.', 'The first start makes one: keep a copy, links are signed with it.')]
        : [failed('The link keys of this database are missing.', OTHER_LINK_KEYS)]
    if (!areKnown(known, keys)) return [failed(`Those ${where} are not those of this database.`, OTHER_LINK_KEYS)]
    const others = keys.fingerprints.length - 1
    return [
      ok(
        `Links are signed with key ${keys.current.id} ${where}; ${others === 0 ? 'no other verifies' : `${others} more verify`}.`,
      ),
    ]
  },
}

/** Whether the settings that commands take from the service are the same here. */
export const checkSettings: Check = {
  name: 'settings',
  run: async ({ own, current }) => {
    const service = current === undefined ? {} : await recallServiceSettings(current)
    const settings = { ...service, PUBLIC_URL: own.PUBLIC_URL && service.publicUrl }
    return (['DELETE_GRACE', 'CONFIRM_TTL', 'PUBLIC_URL'] as const).flatMap((name) => {
      const known = settings[name]
      if (known === undefined || known === own[name]) return []
      const [here, there] = [own[name], known].map((each) => (typeof each === 'number' ? `${each / SECOND}s` : each))
      return warning(
        `ROLLCALL_${name} is ${here} here, and was ${there} where the service was started last.`,
        `Commands go by ${name === 'DELETE_GRACE' ? 'the longer one' : 'that of the service'}. Set the same here, or start the service again.`,
      )
    })
  },
}

/** A sealer is never that late while a server runs. */
const SEAL_OVERDUE = 10 * SECOND
const VERIFY = 'Run `rollcall audit verify`: it finds the first record that does not hold.'

/** The end of the audit trail, and the newest seal on it. The whole trail is for `rollcall audit verify`. */
export const checkTrail: Check = {
  name: 'audit trail',
  run: async (context) => {
    const { current, clock } = context
    if (current === undefined) return []
    // Before the trail, which may go on.
    const anchor = await anchorOf(context)
    const { seal, before, sealed, last, unsealed, unsealedSince } = await current.trailEnd()
    const digests = digestsOf(context)
    if (seal !== undefined && digests !== undefined && !isGenuine(digests, seal))
      return [failed(`The seal on record ${seal.last} was not made with this secret.`, VERIFY)]
    // What a seal is on can be told without the secret.
    if (seal !== undefined && !isOn(digests ?? createNodeDigests(''), seal, before, sealed))
      return [failed(`What the seal on record ${seal.last} was made for is changed or gone.`, VERIFY)]
    if (last > (seal?.last ?? 0)) return [failed(`The seal on record ${last} is gone.`, VERIFY)]
    const anchorFault = problemOfAnchor(context, anchor, last)
    if (anchorFault !== undefined) return [anchorFault]
    if (unsealedSince !== undefined && clock.now() - unsealedSince > SEAL_OVERDUE) {
      const remedy = 'A running server seals them at once: start it, or see in its log what keeps it from that.'
      return [warning(`Records have waited for their seal for more than 10 seconds (${unsealed} in all).`, remedy)]
    }
    if (last === 0 && unsealed === 0) return [ok('There is nothing on record yet.')]
    const rest = unsealed === 0 ? '' : `; not sealed yet: ${unsealed}`
    return [ok(`It is sealed up to record ${last}${rest}.`)]
  },
}

/** What is kept outside the database, or why it cannot be read. */
interface KeptAnchor {
  readonly text?: string | undefined
  readonly problem?: string
}

const anchorOf = async ({ config: { anchorFile } }: CheckContext): Promise<KeptAnchor> => {
  const problem = anchorProblem(anchorFile)
  return problem === undefined ? { text: await auditAnchorFile(anchorFile).read() } : { problem }
}

/** What is wrong with the seal that is kept outside the database, beside a trail that ends with record `end`. */
const problemOfAnchor = (
  { config: { anchorFile } }: CheckContext,
  { text, problem }: KeptAnchor,
  end: number,
): Finding | undefined => {
  if (problem !== undefined) return failed(problem)
  if (text === undefined) return undefined
  const anchor = readSeal(text)
  if (anchor === undefined) return failed(`What ${anchorFile} holds is not a seal of an audit trail.`, VERIFY)
  if (anchor.last <= end) return undefined
  return failed(`It ends with record ${end}, but ${anchorFile} has a seal on record ${anchor.last}.`, VERIFY)
}

/** Undefined if there is no secret: another check says so. */
const digestsOf = ({ config: { DATA_DIR, SECRET } }: CheckContext): Digests | undefined => {
  const secret = SECRET ?? existingSecret(DATA_DIR)
  return secret === undefined ? undefined : createNodeDigests(secret)
}
