import path from 'node:path'
import {
  createKeyRing,
  createOwnTokenIssuer,
  createOwnTokenVerifier,
  createProviderTokenVerifier,
  KeyFileWatch,
  type OwnKeys,
  openOwnKeys,
  parseOwnKeys,
} from '@rollcall/access-token'
import { type AccessTokenIssuer, KeysNotRotatable, OwnTokensOff, type SigningKeyRing } from '@rollcall/core'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { StartupError } from './startup-error.ts'

/** Something that goes on beside the requests, as long as the service runs. */
export interface Watch {
  start(): void
  stop(): Promise<void>
}

const OWN = { issuer: 'rollcall', audience: 'rollcall' } as const

export const keyFile = ({ DATA_DIR }: Config): string => path.join(DATA_DIR, 'signing-keys.json')

export const openKeys = (config: Config): Promise<OwnKeys> =>
  config.SIGNING_KEYS === undefined
    ? openOwnKeys({ file: keyFile(config) })
    : parseOwnKeys(config.SIGNING_KEYS, 'ROLLCALL_SIGNING_KEYS')

export const ownTokenVerifier = (keys: OwnKeys) => createOwnTokenVerifier(keys, OWN)

export const ownTokenIssuer = (keys: OwnKeys): AccessTokenIssuer => createOwnTokenIssuer(keys, OWN)

export const keyRingOf = (config: Config, keys: OwnKeys): SigningKeyRing =>
  config.SIGNING_KEYS === undefined ? createKeyRing({ file: keyFile(config), keys }) : KEYS_OF_THE_ENVIRONMENT

const KEYS_OF_THE_ENVIRONMENT: SigningKeyRing = {
  makeKey: async () => {
    throw new KeysNotRotatable(
      'The signing keys are set by ROLLCALL_SIGNING_KEYS, so they are changed there: put a new private key first; leave of the old one the public half until its tokens have expired, or take it out to revoke them; then restart every instance.',
    )
  },
}

export const keyWatchOf = (config: Config, keys: OwnKeys, log: Log): Watch =>
  config.SIGNING_KEYS === undefined
    ? new KeyFileWatch({
        file: keyFile(config),
        keys,
        onTrouble: (error) => log.error({ err: error }, 'the key file cannot be used; the keys of before go on'),
      })
    : NOTHING_TO_WATCH

export const NOTHING_TO_WATCH: Watch = { start: () => undefined, stop: async () => undefined }

/** Verifies the tokens of the identity provider; there are no keys of our own to publish. */
export const providerTokenVerifier = ({ provider }: Config, log: Log) => {
  if (provider === undefined) throw new StartupError('Set ROLLCALL_AUTH_ISSUER to take the tokens of a provider.')
  const verifier = createProviderTokenVerifier({
    ...provider,
    onProviderTrouble: (error) => {
      log.warn({ err: error }, 'the identity provider does not give its keys; known ones are used for a day at most')
    },
  })
  return { verify: (token: string) => verifier.verify(token), jwks: () => ({ keys: [] }) }
}

const ownTokensAreOff = async (): Promise<never> => {
  throw new OwnTokensOff()
}

/** Where an identity provider issues the tokens, nothing is signed here. */
export const OWN_TOKENS_OFF: AccessTokenIssuer & SigningKeyRing = { issue: ownTokensAreOff, makeKey: ownTokensAreOff }
