import { type Config, type Environment, readConfig, readEnvironment } from './config.ts'
import { findingsOnData, findingsOnSettings, requireTrust } from './trusted-files.ts'

/**
 * The configuration for a command, once what it says and what it leads to can be trusted.
 * @throws {StartupError} it is not valid, or others can read or change a file that must be this user's alone
 */
export const trustedConfig = (): Config => {
  const environment = readEnvironment()
  const config = readConfig(environment)
  warn(requireTrust([...findingsOnSettings(environment), ...findingsOnData(config)]))
  return config
}

/**
 * Likewise for a service, which looks at its data itself.
 * @throws {StartupError}
 */
export const trustedSettings = (more: Environment): Config => {
  const environment = { ...readEnvironment(), ...more }
  warn(requireTrust(findingsOnSettings(environment)))
  return readConfig(environment)
}

const warn = (warnings: readonly string[]): void => {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
}
