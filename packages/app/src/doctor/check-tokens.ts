import { existsSync } from 'node:fs'
import { inspectProvider, ProviderTrouble } from '@rollcall/access-token'
import { keyFile, openKeys } from '../access-tokens.ts'
import type { Config } from '../config.ts'
import type { Check } from './check.ts'
import { type Finding, failed, ok, sentence, warning } from './finding.ts'

/** Who signs access tokens, and whether its keys are to be had. */
export const checkTokens: Check = {
  name: 'access tokens',
  run: async ({ config }) => [
    config.provider === undefined ? await ownKeys(config) : await keysOf(config.provider.issuer),
  ],
}

const ownKeys = async (config: Config): Promise<Finding> => {
  if (config.SIGNING_KEYS === undefined && !existsSync(keyFile(config)))
    return warning('There is no key to sign tokens with yet.', 'The first start, or the first token, makes one.')
  const count = (await openKeys(config)).jwks().keys.length
  return ok(`Own ones, signed with one key; ${count === 1 ? 'no other verifies' : `${count} verify`}.`)
}

const keysOf = async (issuer: string): Promise<Finding> => {
  try {
    return ok(`The identity provider ${issuer} publishes its keys at ${await inspectProvider(issuer)}.`)
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    return failed(sentence(error.message), 'Check ROLLCALL_AUTH_ISSUER, and whether this machine reaches the provider.')
  }
}
