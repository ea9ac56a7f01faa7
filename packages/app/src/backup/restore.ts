import path from 'node:path'
import { CliError, ExitCode, type RestoreOrder, type RestoreOutcome, type RestorePlan } from '@rollcall/cli'
import { AuditTrail, type Caller, RecordUsersUseCase, Sealer, sealText, subscriptionIdentity } from '@rollcall/core'
import { createPrivateFileSync, systemClock } from '@rollcall/platform-node'
import type { Restore } from '@rollcall/storage-sql/sqlite'
import { auditAnchorFile, requireAnchorPlace } from '../audit-anchor-file.ts'
import type { Config } from '../config.ts'
import { knowAlso } from '../known-keys.ts'
import { areKnown, existingLinkKeys, LINK_KEYS_NAME, linkKeyFile } from '../link-keys.ts'
import { createNodeDigests, fingerprintOf } from '../platform/node-digests.ts'
import { existingSecret, makeDataDir, OTHER_SECRET, SECRET_FINGERPRINT } from '../secret.ts'
import { StartupError } from '../startup-error.ts'
import { trustedConfig } from '../trusted-config.ts'
import { requireSqlite } from './back-up.ts'
import { missingInFolder } from './kept-keys.ts'
import { readWithdrawals } from './read-withdrawals.ts'

/**
 * Puts a backup in place of the database, without what was withdrawn since, and says so in the trail.
 * @throws {StorageNotUsable} the backup or the database cannot be used for it
 * @throws {StartupError} the secret is missing, or is not the right one
 */
export const restore = async (
  { file, withdrawals, regardless, keep, own, onStep }: RestoreOrder,
  agree: (plan: RestorePlan) => Promise<void>,
  caller: Caller,
): Promise<RestoreOutcome> => {
  const config = trustedConfig()
  requireSqlite(config)
  const known = readWithdrawals(withdrawals)
  makeDataDir(config.DATA_DIR)
  requireAnchorPlace(config)
  const { restoreSqlite } = await import('@rollcall/storage-sql/sqlite')
  const { databaseFile, DATA_DIR: outside } = config
  const order = { file: databaseFile, backup: file, withdrawals: known.after, keep, outside, own, onStep }
  const ready = await restoreSqlite(order)
  try {
    if (typeof ready.replaced === 'string' && withdrawals.length === 0 && !regardless) throw unknownDeletions(ready)
    const secret = secretFor(config, ready)
    const strange = await strangeLinkKeys(config, ready)
    const plan = {
      ...planOf(path.resolve(file), ready),
      silent: known.silentAfter(ready.backup),
      recordsOnly: typeof ready.replaced === 'string' && known.recordsOnly,
      lacking: [...lackingFor(config, ready), ...(strange.length > 0 ? [ofOtherLinkKeys(config)] : [])],
    }
    await agree(plan)
    const files = putBack(config, ready)
    const seal = await note(ready, { secret, strange }, caller)
    const kept = await ready.complete()
    // Whatever was kept before: it may be of a database that went on after the backup was made.
    await auditAnchorFile(config.anchorFile).write(seal)
    return { ...plan, files, kept }
  } finally {
    ready.discard()
  }
}

const planOf = (
  file: string,
  { backup, digest, replaced, reapplied }: Restore,
): Omit<RestorePlan, 'silent' | 'recordsOnly' | 'lacking'> => {
  const lineage = typeof replaced === 'string' ? 'whole' : replaced.lineage
  return { file, backup, digest, replaced, reapplied, caution: lineage === 'whole' ? undefined : lineage }
}

const unknownDeletions = ({ replaced }: Restore): CliError => {
  const why = replaced === 'none' ? 'There is no database here' : 'The database here is damaged or of another version'
  const message = `${why}, so it is not known what was deleted after the backup was made. Say where to read it with --tombstones, or add --without-tombstones: persons who were deleted since come back.`
  return new CliError(message, { name: 'DeletionsUnknown', exitCode: ExitCode.refused })
}

