import { existsSync } from 'node:fs'
import { inspectProvider, ProviderTrouble } from '@rollcall/access-token'
import type { ProviderSettings } from '@rollcall/access-token/provider-settings'
import { MINUTE, SECOND, TablePolicy } from '@rollcall/core'
import { keyFile, openKeys } from '../access-tokens.ts'
import type { Config } from '../config.ts'
import { OTHER_SUBJECT_CLAIM, SUBJECT_CLAIM, subjectClaimIn } from '../subject-claim.ts'
import { type Check, type CheckContext, type Finding, failed, ok, sentence, warning } from './check.ts'

/** Who signs access tokens, and whether its keys are to be had. */
export const checkTokens: Check = {
  name: 'access tokens',
  run: async ({ config, current }) =>
    config.provider === undefined
      ? [await ownKeys(config)]
      : [await keysOf(config.provider), await subjectClaimOf(config, current), ...roleMapOf(config.provider)],
}

/** Whether users have the ids that they had at first. */
const subjectClaimOf = async (config: Config, current: CheckContext['current']): Promise<Finding> => {
  const claim = subjectClaimIn(config) ?? 'sub'
  const known = await current?.recall(SUBJECT_CLAIM)
  if (known === undefined || known === claim) return ok(`The id of a user is the claim ${claim} of its tokens.`)
  return failed(
    `ROLLCALL_AUTH_SUBJECT_CLAIM is ${claim}, but this database was begun with ${known}.`,
    OTHER_SUBJECT_CLAIM,
  )
}

const ownKeys = async (config: Config): Promise<Finding> => {
  if (config.SIGNING_KEYS === undefined && !existsSync(keyFile(config)))
    return warning('There is no key to sign tokens with yet.', 'The first start, or the first token, makes one.')
  const count = (await openKeys(config)).jwks().keys.length
  return ok(`Own ones, signed with one key; ${count === 1 ? 'no other verifies' : `${count} verify`}.`)
}

const keysOf = async (provider: ProviderSettings): Promise<Finding> => {
  try {
    return ok(`The identity provider ${provider.issuer} publishes its keys at ${await inspectProvider(provider)}.`)
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    return failed(
      sentence(error.message),
      provider.jwksUrl === undefined
        ? 'Check ROLLCALL_AUTH_ISSUER, and whether this machine reaches the provider; if only at another address, set ROLLCALL_AUTH_JWKS_URL.'
        : 'Check ROLLCALL_AUTH_JWKS_URL, and whether this machine reaches the provider there.',
    )
  }
}

/** Whether the map of roles has any that is not known here: who should have it gets no access. */
const roleMapOf = ({ roleMap = new Map() }: ProviderSettings): readonly Finding[] => {
  const known = new TablePolicy().roles
  const others = [...new Set([...roleMap.values()].flat())].filter((role) => !known.includes(role))
  if (others.length === 0) return []
  return [
    failed(
      `ROLLCALL_AUTH_ROLE_MAP gives the role ${others.map((role) => `'${role}'`).join(', ')}, which is not known.`,
      `Use only these roles: ${known.join(', ')}.`,
    ),
  ]
}

const TIMEOUT = 5 * SECOND
/** As tokens have it, and a second that a date in a header is cut by. */
const LEEWAY = 6 * SECOND
const REMEDY = 'Set the clock of this machine by NTP: tokens, links and pauses between mails depend on it.'

/** The clock of this machine, against whatever else knows the time. */
export const checkClock: Check = {
  name: 'clock',
  run: async ({ config, clock, ownClock, storage, current }) => {
    const newest = await current?.newest()
    const ahead = newest === undefined ? 0 : newest - clock.now()
    const decides = storage?.clock === undefined ? undefined : ofNoMatter(storage.clock.now() - ownClock.now())
    if (ahead > LEEWAY)
      return [failed(`The newest record is ${lengthOf(ahead)} in the future.`, decides ? SERVER_REMEDY : REMEDY)]
    const { jwksUrl, issuer = '' } = config.provider ?? {}
    const others = config.provider === undefined ? undefined : await timeAt(jwksUrl ?? issuer)
    if (others === undefined) return [decides ?? ok('No record is from the future.')]
    const provider = compared(others - ownClock.now(), decides ? PROVIDER_REMEDY : REMEDY)
    return decides ? [decides, provider] : [provider]
  },
}

const SERVER_REMEDY = 'Set the clock of the database server by NTP: every time is taken from it.'
const PROVIDER_REMEDY = 'Set the clock of this machine by NTP: tokens of the identity provider are verified by it.'

/** @param apart milliseconds that the database's is ahead of this machine's */
export const ofNoMatter = (apart: number): Finding =>
  Math.abs(apart) <= LEEWAY
    ? ok("It goes with the database's, which decides.")
    : ok(
        `It is ${difference(apart)} the database's.`,
        'Nothing that is stored, sent or issued here depends on it: all that goes by the clock of the database.',
      )

/** @param apart milliseconds that the other clock is ahead */
export const compared = (apart: number, remedy = REMEDY): Finding => {
  if (Math.abs(apart) <= LEEWAY) return ok("It goes with the identity provider's.")
  const message = `It is ${difference(apart)} the identity provider's.`
  return Math.abs(apart) > MINUTE ? failed(message, remedy) : warning(message, remedy)
}

const difference = (apart: number): string => `${lengthOf(Math.abs(apart))} ${apart > 0 ? 'behind' : 'ahead of'}`

const lengthOf = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / SECOND)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** What the clock of a server says; undefined if it does not answer. */
const timeAt = async (address: string): Promise<number | undefined> => {
  try {
    const signal = AbortSignal.timeout(TIMEOUT)
    const response = await fetch(address, { method: 'HEAD', redirect: 'manual', signal })
    await response.body?.cancel()
    const at = Date.parse(response.headers.get('Date') ?? '')
    return Number.isNaN(at) ? undefined : at
  } catch {
    // The check of the provider itself reports what is wrong with it.
    return undefined
  }
}
