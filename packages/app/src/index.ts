export * from './composition.ts'
export { type Config, readConfig } from './config.ts'
export {
  compose,
  coreModule,
  mailModule,
  ownTokensModule,
  platformModule,
  providerTokensModule,
  sqliteModule,
} from './container.ts'
export { createLog, type Log, silentLog } from './log.ts'
export { serve } from './serve.ts'
export { StartupError } from './startup-error.ts'
export { TOKENS } from './tokens.ts'
