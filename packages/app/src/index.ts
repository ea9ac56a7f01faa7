export { OperatorError } from '@rollcall/platform-node'
export * from './composition.ts'
export { type Config, readConfig } from './config.ts'
export {
  challengeModule,
  compose,
  coreModule,
  mailModule,
  metricsModule,
  ownTokensModule,
  platformModule,
  postgresModule,
  providerTokensModule,
  rateLimitModule,
  sqliteModule,
  webhookModule,
} from './container.ts'
export type { Storage } from './database.ts'
export { createLog, type Log, silentLog } from './log.ts'
export { NO_SERVICE_METRICS, type ServiceMetrics } from './metrics/service-metrics.ts'
export { serve } from './serve.ts'
export { openService, type Service } from './service.ts'
export { StartupError } from './startup-error.ts'
export { TOKENS } from './tokens.ts'
