import { OperatorError } from '@rollcall/platform-node'
import { silentLog } from '../log.ts'
import { createMailTransport } from '../mail-transport.ts'
import { openPages } from '../pages.ts'
import type { Check } from './check.ts'
import { type Finding, failed, ok } from './finding.ts'

/** What the deployer's own files change of mails and pages. */
export const checkWords: Check = {
  name: 'mails and pages',
  run: async ({ config }) => {
    const problems = [
      await problemWith(async () => await (await createMailTransport(config, silentLog)).close()),
      await problemWith(async () => void openPages(config)),
    ].filter((problem) => problem !== undefined)
    return problems.length > 0 ? problems : [ok('Templates, texts and theme can be used.')]
  },
}

const problemWith = async (use: () => Promise<void>): Promise<Finding | undefined> => {
  try {
    await use()
    return undefined
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return failed(error.message)
  }
}