/** @throws {StartupError} none is to be had, or it is not that of the backup */
const secretFor = (config: Config, { files, recall }: Restore): string => {
  const kept = files.find(({ name }) => name === 'secret')?.content.trim()
  const secret = config.SECRET ?? existingSecret(config.DATA_DIR) ?? kept
  const known = recall(SECRET_FINGERPRINT)
  if (secret === undefined)
    throw new StartupError(
      `The backup holds no keys, and the secret that it needs is not in ${path.join(config.DATA_DIR, 'secret')}, nor in ROLLCALL_SECRET. Put it there, with link-keys.json and signing-keys.json beside it. ${OTHER_SECRET}`,
    )
  if (known !== undefined && fingerprintOf(secret) !== known)
    throw new StartupError(`The secret here is not the one that the backup was made with. ${OTHER_SECRET}`)
  return secret
}

/** Keys that neither are here nor come back with the backup, each with what that costs. */
const lackingFor = (config: Config, { files }: Restore): string[] => {
  const held = new Set(files.map(({ name }) => name))
  return missingInFolder(config, held)
    .filter(({ name }) => !held.has(name))
    .map(
      ({ file, cost }) =>
        `${file} is missing, and the backup does not hold it: ${cost}. Put the right one there before the server is started.`,
    )
}

/** The fingerprints of the link keys that are here, if the backup knows none of them. */
const strangeLinkKeys = async (config: Config, { recall }: Restore): Promise<readonly string[]> => {
  const keys = await existingLinkKeys(config)
  return keys === undefined || areKnown(recall(LINK_KEYS_NAME), keys) ? [] : keys.fingerprints
}

const ofOtherLinkKeys = (config: Config): string => {
  const which = config.LINK_KEYS === undefined ? linkKeyFile(config) : 'ROLLCALL_LINK_KEYS'
  return `${which} is not what links were signed with when the backup was made: those in mails of before are dead. If keys were revoked since, it is right; else put the right one there before the server is started.`
}

/** What the data folder lacks of what went with the backup. */
const putBack = (config: Config, { files }: Restore): string[] => {
  const lacking = missingInFolder(config, new Set(files.map(({ name }) => name))).flatMap(({ name, file }) => {
    const kept = files.find((one) => one.name === name)
    return kept === undefined ? [] : [{ ...kept, file }]
  })
  for (const { content, file } of lacking) {
    if (!createPrivateFileSync(file, content.endsWith('\n') ? content : `${content}\n`))
      throw new StartupError(`${file} was made by another process meanwhile. Look at it, and try again.`)
  }
  return lacking.map(({ name }) => name)
}

/** The trail goes on with who restored, and what that took out; the seal on that, as text. */
const note = async (
  ready: Restore,
  { secret, strange }: { readonly secret: string; readonly strange: readonly string[] },
  caller: Caller,
): Promise<string> => {
  const { draft, backup, reapplied } = ready
  const { openSqliteStorage } = await import('@rollcall/storage-sql/sqlite')
  const digests = createNodeDigests(secret)
  await ready.withdrawRequests((feed, addressKey) => subscriptionIdentity(digests, feed, addressKey).candidate(0))
  const trail = new AuditTrail(systemClock, digests)
  const { users, erased, ended, suppressions } = reapplied
  const reason = `backup up to record ${backup.auditRecord}, event ${backup.event}; withdrawn since: users ${users}, subscriptions erased ${erased}, ended ${ended}, suppressions ${suppressions}`
  const storage = await openSqliteStorage({ file: draft, onDiskFailure: () => undefined })
  try {
    await storage.unitOfWork.run(async ({ audit }) => {
      await trail.done(audit, caller, { action: 'database.restore' }, reason)
    })
    // The first start takes what is there by then, and forgets the others.
    if (strange.length > 0) await knowAlso(storage, LINK_KEYS_NAME, strange)
    // Roles are as they were in the backup, and the trail is that of the database that was replaced.
    const { unitOfWork, readers } = storage
    await new RecordUsersUseCase({ trail, unitOfWork, readers }).execute()
    await new Sealer({ unitOfWork, readers, digests, clock: systemClock }).seal()
    const seal = await readers.audit.head()
    if (seal === undefined) throw new Error('The trail was not sealed.')
    return sealText(seal)
  } finally {
    await storage.close()
  }
}
